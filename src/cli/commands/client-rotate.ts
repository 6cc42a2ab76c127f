import { setClientSecret } from '../../db/operator/clients.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noClient } from '../no-client.ts';
import { newSecret } from '../secret.ts';

export const rotateClient = command({
  command: 'rotate <client>',
  describe: 'Give a client another secret, and show it once; the one before is refused from then on',
  examples: [['client rotate crm --account COSTA', 'Another secret for the client crm']],
  positionals: { client: { type: 'string', demandOption: true, describe: "The client's identifier" } },
  options: { account: ACCOUNT },
  async run(args, context) {
    const secret = newSecret();
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      if (!(await setClientSecret(env.DB, accountId, args.client, secret))) throw noClient(args);
    });
    return {
      json: { client_id: args.client, client_secret: secret },
      text: `client_id:     ${args.client}\nclient_secret: ${secret}\nThe secret is not shown again.\n`,
    };
  },
});
