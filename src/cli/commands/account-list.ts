import { listAccounts } from '../../db/operator/accounts.ts';
import { command, withEnv } from '../command.ts';
import { table } from '../print.ts';

export const listAccountsCommand = command({
  command: 'list',
  describe: 'List all accounts',
  examples: [['account list --json', 'List them for a program']],
  async run(args, context) {
    const accounts = await withEnv(context, args, (env) => listAccounts(env.DB));
    return {
      json: { accounts: accounts.map(({ onMarket, ...account }) => ({ ...account, on_market: onMarket })) },
      text: table(
        ['CODE', 'NAME', 'ON MARKET', 'PROPERTIES', 'STATE'],
        accounts.map((account) => [
          account.code,
          account.name,
          account.onMarket,
          account.properties,
          account.disabled ? 'disabled' : 'enabled',
        ]),
      ),
    };
  },
});
