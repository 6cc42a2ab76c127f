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
import { accountCommand, toggles } from '../command/account.ts';
import { command, group, withEnv } from '../command/command.ts';
import { databasesOf } from '../command/databases.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, POSITIONALS, text } from '../command/options.ts';
import { POLICY, policyGiven } from '../command/policy.ts';
import { list } from '../command/print.ts';
import { PASSWORD_STDIN, type Password, readOrGeneratePassword } from '../settings/secret.ts';
import { moveCommand } from './account-move.ts';
import { accountReport } from './account-report.ts';

const CODE = /^[A-Z0-9._-]{1,40}$/;
const MAX_NAME = 200;

/** A generated password; nothing of one that the operator has chosen. */
function shown({ password, isGenerated }: Password) {
  return isGenerated
    ? { json: { password }, text: `Password, not shown again: ${password}\n` }
    : { json: {}, text: '' };
}

export const account = group('account', 'Manage accounts: one for each agency', [
  command({
    command: 'create <code>',
    describe: 'Create an account',
    options: { name: text("The agency's name; the code by default"), 'password-stdin': PASSWORD_STDIN },
    async run(args, context) {
      const code = args.code.toUpperCase();
      const name = args.name ?? code;
      if (!CODE.test(code)) throw usageFailure(`Invalid account code: "${args.code}". ${POSITIONALS.code}.`);
      if (name === '' || [...name].length > MAX_NAME)
        throw usageFailure(`--name must have 1 to ${MAX_NAME} characters.`);
      const given = await readOrGeneratePassword(args['password-stdin'], context);
      const inUse = new Failure('code_in_use', `Account ${code} already exists.`);
      await withEnv(context, args, async (env) => {
        const all = databasesOf(env);
        for (const { db } of all) if ((await findAccountId(db, code)) !== null) throw inUse;
        const { db } = await chooseDatabase(all, code);
        await createAccount(db, { code, name, ...given }).catch((error: unknown) => {
          throw String(error).includes('UNIQUE') ? inUse : error;
        });
      });
      const { json, text } = shown(given);
      return { json: { code, name, ...json }, text: `Created account ${code}.\n${text}` };
    },
  }),
  accountCommand({
    command: 'password <code>',
    describe: "Change or remove an account's password; feeds require the new one within a second",
    options: {
      'password-stdin': PASSWORD_STDIN,
      none: flag("Remove the password: only readers' keys are then valid"),
    },
    async run(args, { db, accountId, code, context }) {
      if (args.none) {
        if (args['password-stdin']) throw usageFailure('--none and --password-stdin contradict each other.');
        await removePassword(db, accountId);
        return { json: { code }, text: `Removed the password of account ${code}.\n` };
      }
      const given = await readOrGeneratePassword(args['password-stdin'], context);
      await setPassword(db, accountId, given);
      const { json, text } = shown(given);
      return { json: { code, ...json }, text: `Changed the password of account ${code}.\n${text}` };
    },
  }),
  accountCommand({
    command: 'policy <code>',
    describe: "Show or change what an account's new readers may see; present readers keep their policies",
    options: POLICY,
    async run(args, { db, accountId, code }) {
      const given = policyGiven(args);
      const changed = changedPolicy(await readerPolicyOf(db, accountId), given);
      if (Object.keys(given).length > 0) await setReaderPolicy(db, accountId, changed);
      const policy = policyIn(changed);
      const withheld = policy.withhold.join(', ') || 'nothing';
      return {
        json: { code, ...policy },
        text: `New readers of ${code}: withheld ${withheld}, place ${policy.place}.\n`,
      };
    },
  }),
  command({
    command: 'list',
    describe: 'List the accounts with their numbers of properties',
    async run(args, context) {
      const databases = await withEnv(context, args, async (env) =>
        Promise.all(databasesOf(env).map(async ({ name, db }) => ({ name, accounts: await listAccounts(db) }))),
      );
      const isOne = databases.length === 1;
      const accounts = databases.flatMap(({ name: database, accounts }) =>
        accounts.map((account) => (isOne ? account : { ...account, database })),
      );
      accounts.sort((a, b) => (a.code < b.code ? -1 : 1));
      return list('accounts', accounts, {
        CODE: ({ code }) => code,
        NAME: ({ name }) => name,
        LISTED: ({ listed }) => listed,
        PROPERTIES: ({ properties }) => properties,
        STATE: ({ disabled }) => (disabled ? 'disabled' : 'enabled'),
        ...(isOne ? {} : { DATABASE: (account) => ('database' in account ? account.database : '') }),
      });
    },
  }),
  ...toggles({
    ...{ noun: 'account', argument: 'code', field: 'code', stored: (code) => code.toUpperCase() },
    describe: 'Disable an account: its feeds and tokens within a second, unit updates within a minute; its data stay',
    async set({ db, accountId }, _, disabled) {
      await setAccountDisabled(db, accountId, disabled);
      return true;
    },
  }),
  accountReport,
  moveCommand,
]);
