import { readdir } from 'node:fs/promises';
import { listAccounts } from '../db/operator/accounts.ts';
import {
  brokenReferences,
  damage,
  foreignFeatures,
  missingSegments,
  unitsBeyondAscii,
} from '../db/operator/inspect.ts';
import { appliedMigrations } from '../db/operator/migrations.ts';
import { listSnapshots } from '../db/operator/snapshot-list.ts';
import type { Env } from '../env.ts';
import { snapshotKey } from '../feed/snapshot-store.ts';
import { describeError } from '../lib/log.ts';
import { ownKeys } from '../oauth/own-keys.ts';
import { lineFor, PROGRAM } from './command.ts';
import type { Where } from './context.ts';
import { failureIn } from './failure.ts';
import { count } from './print.ts';

/** What an examination has found. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, where something is wrong. */
  readonly remedy?: string;
}

/** What is examined beside the bindings. */
export interface Surroundings {
  /** The directory of the migrations. */
  readonly migrations: string;
  readonly where: Where;
  /** The names of the deployed Worker's secrets. */
  secrets(): Promise<readonly string[]>;
}

/** Examines what the service stands on; what rests on a table is left out where the tables are not as they should be. */
export async function examine(env: Env, surroundings: Surroundings): Promise<Finding[]> {
  const migrations = await attempt('migrations', surroundings, () => checkMigrations(env.DB, surroundings));
  const keys = await attempt('keys', surroundings, () => checkKeys(env, surroundings));
  const findings = [await attempt('bindings', surroundings, () => checkBindings(env)), migrations, keys];
  if (!migrations.ok) return findings;
  return [
    ...findings,
    await attempt('database file', surroundings, () => checkFile(env.DB, surroundings)),
    await attempt('references', surroundings, () => checkReferences(env.DB, surroundings)),
    await attempt('segments', surroundings, () => checkSegments(env.DB)),
    await attempt('features', surroundings, () => checkFeatures(env.DB)),
    await attempt('unit names', surroundings, () => checkUnitNames(env.DB)),
    await attempt('snapshots', surroundings, () => checkSnapshots(env, surroundings)),
  ];
}

type Result = Omit<Finding, 'check'>;

async function attempt(check: string, { where }: Surroundings, work: () => Promise<Result>): Promise<Finding> {
  try {
    return { check, ...(await work()) };
  } catch (error) {
    const failure = failureIn(error);
    const remedy =
      failure?.code === 'database_unusable' ? restore(where) : 'See whether the platform is up, and try again.';
    return { check, ok: false, detail: failure?.message ?? describeError(error), remedy };
  }
}

async function checkBindings(env: Env): Promise<Result> {
  const missing = (['DB', 'SNAPSHOTS'] as const).filter((name) => env[name] === undefined);
  if (missing.length === 0) return { ok: true, detail: 'DB and SNAPSHOTS are bound' };
  return { ok: false, detail: `${missing.join(' and ')} not bound`, remedy: 'Restore the bindings in wrangler.toml.' };
}

async function checkMigrations(db: D1Database, { migrations, where }: Surroundings): Promise<Result> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
  const applied = await appliedMigrations(db);
  const missing = files.filter((file) => !applied.includes(file));
  const unknown = applied.filter((name) => !files.includes(name));
  if (missing.length > 0) {
    return {
      ok: false,
      detail: `not applied: ${missing.join(', ')}`,
      remedy: where.remote
        ? 'npm run deploy'
        : `npx wrangler d1 migrations apply DB --local --persist-to ${where.persistTo}`,
    };
  }
  if (unknown.length > 0) {
    return {
      ok: false,
      detail: `applied, but not in ${migrations}: ${unknown.join(', ')}`,
      remedy: 'The database is newer than this checkout: bring the checkout up to date.',
    };
  }
  return { ok: true, detail: `${count(files.length, 'migration')} applied` };
}

async function checkKeys(env: Env, { where, secrets }: Surroundings): Promise<Result> {
  if (where.remote) {
    if ((await secrets()).includes('SIGNING_KEYS')) return { ok: true, detail: 'SIGNING_KEYS is set' };
    return { ok: false, detail: 'SIGNING_KEYS is not set', remedy: `${PROGRAM} key new --remote` };
  }
  try {
    const { published } = await ownKeys(env.SIGNING_KEYS);
    return { ok: true, detail: `${count(published.keys.length, 'key')}, the first signs` };
  } catch (error) {
    return { ok: false, detail: (error as Error).message, remedy: `${PROGRAM} key new --force` };
  }
}

async function checkFile(db: D1Database, { where }: Surroundings): Promise<Result> {
  const [first, ...more] = await damage(db);
  if (first === undefined) return { ok: true, detail: 'whole' };
  return { ok: false, detail: withMore(first, more.length), remedy: restore(where) };
}

async function checkReferences(db: D1Database, { where }: Surroundings): Promise<Result> {
  const [first, ...more] = await brokenReferences(db);
  if (first === undefined) return { ok: true, detail: 'every row names rows that are there' };
  const detail = `row ${first.rowid} of ${first.table} names a row that ${first.parent} does not have`;
  return { ok: false, detail: withMore(detail, more.length), remedy: restore(where) };
}

function restore({ remote, persistTo }: Where): string {
  return remote
    ? 'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help'
    : `Put a copy of ${persistTo} in its place, or remove it and begin anew with npm start.`;
}

async function checkSegments(db: D1Database): Promise<Result> {
  const [first, ...more] = await missingSegments(db);
  if (first === undefined) return { ok: true, detail: 'every property lies in a segment' };
  return {
    ok: false,
    detail: withMore(`${first.account} lacks segment ${first.segment}, so its properties show in no feed`, more.length),
    remedy: 'Export the account and import it into a new one, or restore the database.',
  };
}

async function checkFeatures(db: D1Database): Promise<Result> {
  const [first, ...more] = await foreignFeatures(db);
  if (first === undefined) return { ok: true, detail: 'every property has features of its own account only' };
  return {
    ok: false,
    detail: withMore(
      `property ${first.property} of ${first.account} has feature ${first.feature}, which the account does not have`,
      more.length,
    ),
    remedy: 'Import the property again.',
  };
}

async function checkUnitNames(db: D1Database): Promise<Result> {
  const [first, ...more] = (await unitsBeyondAscii(db)).filter(({ name }) => name !== name.normalize('NFC'));
  if (first === undefined) return { ok: true, detail: 'in Unicode NFC' };
  return {
    ok: false,
    detail: withMore(
      `unit ${first.name} of ${first.account}, ${first.development}, is not in NFC: no update finds it`,
      more.length,
    ),
    remedy: 'Delete the unit, and import it again under its name in NFC.',
  };
}

async function checkSnapshots(env: Env, { where }: Surroundings): Promise<Result> {
  const stored = await namesInStore(env.SNAPSHOTS);
  let kept = 0;
  for (const { id, code } of await listAccounts(env.DB)) {
    const listed = (await listSnapshots(env.DB, id)).filter(({ bytes }) => bytes > 0).map(snapshotKey);
    const lost = listed.filter((name) => !stored.has(name));
    kept += listed.length;
    if (lost.length > 0) {
      return {
        ok: false,
        detail: `KV lacks ${lost.length} of ${listed.length} entries that the table lists for ${code}: they are built anew`,
        remedy: `None is needed; to be rid of them: ${PROGRAM} ${lineFor(where, `snapshot drop --account ${code}`)}`,
      };
    }
  }
  return { ok: true, detail: `${count(kept, 'entry', 'entries')} in KV, as the table has them` };
}

async function namesInStore(store: KVNamespace): Promise<Set<string>> {
  const names = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await store.list({ prefix: 'feed', cursor });
    for (const { name } of page.keys) names.add(name);
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return names;
}

function withMore(first: string, more: number): string {
  return more === 0 ? first : `${first}; and ${more} more`;
}
