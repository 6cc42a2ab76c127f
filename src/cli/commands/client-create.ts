import { randomBytes } from 'node:crypto';
import { findClient } from '../../db/clients.ts';
import { createClient } from '../../db/operator/clients.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { newSecret } from '../secret.ts';

export const createClientCommand = command({
  command: 'create',
  describe: 'Make a client for an account, and show its secret once',
  examples: [
    ['client create --account COSTA', 'A client that may read and write units'],
    ['client create --account COSTA --id crm --scope units:read', 'One named crm that may only read them'],
  ],
  options: {
    account: ACCOUNT,
    id: { type: 'string', requiresArg: true, describe: 'Its identifier; one is made up without it' },
    scope: {
      type: 'string',
      array: true,
      requiresArg: true,
      choices: SCOPES,
      describe: 'What its tokens may be for; for all of these without it',
    },
  },
  async run(args, context) {
    const code = args.account.toUpperCase();
    const id = args.id ?? `${code.toLowerCase()}-${randomBytes(4).toString('hex')}`;
    // RFC 6749 appendix A.1; a colon would end the name in HTTP Basic.
    if (!/^[\x20-\x39\x3b-\x7e]{1,100}$/.test(id)) {
      throw new Failure('usage', 'An identifier has 1 to 100 printable characters of ASCII, and no colon.', EXIT.usage);
    }
    const secret = newSecret();
    const scopes = SCOPES.filter((scope) => args.scope?.includes(scope) ?? true);
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, code, args);
      if ((await findClient(env.DB, id)) !== null) throw inUse(id);
      await createClient(env.DB, { id, accountId, secret, scopes }).catch((error: unknown) => {
        throw String(error).includes('UNIQUE') ? inUse(id) : error;
      });
    });
    return {
      json: { account: code, client_id: id, client_secret: secret, scopes },
      text: `client_id:     ${id}\nclient_secret: ${secret}\nThe secret is not shown again.\n`,
    };
  },
});

function inUse(id: string): Failure {
  return new Failure('client_in_use', `There is a client ${id} already.`);
}
