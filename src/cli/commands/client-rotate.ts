import { setClientSecret } from '../../db/operator/clients.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { noClient } from '../no-client.ts';
import { newSecret } from '../secret.ts';
import { CLIENT } from './client-disable.ts';

export const rotateClient = command({
  command: 'rotate <client>',
  describe: 'Replace the secret of a client, and show the new one once; the old one is rejected immediately',
  examples: [['client rotate crm --account COSTA', 'Replace the secret of the client crm']],
  positionals: { client: CLIENT },
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
