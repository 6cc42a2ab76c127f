import { connect } from '../db/connection.ts';
import type { Env } from '../env.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import { type EpochMilliseconds, isWithin } from '../lib/time/time.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import { findDatabaseName, isPossible, type Owner } from './directory.ts';
import { findMoveState } from './moves.ts';

/** The binding of the first database, which also has the directory. */
export const FIRST = 'DB';

export const MAX_DATABASES = 32;

/** The bindings that databases can have: `DB`, `DB_2` … `DB_32`. `wrangler.toml` declares those that exist. */
const BINDINGS = Array.from({ length: MAX_DATABASES }, (_, index) =>
  index === 0 ? FIRST : `DB_${index + 1}`,
);

/** By database, in the order of {@link BINDINGS}, the environment of requests for its accounts: its `DB` is that database. */
type Environments = ReadonlyMap<string, Env>;

/** By the bindings as the platform gives them, which are the same for all requests of an isolate; and by each environment. */
const known = new WeakMap<Env, Environments>();

/**
 * The environments of all databases.
 *
 * @param bindings the platform's, or one of the environments
 */
export function environmentsOf(bindings: Env): Environments {
  const found = known.get(bindings);
  if (found !== undefined) return found;
  const databases = bindings as unknown as Readonly<Record<string, D1Database | undefined>>;
  const names = BINDINGS.filter((name) => databases[name] !== undefined);
  const environments = new Map(
    names.map((name): [string, Env] => {
      const DB = connect(databases[name]!);
      return [name, name === FIRST ? { ...bindings, DB } : { ...bindings, DB, DATABASE: name }];
    }),
  );
  for (const env of [bindings, ...environments.values()]) known.set(env, environments);
  return environments;
}

/** Milliseconds for which an isolate relies on what it has read in the directory. */
const MAX_AGE_MS = 3_600_000;

interface Entry {
  readonly database: string;
  readonly readAt: EpochMilliseconds;
}

/**
 * What the directory says, by owner. Requests name owners before anything of them is verified, so
 * unlisted owners are cached apart: guessed names cannot evict the listed ones.
 */
const listed = boundedCache<Entry>({ maxBytes: 3_000_000, valueBytes: 100 });
const unlisted = boundedCache<Entry>({ maxBytes: 500_000, valueBytes: 100 });

/** Whether this isolate knows the database of an owner that the directory lists. */
export function isListed(owner: Owner): boolean {
  return listed.has(keyOf(owner));
}

function keyOf({ kind, name }: Owner): string {
  return `${kind} ${name}`;
}

/**
 * The environment for an account or a client: with one database always the same, otherwise by the
 * directory, which is read once an hour. An isolate that cannot read it relies on what it knows. An
 * owner that cannot exist is not looked up, so that neither the database nor the cache gets a text
 * of any length from whoever sends it.
 *
 * @param env any of the environments
 * @param maxAge milliseconds; 0 reads the directory again
 * @throws what D1 throws, or if the database is not bound
 */
export async function environmentFor(
  env: Env,
  owner: Owner,
  maxAge: number = MAX_AGE_MS,
): Promise<Env> {
  const environments = environmentsOf(env);
  const first = environments.get(FIRST)!;
  if (environments.size === 1 || !isPossible(owner)) return first;
  const key = keyOf(owner);
  const now = Date.now();
  let entry = listed.get(key) ?? unlisted.get(key);
  if (entry === undefined || !isWithin(maxAge, entry.readAt, now)) {
    try {
      const database = await findDatabaseName(first.DB, owner);
      entry = { database: database ?? FIRST, readAt: now };
      if (database === null) listed.delete(key);
      (database === null ? unlisted : listed).set(key, entry);
    } catch (error) {
      if (entry === undefined) throw error;
    }
  }
  const found = environments.get(entry.database);
  if (found === undefined)
    throw new DependencyUnavailable(`The database ${entry.database} is not bound`);
  return found;
}

/** Why a request that may change an account is refused for some seconds. */
export class AccountMoving extends DependencyUnavailable {
  constructor() {
    super('The account is being moved');
  }
}

/**
 * The environment for a request that may change something of an account. With several databases, it asks whether the account is
 * being moved: triggers refuse changes of what feeds show, but nothing else. A database that the account has left is not
 * relied on any longer.
 *
 * @throws AccountMoving if it is, and like {@link environmentFor}
 */
export async function writableEnvironmentFor(
  env: Env,
  owner: Owner,
  maxAge: number = MAX_AGE_MS,
): Promise<Env> {
  const found = await environmentFor(env, owner, maxAge);
  if (environmentsOf(env).size === 1 || !isPossible(owner)) return found;
  const state = await findMoveState(found.DB, owner);
  if (state === null) return found;
  if (state === 'left' && maxAge > 0) return writableEnvironmentFor(env, owner, 0);
  throw new AccountMoving();
}

/** An environment whose database always fails, for requests whose database is not known: every interface has its own 503. */
export function failing(env: Env, error: unknown): Env {
  const fail = () => {
    throw error;
  };
  return { ...env, DB: { prepare: fail, batch: fail } as unknown as D1Database };
}
