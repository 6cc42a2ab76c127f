import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { findAccountId, readSetting, updateAccount } from '../../accounts/accounts.ts';
import { recordActivity } from '../../accounts/activity.ts';
import { writeReportSettings } from '../../accounts/overview.ts';
import { invite, MAX_PERSON_NAME, ROLES } from '../../accounts/people.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { json } from '../../api/requests.ts';
import { body, error, errors, ok } from '../../api/responses.ts';
import { createRoute } from '../../api/router.ts';
import { namedObject, namedStrictObject } from '../../api/schemas.ts';
import { isInserted } from '../../db/statements.ts';
import { isReaderKey } from '../../feed/request/credentials.ts';
import { unmatchablePassword } from '../../lib/secrets/secrets.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { because, message } from '../../messages/messages.ts';
import { matching } from '../../messages/parsed.ts';
import { fieldError, invalidFields, ProblemError } from '../../problem.ts';
import { isVisible } from '../../properties/checks.ts';
import { changedPolicy, PLACES, policyIn, WITHHOLDABLE } from '../../readers/policy.ts';
import { RULES } from '../../rules/all.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import { loadAccountState } from '../../rules/report/account-state.ts';
import {
  accountNamed,
  changeableAccount,
  databasesOf,
  type FoundAccount,
  firstOf,
  type OperatorContext,
} from '../access.ts';
import {
  type ChosenPassword,
  createAccount,
  listAccounts,
  readAccount,
  setPassword,
} from '../accounts.ts';
import { chooseDatabase } from '../databases.ts';
import { isOpen } from '../operations.ts';
import { deleteOldCopy } from '../run.ts';
import {
  byAccount,
  isNoDot,
  MAX_BYTES,
  NO_ACCOUNT,
  OPERATOR,
  OPERATOR_ERRORS,
  operator,
  printable,
} from './api.ts';

const code = matching(/^[A-Za-z0-9._-]{1,40}$/, 'not_account_code').refine(
  isNoDot,
  because('only_dots'),
);

const password = z
  .string()
  .refine(isVisible, because('blank'))
  .refine((text) => !isReaderKey(text), because('is_reader_key'))
  .refine((text) => !/\p{Cc}/u.test(text), because('has_control_characters'))
  .optional()
  .describe('Generated unless given.');

const policy = z.strictObject({
  withhold: z.array(z.enum(WITHHOLDABLE as [string, ...string[]])),
  place: z.enum(PLACES),
});

const report = z.strictObject({
  portals: z.array(z.enum(Object.keys(PORTALS) as [Portal, ...Portal[]])),
  muted: z.array(z.enum(RULES.map((rule) => rule.code) as [string, ...string[]])),
});

const summary = {
  code: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  database: z.string().describe('The binding of the database that it is in.'),
};

const listed = namedObject('OperatorAccounts', {
  accounts: z.array(
    z.object({ ...summary, properties: z.int(), listed: z.int().describe('How many feeds show.') }),
  ),
});

const state = namedObject('OperatorAccount', {
  ...summary,
  policy: policy.describe('What its new readers may see.'),
  report: report.describe('The portals that it uses, and the rules that its reports hide.'),
});

const withPassword = namedObject('OperatorAccountCreated', {
  code: z.string(),
  name: z.string(),
  password: z.string().optional().describe('Only if it was generated; not shown again.'),
});

const getAccounts = createRoute({
  method: 'get',
  path: '/v1/operator/accounts',
  operationId: 'listAccounts',
  summary: 'List all accounts',
  ...OPERATOR,
  responses: {
    200: ok(listed, 'The accounts of all databases, by their codes.'),
    ...errors(OPERATOR_ERRORS),
  },
});

operator.openapi(getAccounts, async (c) => {
  const all = await Promise.all(
    databasesOf(c.env).map(async ({ name: database, db }) =>
      (await listAccounts(db)).map(({ id: _, ...account }) => ({ ...account, database })),
    ),
  );
  const accounts = all.flat().sort((a, b) => (a.code < b.code ? -1 : 1));
  return c.json({ accounts }, 200, REVALIDATED);
});

const newAccount = namedStrictObject('NewAccount', {
  code,
  name: printable(200).optional(),
  password,
});

const postAccount = createRoute({
  method: 'post',
  path: '/v1/operator/accounts',
  operationId: 'createAccount',
  summary: 'Create an account',
  description: 'It goes to the database with the most room.',
  ...OPERATOR,
  request: {
    body: json(newAccount, MAX_BYTES, {
      created: { code: 'costa', name: 'Costa Sur', password: 'chosen' },
    }),
  },
  responses: {
    201: ok(withPassword, 'The account, with its password if that was generated.', {
      headers: ['Location'],
    }),
    ...errors(
      OPERATOR_ERRORS,
      body(MAX_BYTES),
      error(
        'account_in_use',
        'there is an account with this code.',
        'There is an account DEMO already.',
      ),
    ),
  },
});

operator.openapi(postAccount, async (c) => {
  const { env } = c;
  const { code: given, name, password } = c.req.valid('json');
  const code = given.toUpperCase();
  const inUse = new ProblemError({
    code: 'account_in_use',
    detail: `There is an account ${code} already.`,
  });
  const all = databasesOf(env);
  for (const { db } of all) if ((await findAccountId(db, code)) !== null) throw inUse;
  if (await isOpen(firstOf(env).DB, code, 'delete')) throw inUse;
  // A restore may have undone the account, but not the copy that its move has left.
  if (!(await deleteOldCopy(all, code))) throw inUse;
  const { db } = await chooseDatabase(all, code);
  const made = chosenOrGenerated(password);
  if (!(await isInserted(createAccount(db, { code, name: name ?? code, ...made })))) throw inUse;
  const headers = { ...NOT_CACHED, Location: `/v1/operator/accounts/${code}` };
  return c.json({ code, name: name ?? code, ...shown(made) }, 201, headers);
});

const getAccount = createRoute({
  method: 'get',
  path: '/v1/operator/accounts/{account}',
  operationId: 'getAccount',
  summary: 'Get an account',
  ...OPERATOR,
  request: { params: byAccount },
  responses: { 200: ok(state, 'The account.'), ...errors(OPERATOR_ERRORS, NO_ACCOUNT) },
});

operator.openapi(getAccount, async (c) => {
  const found = await accountNamed(c.env, c.req.valid('param').account);
  return c.json(await stateOf(found), 200, REVALIDATED);
});

const accountChange = namedStrictObject('AccountChange', {
  disabled: z.boolean().optional(),
  policy: policy.partial().optional(),
  report: report.partial().optional(),
});

const changeAccount = createRoute({
  method: 'patch',
  path: '/v1/operator/accounts/{account}',
  operationId: 'changeAccount',
  summary: 'Change an account',
  description:
    'A disabled account has no feeds, tokens or sessions within a second; its data stay. The ' +
    'policy is that of new readers.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(accountChange, MAX_BYTES, { changed: { policy: { place: 'exact' } } }),
  },
  responses: {
    200: ok(state, 'The account as it is now.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT, body(MAX_BYTES)),
  },
});

operator.openapi(changeAccount, async (c) => {
  const { disabled, policy, report } = c.req.valid('json');
  const found = await changeableAccount(c.env, c.req.valid('param').account);
  const { DB } = found.env;
  if (disabled !== undefined) await updateAccount(DB, found.id, { disabled });
  if (policy !== undefined) {
    const changed = changedPolicy(await readSetting(DB, found.id, 'policy'), policy);
    await updateAccount(DB, found.id, { policy: changed });
  }
  if (report !== undefined) {
    const { settings } = await loadAccountState(DB, found.id);
    const { portals = settings.portals, muted = settings.muted } = report;
    await writeReportSettings(DB, found.id, {
      portals: [...new Set(portals)],
      muted: [...new Set(muted)],
    });
  }
  return c.json(await stateOf(found), 200, NOT_CACHED);
});

const passwordChange = namedStrictObject('PasswordChange', {
  password,
  remove: z.boolean().default(false),
});

const setAccountPassword = createRoute({
  method: 'post',
  path: '/v1/operator/accounts/{account}/password',
  operationId: 'setAccountPassword',
  summary: 'Set or remove the password of an account',
  description:
    'Feeds require the new one within a second. Without one, only the keys of readers are valid.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(passwordChange, MAX_BYTES, { changed: { password: 'demo' } }),
  },
  responses: {
    200: ok(withPassword, 'The account, with its password if that was generated.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT, body(MAX_BYTES)),
  },
});

operator.openapi(setAccountPassword, async (c) => {
  const { password, remove } = c.req.valid('json');
  if (remove && password !== undefined) {
    throw new ProblemError(invalidFields([fieldError('/remove', message('removes_and_sets'))]));
  }
  const found = await changeableAccount(c.env, c.req.valid('param').account);
  const made = chosenOrGenerated(password);
  if (remove) await updateAccount(found.env.DB, found.id, { password: unmatchablePassword() });
  else await setPassword(found.env.DB, found.id, made);
  const { name } = await stateOf(found);
  return c.json({ code: found.code, name, ...(remove ? {} : shown(made)) }, 200, NOT_CACHED);
});

const invitation = namedStrictObject('Invitation', {
  name: printable(MAX_PERSON_NAME),
  role: z.enum(ROLES).default('owner'),
});

const invited = namedObject('Invited', {
  name: z.string(),
  role: z.enum(ROLES),
  link: z.string(),
});

const invitePerson = createRoute({
  method: 'post',
  path: '/v1/operator/accounts/{account}/invitations',
  operationId: 'invitePerson',
  summary: 'Invite a person to the console',
  description:
    'A new person, or one who has lost the password. The link is valid once, for seven days.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(invitation, MAX_BYTES, { invited: { name: 'Ana', role: 'owner' } }),
  },
  responses: {
    201: ok(invited, 'The link.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT, body(MAX_BYTES)),
  },
});

operator.openapi(invitePerson, async (c) => {
  const { name, role } = c.req.valid('json');
  const { env, id, code } = await changeableAccount(c.env, c.req.valid('param').account);
  const token = await invite(env.DB, id, { name, role }, nowInSeconds());
  if (token === null) {
    const only = message('last_owner', { name, account: code });
    throw new ProblemError(invalidFields([fieldError('/role', only)]));
  }
  await recordActivity(env.DB, id, {
    person: 'lindero',
    action: 'person.invited',
    subject: name,
  });
  const link = `${originOf(c)}/invitation?account=${code}&token=${token}`;
  return c.json({ name, role, link }, 201, NOT_CACHED);
});

/** The address at which people reach the service. */
function originOf({ env, req }: OperatorContext): string {
  return env.PUBLIC_ORIGIN || new URL(req.url).origin;
}

/** A password that somebody has chosen, or one of 120 random bits: a digest is enough to store that. */
function chosenOrGenerated(chosen: string | undefined): ChosenPassword {
  const isGenerated = chosen === undefined;
  return { password: chosen ?? randomBytes(15).toString('base64url'), isGenerated };
}

/** What is shown of a password: nothing of one that the operator has chosen. */
function shown({ password, isGenerated }: ChosenPassword) {
  return isGenerated ? { password } : {};
}

async function stateOf({ env, id, code }: FoundAccount) {
  const [account, { settings }] = await Promise.all([
    readAccount(env.DB, id),
    loadAccountState(env.DB, id),
  ]);
  const { withhold, place } = policyIn(account!.policy);
  return {
    code,
    name: account!.name,
    disabled: account!.disabled,
    database: env.DATABASE ?? 'DB',
    policy: { withhold: [...withhold], place },
    report: { portals: [...settings.portals], muted: [...settings.muted] },
  };
}
