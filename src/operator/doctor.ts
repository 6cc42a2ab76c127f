import type { Env } from '../env.ts';
import { describeError } from '../lib/log.ts';
import { ownKeys } from '../oauth/own-keys.ts';
import { imagesOf } from '../pictures/transform.ts';
import { listLostTasks } from '../tasks/lost-tasks.ts';
import { databasesOf } from './access.ts';
import {
  entriesOf,
  findLackingDatabase,
  findUnfinishedMove,
  type NamedDatabase,
  readDirectory,
  sizeOf,
} from './databases.ts';
import { brokenReferences, damage } from './inspect.ts';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, unless it is ok. */
  readonly remedy?: string;
}

/** What a check has found: as text if it is ok. */
type Result = string | { readonly detail: string; readonly remedy: string };

/** Checks settings and data. */
export async function examine(env: Env): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(CHECKS)) {
    const result = await run(env).catch((error: unknown): Result => {
      return { detail: describeError(error), remedy: 'Try again later.' };
    });
    findings.push(
      typeof result === 'string'
        ? { check, ok: true, detail: result }
        : { check, ok: false, ...result },
    );
  }
  return findings;
}

/** Maximum size of a D1 database, and the share of it at which it is time to add another database. */
const MAX_DATABASE_BYTES = 10e9;
const NEARLY_FULL = 0.6;

const RESTORE =
  'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help';

const LOST_TASKS =
  'The log says why: events task.failed and task.lost. Schedules repeat the work; the next ' +
  'nightly backup replaces one that is incomplete.';

const GENERATE = 'Run: npm run setup, or npm run deploy';

/** The checks in their order. */
const CHECKS: Readonly<Record<string, (env: Env) => Promise<Result>>> = {
  keys: ({ SIGNING_KEYS }) =>
    ownKeys(SIGNING_KEYS).then(
      ({ published: { keys } }) =>
        `${keys.length === 1 ? '1 key' : `${keys.length} keys`}; the first one signs`,
      ({ message }: Error) => ({ detail: message, remedy: GENERATE }),
    ),
  // The console is not served without a secret that signs its sessions.
  'session key': async ({ SESSION_KEY }) =>
    none(SESSION_KEY ? [] : ['SESSION_KEY is not set'], 'is set', GENERATE),
  // Webhooks, sources and second factors cannot be stored without the key that encrypts their secrets.
  'sealing key': async ({ SEALING_KEY }) =>
    none(SEALING_KEY ? [] : ['SEALING_KEY is not set'], 'is set', GENERATE),
  databases: (env) => checkDatabases(databasesOf(env)),
  'database file': async (env) => none(await inEach(env, damage), 'intact', RESTORE),
  references: async (env) =>
    none(await inEach(env, brokenReferences), 'no broken foreign keys', RESTORE),
  tasks: async (env) =>
    none(await listLostTasks(env), 'none was given up in the last 7 days', LOST_TASKS),
  // Either is a choice.
  pictures: async (env) =>
    imagesOf(env) === undefined
      ? 'the Images binding is off: only JPEG is taken, without smaller versions'
      : 'the Images binding is on',
  // KV may lose an entry, which is normal; but it must respond.
  async snapshots({ SNAPSHOTS }) {
    const { keys, list_complete } = await SNAPSHOTS.list({ limit: 1_000 });
    return `${list_complete ? '' : 'over '}${keys.length} in KV`;
  },
};

async function inEach(
  env: Env,
  find: (db: D1Database) => Promise<readonly string[]>,
): Promise<string[]> {
  const found = databasesOf(env).map(async ({ name, db }) =>
    (await find(db)).map((text) => `${name}: ${text}`),
  );
  return (await Promise.all(found)).flat();
}

function none([first, ...more]: readonly string[], good: string, remedy: string): Result {
  if (first === undefined) return good;
  return { detail: more.length === 0 ? first : `${first}; and ${more.length} more`, remedy };
}

async function checkDatabases(all: readonly NamedDatabase[]): Promise<Result> {
  const sizes = await Promise.all(
    all.map(async ({ name, db }) => ({ name, bytes: await sizeOf(db) })),
  );
  const text = sizes.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(1)} MB`).join(', ');
  const full = sizes
    .filter(({ bytes }) => bytes >= NEARLY_FULL * MAX_DATABASE_BYTES)
    .map(({ name }) => name);
  if (full.length > 0) {
    const next = all.length + 1;
    const remedy = `Add a database, npm run deploy -- --databases ${next}, and move accounts to it: account move`;
    return { detail: `${text}: ${full.join(', ')} will be full at 10 GB`, remedy };
  }
  const lacking = await findLackingDatabase(all);
  if (lacking !== undefined) {
    const remedy = `Declare it again: npm run deploy -- --databases ${lacking}, and commit wrangler.toml.`;
    return { detail: `${text}: DB_${lacking} has accounts, and is not bound`, remedy };
  }
  if (all.length === 1) return text;
  const move = await findUnfinishedMove(all);
  if (move !== null) {
    return {
      detail: `the move of ${move.code} to ${move.to} is not complete: the account cannot be changed`,
      remedy: `If it is not running, complete it: account move ${move.code} --to ${move.to}, or undo it with --undo.`,
    };
  }
  return (await checkDirectory(all)) ?? text;
}

/** What is wrong with the directory; `null` if it leads to every account and every client. */
async function checkDirectory(all: readonly NamedDatabase[]): Promise<Result | null> {
  const first = all[0]!.name;
  const listed = await readDirectory(all[0]!.db);
  const found = await entriesOf(all);
  for (const { account, database, clients } of found) {
    const other = found.find((entry) => entry.account === account && entry.database !== database);
    if (other !== undefined) {
      const remedy =
        'Run it with the name of the database that was restored: restored --database NAME';
      return { detail: `${account} is in ${database} and in ${other.database}`, remedy };
    }
    const entry = listed.find((one) => one.account === account);
    const hasClients =
      database === first || clients.every((client) => entry?.clients.includes(client));
    if ((entry?.database ?? first) === database && hasClients) continue;
    const remedy = `Compute the directory again: restored --database ${first}`;
    return { detail: `the directory does not lead to ${account} in ${database}`, remedy };
  }
  return null;
}
