import { setClientDisabled } from '../../db/operator/clients.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noClient } from '../no-client.ts';

export const disableClient = toggle('disable', true, 'Refuse a client; its tokens stop within a minute');

export const enableClient = toggle('enable', false, 'Serve a disabled client again');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <client>`,
    describe,
    examples: [[`client ${verb} crm --account COSTA`, describe]],
    positionals: { client: { type: 'string', demandOption: true, describe: "The client's identifier" } },
    options: { account: ACCOUNT },
    async run(args, context) {
      await withEnv(context, args, async (env) => {
        const accountId = await accountOf(env, args.account, args);
        if (!(await setClientDisabled(env.DB, accountId, args.client, disabled))) throw noClient(args);
      });
      return { json: { client_id: args.client, disabled }, text: `${args.client} is ${verb}d.\n` };
    },
  });
}
