import { entriesOf, type NamedDatabase, readDirectory, sizeOf } from '../../db/operator/databases.ts';
import {
  brokenReferences,
  damage,
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
import { readMigrations } from '../platform/migrations.ts';
import { SIGNING_KEYS } from '../settings/secrets.ts';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, unless it is ok. */
  readonly remedy?: string;
}

export interface Project {
  readonly migrations: string;
  readonly target: Target;
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

/** Checks by their names; each returns what is right, or throws a {@link Problem}. */
type Checks = Readonly<Record<string, () => Promise<string>>>;

/** Checks bindings, migrations, keys and data. The data are only checked if the migrations are applied. */
export async function examine(env: Env, project: Project): Promise<Finding[]> {
  const findings: Finding[] = [];
  const run = async (checks: Checks) => {
    for (const [name, check] of Object.entries(checks)) findings.push(await attempt(name, check, project.target));
  };
  await run({ migrations: () => checkMigrations(env.DB, project) });
  const isMigrated = findings[0]!.ok;
  await run(settingChecks(env, project));
  if (isMigrated) await run({ databases: () => checkDatabases(databasesOf(env)), ...dataChecks(env, project.target) });
  return findings;
}

async function attempt(check: string, run: () => Promise<string>, target: Target): Promise<Finding> {
  try {
    return { check, ok: true, detail: await run() };
  } catch (error) {
    if (error instanceof Problem) return { check, ok: false, detail: error.message, remedy: error.remedy };
    const failure = failureIn(error);
    const remedy = failure?.code === 'database_unusable' ? restoring(target) : 'Try again later.';
    return { check, ok: false, detail: failure?.message ?? describeError(error), remedy };
  }
}

/** Bytes that a D1 database can have, and the share of them from which there should be another database. */
const MAX_DATABASE_BYTES = 10e9;
const NEARLY_FULL = 0.6;

/** The size of each database, and whether the directory leads to the accounts. */
async function checkDatabases(all: readonly NamedDatabase[]): Promise<string> {
  const sizes = await Promise.all(all.map(async ({ name, db }) => ({ name, bytes: await sizeOf(db) })));
  const text = sizes.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(1)} MB`).join(', ');
  const full = sizes.filter(({ bytes }) => bytes >= NEARLY_FULL * MAX_DATABASE_BYTES).map(({ name }) => name);
  if (full.length > 0) {
    const remedy =
      `Add a database: npm run deploy -- --databases ${all.length + 1}, and move accounts to it: ` +
      `${PROGRAM} account move CODE --to DB_${all.length + 1} --remote`;
    throw new Problem(`${text}: ${full.join(', ')} will be full at 10 GB`, remedy);
  }
  if (all.length > 1) await checkDirectory(all);
  return text;
}

async function checkDirectory(all: readonly NamedDatabase[]): Promise<void> {
  const first = all[0]!.name;
  const listed = new Map((await readDirectory(all[0]!.db)).map((entry) => [entry.account, entry]));
  const found = await entriesOf(all);
  for (const { account, database, clients } of found) {
    const other = found.find((entry) => entry.account === account && entry.database !== database);
    if (other !== undefined) {
      const remedy = `Delete one of them, after a restore the older one: ${PROGRAM} account move --help`;
      throw new Problem(`${account} is in ${database} and in ${other.database}`, remedy);
    }
    const entry = listed.get(account);
    const isListed = (entry?.database ?? first) === database;
    const hasClients = database === first || clients.every((client) => entry?.clients.includes(client));
    if (isListed && hasClients) continue;
    const remedy = `Compute the directory again: ${PROGRAM} restored --database ${first}`;
    throw new Problem(`the directory does not lead to ${account} in ${database}`, remedy);
  }
}

async function checkMigrations(db: D1Database, { migrations: folder, target }: Project): Promise<string> {
  const names = (await readMigrations(folder)).map(({ name }) => name);
  const applied = await appliedMigrations(db);
  const pending = names.filter((name) => !applied.includes(name));
  const setUp = target.remote ? 'Deploy: npm run deploy' : `Set up: npm run setup -- --persist-to ${target.persistTo}`;
  if (pending.length > 0) throw new Problem(`not applied: ${pending.join(', ')}`, setUp);
  const unknown = applied.filter((name) => !names.includes(name)).join(', ');
  const newer = 'The database is newer than this checkout: update the checkout.';
  if (unknown !== '') throw new Problem(`applied, but not in ${folder}: ${unknown}`, newer);
  return `${count(names.length, 'migration')} applied`;
}

function settingChecks(env: Env, { target: { remote }, secrets }: Project): Checks {
  const isSet = (name: string, exists: boolean, remedy: string) => {
    if (!exists) throw new Problem(`${name} is not set`, remedy);
    return `${name} is set`;
  };
  return {
    bindings: async () => {
      const missing = (['DB', 'SNAPSHOTS'] as const).filter((name) => env[name] === undefined);
      const problems = missing.map((name) => `${name} is not bound`);
      return none(problems, 'DB and SNAPSHOTS are bound', 'Restore the bindings in wrangler.toml.');
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
      const exists = remote ? (await secrets()).includes('SESSION_KEY') : Boolean(env.SESSION_KEY);
      return isSet('SESSION_KEY', exists, `Run: npm run ${remote ? 'deploy' : 'setup'}`);
    },
  };
}

/** Checks of the data: what is wrong, the first of several in detail, and what to do about it. */
function dataChecks({ DB, SNAPSHOTS }: Env, target: Target): Checks {
  const restore = restoring(target);
  return {
    'database file': async () => none(await damage(DB), 'intact', restore),
    references: async () => {
      const rows = await brokenReferences(DB);
      const problems = rows.map(({ rowid, table }) => `row ${rowid} of ${table} references a missing row`);
      return none(problems, 'no broken foreign keys', restore);
    },
    segments: async () => {
      const problems = (await missingSegments(DB)).map(
        ({ account, segment }) => `account ${account} has no segment ${segment}, so feeds omit its properties`,
      );
      const remedy = 'Export the account and import it into a new one, or restore the database.';
      return none(problems, 'every property is in a segment', remedy);
    },
    features: async () => {
      const problems = (await foreignFeatures(DB)).map(
        ({ property, account, feature }) =>
          `property ${property} of ${account} has feature ${feature}, which the account does not have`,
      );
      return none(problems, 'every property has features of its own account only', 'Import the property again.');
    },
    'unit names': async () => {
      const problems = (await unitsBeyondAscii(DB))
        .filter(({ name }) => name !== name.normalize('NFC'))
        .map(
          ({ name, account, development }) =>
            `unit ${name} of account ${account}, development ${development}, is not in NFC, so no update finds it`,
        );
      return none(problems, 'all in Unicode NFC', 'Delete the unit, and import it again with its name in NFC.');
    },
    // KV may lose an entry, which is normal; but it must respond.
    snapshots: async () => {
      const { keys, list_complete } = await SNAPSHOTS.list({ limit: 1_000 });
      return `${list_complete ? '' : 'over '}${count(keys.length, 'entry', 'entries')} in KV`;
    },
  };
}

function none([first, ...more]: readonly string[], good: string, remedy: string): string {
  if (first === undefined) return good;
  throw new Problem(more.length === 0 ? first : `${first}; and ${more.length} more`, remedy);
}

function restoring({ remote, persistTo }: Target): string {
  return remote
    ? 'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help'
    : `Restore ${persistTo} from a backup, or delete it and run: npm run setup`;
}
