import { setPassword } from '../../db/operator/accounts.ts';
import { ACCOUNT_CODE, accountOf, command, withEnv } from '../command.ts';
import { PASSWORD_STDIN, readOrGeneratePassword } from '../secret.ts';

export const passwordCommand = command({
  command: 'password <code>',
  describe: "Change an account's password; feeds require the new one within a second",
  examples: [
    ['account password COSTA', 'Generate a password, and show it'],
    ['account password COSTA --password-stdin < password.txt', 'Read it from a file'],
  ],
  positionals: { code: ACCOUNT_CODE },
  options: { 'password-stdin': PASSWORD_STDIN },
  async run(args, context) {
    const { password, generated } = await readOrGeneratePassword(args['password-stdin'], context);
    const code = args.code.toUpperCase();
    await withEnv(context, args, async (env) => setPassword(env.DB, await accountOf(env, code, args), password));
    return {
      json: { code, ...(generated ? { password } : {}) },
      text: `Changed the password of account ${code}.\n${generated ? `Password, not shown again: ${password}\n` : ''}`,
    };
  },
});
