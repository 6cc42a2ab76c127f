import { listAccounts } from '../../db/operator/accounts.ts';
import {
  brokenReferences,
  damage,
  foreignFeatures,
  missingSegments,
  spaceUsed,
  unitsBeyondAscii,
} from '../../db/operator/inspect.ts';
import { appliedMigrations } from '../../db/operator/migrations.ts';
import { listSnapshots } from '../../db/operator/snapshot-list.ts';
import type { Env } from '../../env.ts';
import { describeError } from '../../lib/log.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
import { PROGRAM } from '../command/command.ts';
import type { Target } from '../command/context.ts';
import { failureIn } from '../command/failure.ts';
import { count } from '../command/print.ts';
import { pendingMigrations, readMigrations } from '../platform/migrations.ts';
import { SESSION_KEY } from '../settings/generated.ts';
import { SIGNING_KEYS } from '../settings/signing-keys.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, unless it is ok. */
  readonly remedy?: string;
}

/** What is checked besides the bindings. */
export interface Project {
  /** The folder of the migrations. */
  readonly migrations: string;
  readonly target: Target;
  /** The names of the deployed Worker's secrets. */
  secrets(): Promise<readonly string[]>;
}

/** Checks bindings, migrations, keys and data. The data are only checked if the migrations are applied. */
export async function examine(env: Env, project: Project): Promise<Finding[]> {
  const check = (name: string, work: () => Promise<Result>) => attempt(name, project.target, work);
  const migrations = await check('migrations', () => checkMigrations(env.DB, project));
  const findings = [
    await check('bindings', () => checkBindings(env)),
    migrations,
    await check('keys', () => checkKeys(env, project)),
    await check('session key', () => checkSessionKey(env, project)),
  ];
  if (!migrations.ok) return findings;
  return [
    ...findings,
    ...(await Promise.all(dataChecks(project.target).map(([name, work]) => check(name, () => work(env.DB))))),
    await check('snapshots', () => checkSnapshots(env)),
    await check('space', () => checkSpace(env.DB)),
  ];
}

type Result = Omit<Finding, 'check'>;

async function attempt(check: string, target: Target, work: () => Promise<Result>): Promise<Finding> {
  try {
    return { check, ...(await work()) };
  } catch (error) {
    const failure = failureIn(error);
    const remedy = failure?.code === 'database_unusable' ? restore(target) : 'Try again later.';
    return { check, ok: false, detail: failure?.message ?? describeError(error), remedy };
  }
}

async function checkBindings(env: Env): Promise<Result> {
  const missing = (['DB', 'SNAPSHOTS'] as const).filter((name) => env[name] === undefined);
  const problems = missing.map((name) => `${name} is not bound`);
  return resultOf(problems, 'DB and SNAPSHOTS are bound', 'Restore the bindings in wrangler.toml.');
}

async function checkMigrations(db: D1Database, project: Project): Promise<Result> {
  const migrations = await readMigrations(project.migrations);
  const applied = await appliedMigrations(db);
  const pending = pendingMigrations(migrations, applied).map(({ name }) => name);
  if (pending.length > 0) {
    return {
      ok: false,
      detail: `not applied: ${pending.join(', ')}`,
      remedy: project.target.remote
        ? 'Deploy: npm run deploy'
        : `Set up: npm run setup -- --persist-to ${project.target.persistTo}`,
    };
  }
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    return {
      ok: false,
      detail: `applied, but not in ${project.migrations}: ${unknown.join(', ')}`,
      remedy: 'The database is newer than this checkout: update the checkout.',
    };
  }
  return { ok: true, detail: `${count(migrations.length, 'migration')} applied` };
}

async function checkKeys(env: Env, { target, secrets }: Project): Promise<Result> {
  if (target.remote) {
    if ((await secrets()).includes(SIGNING_KEYS)) return { ok: true, detail: `${SIGNING_KEYS} is set` };
    return { ok: false, detail: `${SIGNING_KEYS} is not set`, remedy: `Create keys: ${PROGRAM} key new --remote` };
  }
  try {
    const { published } = await ownKeys(env.SIGNING_KEYS);
    return { ok: true, detail: `${count(published.keys.length, 'key')}, the first of which signs` };
  } catch (error) {
    return { ok: false, detail: (error as Error).message, remedy: `Replace the keys: ${PROGRAM} key new --force` };
  }
}

/** The console is not served without a secret that signs its sessions. */
async function checkSessionKey(env: Env, { target, secrets }: Project): Promise<Result> {
  const exists = target.remote ? (await secrets()).includes(SESSION_KEY) : Boolean(env.SESSION_KEY);
  if (exists) return { ok: true, detail: `${SESSION_KEY} is set` };
  return {
    ok: false,
    detail: `${SESSION_KEY} is not set`,
    remedy: `Run: npm run ${target.remote ? 'deploy' : 'setup'}`,
  };
}

/** Checks of the data: what is wrong, the first of several in detail, and what to do about it. */
function dataChecks(target: Target): [name: string, (db: D1Database) => Promise<Result>][] {
  return [
    ['database file', async (db) => resultOf(await damage(db), 'intact', restore(target))],
    [
      'references',
      async (db) => {
        const broken = (await brokenReferences(db)).map(
          ({ rowid, table, parent }) => `row ${rowid} of ${table} references a missing row of ${parent}`,
        );
        return resultOf(broken, 'no broken foreign keys', restore(target));
      },
    ],
    [
      'segments',
      async (db) => {
        const missing = (await missingSegments(db)).map(
          ({ account, segment }) => `account ${account} has no segment ${segment}, so feeds omit its properties`,
        );
        const remedy = 'Export the account and import it into a new one, or restore the database.';
        return resultOf(missing, 'every property is in a segment', remedy);
      },
    ],
    [
      'features',
      async (db) => {
        const foreign = (await foreignFeatures(db)).map(
          ({ property, account, feature }) =>
            `property ${property} of ${account} has feature ${feature}, which the account does not have`,
        );
        return resultOf(foreign, 'every property has features of its own account only', 'Import the property again.');
      },
    ],
    [
      'unit names',
      async (db) => {
        const unfound = (await unitsBeyondAscii(db))
          .filter(({ name }) => name !== name.normalize('NFC'))
          .map(
            ({ name, account, development }) =>
              `unit ${name} of account ${account}, development ${development}, is not in NFC, so no update finds it`,
          );
        return resultOf(unfound, 'all in Unicode NFC', 'Delete the unit, and import it again with its name in NFC.');
      },
    ],
  ];
}

/** @param problems a description of each */
function resultOf([first, ...more]: readonly string[], good: string, remedy: string): Result {
  if (first === undefined) return { ok: true, detail: good };
  return { ok: false, detail: more.length === 0 ? first : `${first}; and ${more.length} more`, remedy };
}

function restore({ remote, persistTo }: Target): string {
  return remote
    ? 'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help'
    : `Restore ${persistTo} from a backup, or delete it and run: npm run setup`;
}

/** Reads D1 and KV. Differences are normal: KV may lose an entry, and the daily sweep deletes expired rows. */
async function checkSnapshots(env: Env): Promise<Result> {
  await env.SNAPSHOTS.list({ limit: 1 });
  let [snapshots, bytes] = [0, 0];
  for (const { id } of await listAccounts(env.DB)) {
    for (const snapshot of await listSnapshots(env.DB, id)) {
      snapshots++;
      bytes += snapshot.bytes;
    }
  }
  return { ok: true, detail: `${count(snapshots, 'snapshot')}, ${megabytes(bytes)} in KV` };
}

/** Accounts that are named as using the most space. */
const LARGEST_ACCOUNTS = 5;

async function checkSpace(db: D1Database): Promise<Result> {
  const { bytes, tables, accounts } = await spaceUsed(db);
  const largest = tables
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((table) => `${table.name} ${megabytes(table.bytes)} in ${count(table.rows, 'row')}`);
  const users = accounts
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST_ACCOUNTS)
    .map((account) => `${account.code} ${megabytes(account.bytes)}`);
  const byAccount = users.length === 0 ? '' : `. Largest accounts: ${users.join(', ')}`;
  return { ok: true, detail: `${megabytes(bytes)}. Largest tables: ${largest.join(', ')}${byAccount}` };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
