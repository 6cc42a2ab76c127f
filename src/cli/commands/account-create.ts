import { createAccount, findAccountId } from '../../db/operator/accounts.ts';
import { command, withEnv } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { PASSWORD_STDIN, passwordFor } from '../secret.ts';

export const createAccountCommand = command({
  command: 'create <code>',
  describe: 'Open an account',
  examples: [
    ['account create COSTA --name "Costa Sur"', 'Open COSTA, and show the password that is made up for it'],
    ['account create COSTA --password-stdin --remote < password.txt', 'Open it on the deployed database'],
  ],
  positionals: {
    code: {
      type: 'string',
      demandOption: true,
      describe: "The agency's code: 1 to 40 letters, digits, dots, underscores or hyphens",
    },
  },
  options: {
    name: { type: 'string', requiresArg: true, describe: "The agency's name; the code without one" },
    'password-stdin': PASSWORD_STDIN,
  },
  async run(args, context) {
    const code = args.code.toUpperCase();
    const name = args.name ?? code;
    if (!/^[A-Z0-9._-]{1,40}$/.test(code)) {
      throw new Failure(
        'usage',
        `${args.code} is no code: 1 to 40 letters, digits, dots, underscores or hyphens.`,
        EXIT.usage,
      );
    }
    if ([...name].length < 1 || [...name].length > 200) {
      throw new Failure('usage', 'The name must have 1 to 200 characters.', EXIT.usage);
    }
    const { password, madeUp } = await passwordFor(args['password-stdin'], context);
    await withEnv(context, args, async (env) => {
      if ((await findAccountId(env.DB, code)) !== null) throw inUse(code);
      await createAccount(env.DB, { code, name, password }).catch((error: unknown) => {
        throw String(error).includes('UNIQUE') ? inUse(code) : error;
      });
    });
    return {
      json: { code, name, ...(madeUp ? { password } : {}) },
      text: `Opened ${code}.\n${madeUp ? `Its password, which is not shown again: ${password}\n` : ''}`,
    };
  },
});

function inUse(code: string): Failure {
  return new Failure('code_in_use', `There is an account ${code} already.`);
}
