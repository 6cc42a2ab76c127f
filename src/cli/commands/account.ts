import {
  createAccount,
  findAccountId,
  listAccounts,
  removePassword,
  setAccountDisabled,
  setPassword,
} from '../../db/operator/accounts.ts';
import { ACCOUNT_CODE, accountOf, command, group, withEnv } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { table } from '../command/print.ts';
import { PASSWORD_STDIN, readOrGeneratePassword } from '../settings/secret.ts';
import { accountReport } from './account-report.ts';

const CODE = /^[A-Z0-9._-]{1,40}$/;
const CODE_RULE = '1 to 40 letters, digits, dots, underscores or hyphens';
const MAX_NAME = 200;

const createAccountCommand = command({
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

const passwordCommand = command({
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

const listAccountsCommand = command({
  command: 'list',
  describe: 'List the accounts with their numbers of properties',
  examples: [['account list --json', 'The accounts as a JSON document']],
  async run(args, context) {
    const accounts = await withEnv(context, args, (env) => listAccounts(env.DB));
    return {
      json: { accounts },
      text: table(
        ['CODE', 'NAME', 'LISTED', 'PROPERTIES', 'STATE'],
        accounts.map(({ code, name, listed, properties, disabled }) => [
          code,
          name,
          listed,
          properties,
          disabled ? 'disabled' : 'enabled',
        ]),
      ),
    };
  },
});

const disableAccount = toggle(
  'disable',
  true,
  'Disable an account: its feeds and tokens within a second, unit updates within a minute; its data stay',
);

const enableAccount = toggle('enable', false, 'Enable a disabled account');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <code>`,
    describe,
    examples: [[`account ${verb} COSTA`, `${verb === 'disable' ? 'Disable' : 'Enable'} the account COSTA`]],
    positionals: { code: ACCOUNT_CODE },
    async run(args, context) {
      const code = args.code.toUpperCase();
      await withEnv(context, args, async (env) =>
        setAccountDisabled(env.DB, await accountOf(env, code, args), disabled),
      );
      return { json: { code, disabled }, text: `Account ${code} is ${verb}d.\n` };
    },
  });
}

export const account = group('account', 'Manage accounts: one for each agency', [
  createAccountCommand,
  passwordCommand,
  listAccountsCommand,
  disableAccount,
  enableAccount,
  accountReport,
]);
