import { entriesOf, type NamedDatabase, readDirectory, sizeOf } from '../../db/operator/databases.ts';
import {
  brokenReferences,
  damage,
  databaseBytes,
  foreignFeatures,
  missingSegments,
  unitsBeyondAscii,
} from '../../db/operator/inspect.ts';
import { appliedMigrations } from '../../db/operator/migrations.ts';
import type { Env } from '../../env.ts';
import { describeError } from '../../lib/log.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
import { PROGRAM } from '../command/command.ts';
import type { Target } from '../command/context.ts';
import { databasesOf } from '../command/databases.ts';
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

/** What a check has found wrong, and what to do about it. */
class Problem extends Error {
  readonly remedy: string;

  constructor(detail: string, remedy: string) {
    super(detail);
    this.remedy = remedy;
  }
}

/** @returns what is right */
type Check = () => Promise<string>;

/** Checks bindings, migrations, keys and data. The data are only checked if the migrations are applied. */
export async function examine(env: Env, project: Project): Promise<Finding[]> {
  const run = async (checks: Readonly<Record<string, Check>>) => {
    const findings: Finding[] = [];
    for (const [name, check] of Object.entries(checks)) findings.push(await attempt(name, check, project.target));
    return findings;
  };
  const migrations = await run({ migrations: () => checkMigrations(env.DB, project) });
  const settings = await run(settingChecks(env, project));
  if (migrations[0]!.ok) settings.push(...(await run({ databases: () => checkDatabases(env) })));
  return [...migrations, ...settings, ...(migrations[0]!.ok ? await run(dataChecks(env, project.target)) : [])];
}

async function attempt(name: string, check: Check, target: Target): Promise<Finding> {
  try {
    return { check: name, ok: true, detail: await check() };
  } catch (error) {
    if (error instanceof Problem) return { check: name, ok: false, detail: error.message, remedy: error.remedy };
    const failure = failureIn(error);
    const remedy = failure?.code === 'database_unusable' ? restoring(target) : 'Try again later.';
    return { check: name, ok: false, detail: failure?.message ?? describeError(error), remedy };
  }
}

/** Bytes that a D1 database can have, and the share of them from which there should be another database. */
const MAX_DATABASE_BYTES = 10e9;
const NEARLY_FULL = 0.6;

/** The size of each database, and whether the directory leads to the accounts. */
async function checkDatabases(env: Env): Promise<string> {
  const all = databasesOf(env);
  const sizes = await Promise.all(all.map(({ db }) => sizeOf(db)));
  const texts = all.map(({ name }, index) => `${name} ${(sizes[index]! / 1e6).toFixed(1)} MB`);
  const full = all.filter((_, index) => sizes[index]! >= NEARLY_FULL * MAX_DATABASE_BYTES).map(({ name }) => name);
  if (full.length > 0) {
    const remedy =
      'Add a database: npm run deploy -- --databases 2 (or more), and move accounts: account move CODE --to DB_2.';
    throw new Problem(`${texts.join(', ')}: ${full.join(', ')} will be full at 10 GB`, remedy);
  }
  if (all.length > 1) await checkDirectory(all);
  return texts.join(', ');
}

async function checkDirectory(all: readonly NamedDatabase[]): Promise<void> {
  const listed = new Map((await readDirectory(all[0]!.db)).map((entry) => [entry.account, entry]));
  const found = await entriesOf(all);
  for (const { account, database, clients } of found) {
    const other = found.find((entry) => entry.account === account && entry.database !== database);
    if (other !== undefined) {
      const remedy = `Delete one of them, after a restore the older one: account move ${account} --help`;
      throw new Problem(`${account} is in ${database} and in ${other.database}`, remedy);
    }
    const entry = listed.get(account);
    const isListed = (entry?.database ?? all[0]!.name) === database;
    const hasClients = database === all[0]!.name || clients.every((client) => entry?.clients.includes(client));
    if (isListed && hasClients) continue;
    const remedy = `Compute the directory again: ${PROGRAM} restored --database ${all[0]!.name}`;
    throw new Problem(`the directory does not lead to ${account} in ${database}`, remedy);
  }
}

async function checkMigrations(db: D1Database, { migrations: folder, target }: Project): Promise<string> {
  const migrations = await readMigrations(folder);
  const applied = await appliedMigrations(db);
  const pending = pendingMigrations(migrations, applied).map(({ name }) => name);
  const setUp = target.remote ? 'Deploy: npm run deploy' : `Set up: npm run setup -- --persist-to ${target.persistTo}`;
  if (pending.length > 0) throw new Problem(`not applied: ${pending.join(', ')}`, setUp);
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name)).join(', ');
  const newer = 'The database is newer than this checkout: update the checkout.';
  if (unknown !== '') throw new Problem(`applied, but not in ${folder}: ${unknown}`, newer);
  return `${count(migrations.length, 'migration')} applied`;
}

function settingChecks(env: Env, { target: { remote }, secrets }: Project): Readonly<Record<string, Check>> {
  return {
    bindings: async () => {
      const missing = (['DB', 'SNAPSHOTS'] as const).filter((name) => env[name] === undefined);
      return none(missing, 'DB and SNAPSHOTS are bound', 'Restore the bindings in wrangler.toml.', 'is not bound');
    },
    keys: async () => {
      const create = `Create keys: ${PROGRAM} key new --remote`;
      if (remote) return isSet(SIGNING_KEYS, (await secrets()).includes(SIGNING_KEYS), create);
      const { published } = await ownKeys(env.SIGNING_KEYS).catch(({ message }: Error) => {
        throw new Problem(message, `Replace the keys: ${PROGRAM} key new --force`);
      });
      return `${count(published.keys.length, 'key')}, the first of which signs`;
    },
    // The console is not served without a secret that signs its sessions.
    'session key': async () => {
      const exists = remote ? (await secrets()).includes(SESSION_KEY) : Boolean(env.SESSION_KEY);
      return isSet(SESSION_KEY, exists, `Run: npm run ${remote ? 'deploy' : 'setup'}`);
    },
  };
}

function isSet(name: string, exists: boolean, remedy: string): string {
  if (!exists) throw new Problem(`${name} is not set`, remedy);
  return `${name} is set`;
}

/** Checks of the data: what is wrong, the first of several in detail, and what to do about it. */
function dataChecks({ DB, SNAPSHOTS }: Env, target: Target): Readonly<Record<string, Check>> {
  const restore = restoring(target);
  return {
    'database file': async () => none(await damage(DB), 'intact', restore),
    references: async () => {
      const broken = (await brokenReferences(DB)).map((row) => `row ${row.rowid} of ${row.table} references`);
      return none(broken, 'no broken foreign keys', restore, 'a missing row');
    },
    segments: async () => {
      const missing = (await missingSegments(DB)).map((one) => `account ${one.account} has no segment ${one.segment}`);
      const remedy = 'Export the account and import it into a new one, or restore the database.';
      return none(missing, 'every property is in a segment', remedy, ', so feeds omit its properties');
    },
    features: async () => {
      const foreign = (await foreignFeatures(DB)).map(
        ({ property, account, feature }) => `property ${property} of ${account} has feature ${feature}`,
      );
      const good = 'every property has features of its own account only';
      return none(foreign, good, 'Import the property again.', ', which the account does not have');
    },
    'unit names': async () => {
      const unfound = (await unitsBeyondAscii(DB))
        .filter(({ name }) => name !== name.normalize('NFC'))
        .map((unit) => `unit ${unit.name} of account ${unit.account}, development ${unit.development}`);
      const remedy = 'Delete the unit, and import it again with its name in NFC.';
      return none(unfound, 'all in Unicode NFC', remedy, ', is not in NFC, so no update finds it');
    },
    // KV may lose an entry, which is normal; but it must respond.
    snapshots: async () => {
      const { keys, list_complete } = await SNAPSHOTS.list({ limit: 1_000 });
      return `${list_complete ? '' : 'over '}${count(keys.length, 'entry', 'entries')} in KV`;
    },
    space: async () => `${((await databaseBytes(DB)) / 1e6).toFixed(1)} MB in the database, which holds 10 GB`,
  };
}

/**
 * @param problems what is wrong
 * @param rest the end of the description of each
 */
function none([first, ...more]: readonly string[], good: string, remedy: string, rest = ''): string {
  if (first === undefined) return good;
  const detail = `${first}${rest === '' || rest.startsWith(',') ? '' : ' '}${rest}`;
  throw new Problem(more.length === 0 ? detail : `${detail}; and ${more.length} more`, remedy);
}

function restoring({ remote, persistTo }: Target): string {
  return remote
    ? 'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help'
    : `Restore ${persistTo} from a backup, or delete it and run: npm run setup`;
}
