import { createAccount, findAccountId } from '../../db/operator/accounts.ts';
import { command, withEnv } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import { PASSWORD_STDIN, readOrGeneratePassword } from '../secret.ts';

const CODE = /^[A-Z0-9._-]{1,40}$/;
const CODE_RULE = '1 to 40 letters, digits, dots, underscores or hyphens';
const MAX_NAME = 200;

export const createAccountCommand = command({
  command: 'create <code>',
  describe: 'Create an account',
  examples: [
    ['account create COSTA --name "Costa Sur"', 'Create COSTA with a generated password, and show it'],
    ['account create COSTA --password-stdin --remote < password.txt', 'Create it in the deployed database'],
  ],
  positionals: {
    code: { type: 'string', demandOption: true, describe: `The account's code: ${CODE_RULE}` },
  },
  options: {
    name: { type: 'string', requiresArg: true, describe: "The agency's name; the code by default" },
    'password-stdin': PASSWORD_STDIN,
  },
  async run(args, context) {
    const code = args.code.toUpperCase();
    const name = args.name ?? code;
    if (!CODE.test(code)) throw usageFailure(`Invalid account code: "${args.code}". It must be ${CODE_RULE}.`);
    if ([...name].length < 1 || [...name].length > MAX_NAME) {
      throw usageFailure(`--name must have 1 to ${MAX_NAME} characters.`);
    }
    const { password, generated } = await readOrGeneratePassword(args['password-stdin'], context);
    await withEnv(context, args, async (env) => {
      if ((await findAccountId(env.DB, code)) !== null) throw codeInUse(code);
      await createAccount(env.DB, { code, name, password }).catch((error: unknown) => {
        throw String(error).includes('UNIQUE') ? codeInUse(code) : error;
      });
    });
    return {
      json: { code, name, ...(generated ? { password } : {}) },
      text: `Created account ${code}.\n${generated ? `Password, not shown again: ${password}\n` : ''}`,
    };
  },
});

function codeInUse(code: string): Failure {
  return new Failure('code_in_use', `Account ${code} already exists.`);
}
