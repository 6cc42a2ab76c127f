import { listClients } from '../../db/operator/clients.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';

export const listClientsCommand = command({
  command: 'list',
  describe: "List an account's clients with their scopes",
  examples: [['client list --account COSTA', 'The clients of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const clients = await withEnv(context, args, async (env) =>
      listClients(env.DB, await accountOf(env, args.account, args)),
    );
    return {
      json: {
        clients: clients.map(({ id, scopes, disabled, createdAt }) => ({
          client_id: id,
          scopes,
          disabled,
          created_at: isoTime(createdAt),
        })),
      },
      text: table(
        ['CLIENT', 'SCOPES', 'CREATED', 'STATE'],
        clients.map(({ id, scopes, disabled, createdAt }) => [
          id,
          scopes.join(' '),
          isoTime(createdAt),
          disabled ? 'disabled' : 'enabled',
        ]),
      ),
    };
  },
});
