import { setClientDisabled } from '../../db/operator/clients.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noClient } from '../no-client.ts';

/** The positional argument that names a client. */
export const CLIENT = { type: 'string', demandOption: true, describe: "The client's id" } as const;

export const disableClient = toggle('disable', true, 'Disable a client; its tokens are rejected within a minute');

export const enableClient = toggle('enable', false, 'Enable a disabled client');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <client>`,
    describe,
    examples: [[`client ${verb} crm --account COSTA`, `${verb === 'disable' ? 'Disable' : 'Enable'} the client crm`]],
    positionals: { client: CLIENT },
    options: { account: ACCOUNT },
    async run(args, context) {
      await withEnv(context, args, async (env) => {
        const accountId = await accountOf(env, args.account, args);
        if (!(await setClientDisabled(env.DB, accountId, args.client, disabled))) throw noClient(args);
      });
      return { json: { client_id: args.client, disabled }, text: `Client ${args.client} is ${verb}d.\n` };
    },
  });
}
