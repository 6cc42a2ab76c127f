import { readerPolicyOf } from '../../db/accounts.ts';
import {
  createAccount,
  findAccountId,
  listAccounts,
  removePassword,
  setAccountDisabled,
  setPassword,
  setReaderPolicy,
} from '../../db/operator/accounts.ts';
import { chooseDatabase } from '../../db/operator/databases.ts';
import { changedPolicy, policyIn } from '../../portfolio/policy.ts';
import { ACCOUNT_CODE, inAccount, type Noun, toggles } from '../command/account.ts';
import { command, group, withEnv } from '../command/command.ts';
import { databasesOf } from '../command/databases.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { POLICY, policyGiven } from '../command/policy.ts';
import { table } from '../command/print.ts';
import { PASSWORD_STDIN, type Password, readOrGeneratePassword } from '../settings/secret.ts';
import { moveCommand } from './account-move.ts';
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
    const given = await readOrGeneratePassword(args['password-stdin'], context);
    await withEnv(context, args, async (env) => {
      const all = databasesOf(env);
      for (const { db } of all) if ((await findAccountId(db, code)) !== null) throw codeInUse(code);
      const { db } = await chooseDatabase(all, code);
      await createAccount(db, { code, name, ...given }).catch((error: unknown) => {
        throw String(error).includes('UNIQUE') ? codeInUse(code) : error;
      });
    });
    const { json, text } = shown(given);
    return { json: { code, name, ...json }, text: `Created account ${code}.\n${text}` };
  },
});

function codeInUse(code: string): Failure {
  return new Failure('code_in_use', `Account ${code} already exists.`);
}

/** A generated password; nothing of one that the operator has chosen. */
function shown({ password, isGenerated }: Password) {
  return isGenerated
    ? { json: { password }, text: `Password, not shown again: ${password}\n` }
    : { json: {}, text: '' };
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
    const target = { ...args, account: code };
    if (args.none) {
      if (args['password-stdin']) throw usageFailure('--none and --password-stdin contradict each other.');
      await inAccount(context, target, (env, accountId) => removePassword(env.DB, accountId));
      return { json: { code }, text: `Removed the password of account ${code}.\n` };
    }
    const given = await readOrGeneratePassword(args['password-stdin'], context);
    await inAccount(context, target, (env, accountId) => setPassword(env.DB, accountId, given));
    const { json, text } = shown(given);
    return { json: { code, ...json }, text: `Changed the password of account ${code}.\n${text}` };
  },
});

const policyCommand = command({
  command: 'policy <code>',
  describe: "Show or change what an account's new readers may see; present readers keep their policies",
  examples: [
    ['account policy COSTA --withhold commission cadastral_ref --place moved', 'New readers see moved places'],
  ],
  positionals: { code: ACCOUNT_CODE },
  options: POLICY,
  async run(args, context) {
    const code = args.code.toUpperCase();
    const given = policyGiven(args);
    const policy = await inAccount(context, { ...args, account: code }, async (env, accountId) => {
      const text = changedPolicy(await readerPolicyOf(env.DB, accountId), given);
      if (Object.keys(given).length > 0) await setReaderPolicy(env.DB, accountId, text);
      return policyIn(text);
    });
    const withheld = policy.withhold.join(', ') || 'nothing';
    return {
      json: { code, ...policy },
      text: `New readers of ${code}: withheld ${withheld}, place ${policy.place}.\n`,
    };
  },
});

const listAccountsCommand = command({
  command: 'list',
  describe: 'List the accounts with their numbers of properties',
  examples: [['account list --json', 'The accounts as a JSON document']],
  async run(args, context) {
    const accounts = await withEnv(context, args, async (env) => {
      const databases = databasesOf(env);
      if (databases.length === 1) return listAccounts(env.DB);
      const all = databases.map(async ({ name: database, db }) =>
        (await listAccounts(db)).map((account) => ({ ...account, database })),
      );
      return (await Promise.all(all)).flat().sort((a, b) => (a.code < b.code ? -1 : 1));
    });
    const rows = accounts.map(({ code, name, listed, properties, disabled, ...others }): (string | number)[] => [
      ...[code, name, listed, properties],
      disabled ? 'disabled' : 'enabled',
      ...('database' in others ? [String(others.database)] : []),
    ]);
    return {
      json: { accounts },
      text: table(['CODE', 'NAME', 'LISTED', 'PROPERTIES', 'STATE', 'DATABASE'].slice(0, rows[0]?.length ?? 5), rows),
    };
  },
});

const NOUN: Noun = {
  noun: 'account',
  field: 'code',
  example: 'COSTA',
  positional: ACCOUNT_CODE,
  stored: (code) => code.toUpperCase(),
};

export const account = group('account', 'Manage accounts: one for each agency', [
  createAccountCommand,
  passwordCommand,
  policyCommand,
  listAccountsCommand,
  ...toggles(
    NOUN,
    {
      disable: 'Disable an account: its feeds and tokens within a second, unit updates within a minute; its data stay',
      enable: 'Enable a disabled account',
    },
    async (env, accountId, _, disabled) => {
      await setAccountDisabled(env.DB, accountId, disabled);
      return true;
    },
  ),
  accountReport,
  moveCommand,
]);
