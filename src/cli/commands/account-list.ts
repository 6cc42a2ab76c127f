import { listAccounts } from '../../db/operator/accounts.ts';
import { command, withEnv } from '../command.ts';
import { table } from '../print.ts';

export const listAccountsCommand = command({
  command: 'list',
  describe: 'List the accounts with their numbers of properties',
  examples: [['account list --json', 'The accounts as a JSON document']],
  async run(args, context) {
    const accounts = await withEnv(context, args, (env) => listAccounts(env.DB));
    return {
      json: { accounts },
      text: table(
        ['CODE', 'NAME', 'LISTED', 'PROPERTIES', 'STATE'],
        accounts.map(({ code, name, listed, properties, disabled }) => [
          code,
          name,
          listed,
          properties,
          disabled ? 'disabled' : 'enabled',
        ]),
      ),
    };
  },
});
