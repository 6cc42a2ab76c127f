import { setPassword } from '../../db/operator/accounts.ts';
import { accountOf, command, withEnv } from '../command.ts';
import { PASSWORD_STDIN, passwordFor } from '../secret.ts';

export const passwordCommand = command({
  command: 'password <code>',
  describe: 'Give an account another password; feeds ask for it within a second',
  examples: [
    ['account password COSTA', 'Show the password that is made up for it'],
    ['account password COSTA --password-stdin < password.txt', 'Take it from a file'],
  ],
  positionals: { code: { type: 'string', demandOption: true, describe: "The account's code" } },
  options: { 'password-stdin': PASSWORD_STDIN },
  async run(args, context) {
    const { password, madeUp } = await passwordFor(args['password-stdin'], context);
    const code = args.code.toUpperCase();
    await withEnv(context, args, async (env) => setPassword(env.DB, await accountOf(env, code, args), password));
    return {
      json: { code, ...(madeUp ? { password } : {}) },
      text: `${code} has another password${madeUp ? `, which is not shown again: ${password}` : '.'}\n`,
    };
  },
});
