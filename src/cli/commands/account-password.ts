import { removePassword, setPassword } from '../../db/operator/accounts.ts';
import { ACCOUNT_CODE, accountOf, command, withEnv } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { PASSWORD_STDIN, readOrGeneratePassword } from '../secret.ts';

export const passwordCommand = command({
  command: 'password <code>',
  describe: "Change or remove an account's password; feeds require the new one within a second",
  examples: [
    ['account password COSTA', 'Generate a password, and show it'],
    ['account password COSTA --password-stdin < password.txt', 'Read it from a file'],
    ['account password COSTA --none', 'Remove it: only readers with keys of their own get the feed'],
  ],
  positionals: { code: ACCOUNT_CODE },
  options: {
    'password-stdin': PASSWORD_STDIN,
    none: { type: 'boolean', default: false, describe: "Remove the password: only readers' keys are then valid" },
  },
  async run(args, context) {
    const code = args.code.toUpperCase();
    if (args.none) {
      if (args['password-stdin']) throw usageFailure('--none and --password-stdin contradict each other.');
      await withEnv(context, args, async (env) => removePassword(env.DB, await accountOf(env, code, args)));
      return { json: { code }, text: `Removed the password of account ${code}.\n` };
    }
    const { password, generated } = await readOrGeneratePassword(args['password-stdin'], context);
    await withEnv(context, args, async (env) => setPassword(env.DB, await accountOf(env, code, args), password));
    return {
      json: { code, ...(generated ? { password } : {}) },
      text: `Changed the password of account ${code}.\n${generated ? `Password, not shown again: ${password}\n` : ''}`,
    };
  },
});
