import { join } from 'node:path';
import {
  entriesOf,
  findLackingDatabase,
  findUnfinishedMove,
  type NamedDatabase,
  readDirectory,
  sizeOf,
} from '../../db/operator/databases.ts';
import { brokenReferences, damage } from '../../db/operator/inspect.ts';
import { appliedMigrations } from '../../db/operator/migrations.ts';
import type { Env } from '../../env.ts';
import { lazy } from '../../lib/lazy.ts';
import { describeError } from '../../lib/log.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
import { command, databasesOf, deployLine, PROGRAM, type Target, withEnv, withTarget } from '../command/command.ts';
import { EXIT, failureIn } from '../command/failure.ts';
import { count } from '../command/print.ts';
import { declaring } from '../deploy/resources.ts';
import { readMigrations } from '../platform/database.ts';
import { listRemoteSecrets, SIGNING_KEYS } from '../platform/secrets.ts';

export const doctor = command({
  command: 'doctor',
  describe: 'Check bindings, migrations, keys and data, and say how to fix what is wrong',
  async run(args, context) {
    const migrations = join(context.directory, 'migrations');
    const project = { migrations, target: args, secrets: lazy(() => listRemoteSecrets(context)) };
    const findings = await withEnv(context, args, (env) => examine(env, project));
    const ok = findings.every((finding) => finding.ok);
    const lines = findings.map(({ check, ok, detail, remedy }) =>
      ok ? `ok     ${check}: ${detail}\n` : `WRONG  ${check}: ${detail}\n       ${remedy}\n`,
    );
    return { json: { ok, findings }, text: lines.join(''), exit: ok ? EXIT.ok : EXIT.warnings };
  },
});

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, unless it is ok. */
  readonly remedy?: string;
}

interface Project {
  readonly migrations: string;
  readonly target: Target;
  secrets(): Promise<readonly string[]>;
}

/** What a check has found: as text if it is ok. */
type Result = string | { readonly detail: string; readonly remedy: string };

/** Checks bindings, migrations, keys and data. The data are only checked if the migrations are applied. */
export async function examine(env: Env, project: Project): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(checksOf(env, project))) {
    if (check === 'databases' && !findings[0]!.ok) break;
    const result = await run().catch((error: unknown): Result => {
      const failure = failureIn(error);
      const remedy = failure?.code === 'database_unusable' ? restoring(project.target) : 'Try again later.';
      return { detail: failure?.message ?? describeError(error), remedy };
    });
    findings.push(typeof result === 'string' ? { check, ok: true, detail: result } : { check, ok: false, ...result });
  }
  return findings;
}

async function checkMigrations(all: readonly NamedDatabase[], project: Project): Promise<Result> {
  const { migrations: folder, target } = project;
  const names = (await readMigrations(folder)).map(({ name }) => name);
  for (const { name: database, db } of all) {
    const applied = await appliedMigrations(db);
    const pending = names.filter((name) => !applied.includes(name)).join(', ');
    const setUp = target.remote ? `Deploy: ${deployLine()}` : `Run: npm run setup -- --persist-to ${target.persistTo}`;
    if (pending !== '') return { detail: `not applied to ${database}: ${pending}`, remedy: setUp };
    const unknown = applied.filter((name) => !names.includes(name)).join(', ');
    const newer = 'The database is newer than this checkout: update the checkout.';
    if (unknown !== '') return { detail: `applied to ${database}, but not in ${folder}: ${unknown}`, remedy: newer };
  }
  return `${count(names.length, 'migration')} applied`;
}

/** Maximum size of a D1 database, and the share of it at which it is time to add another database. */
const MAX_DATABASE_BYTES = 10e9;
const NEARLY_FULL = 0.6;

async function checkDatabases(all: readonly NamedDatabase[], { target }: Project): Promise<Result> {
  const sizes = await Promise.all(all.map(async ({ name, db }) => ({ name, bytes: await sizeOf(db) })));
  const text = sizes.map(({ name, bytes }) => `${name} ${(bytes / 1e6).toFixed(1)} MB`).join(', ');
  const full = sizes.filter(({ bytes }) => bytes >= NEARLY_FULL * MAX_DATABASE_BYTES).map(({ name }) => name);
  if (full.length > 0) {
    const next = all.length + 1;
    const move = withTarget({ remote: true }, `account move CODE --to DB_${next}`);
    const remedy = `Add a database: ${deployLine(`--databases ${next}`)}, and move accounts to it: ${move}`;
    return { detail: `${text}: ${full.join(', ')} will be full at 10 GB`, remedy };
  }
  const lacking = await findLackingDatabase(all);
  if (lacking !== undefined) return { detail: `${text}: DB_${lacking} is not bound`, remedy: declaring(lacking) };
  if (all.length === 1) return text;
  const move = await findUnfinishedMove(all);
  if (move !== null) {
    const again = withTarget(target, `account move ${move.code} --to ${move.to}`);
    return {
      detail: `the move of ${move.code} to ${move.to} is not complete: the account cannot be changed`,
      remedy: `If it is not running, complete it: ${again}, or undo it with --undo.`,
    };
  }
  const first = all[0]!.name;
  const listed = await readDirectory(all[0]!.db);
  const found = await entriesOf(all);
  for (const { account, database, clients } of found) {
    const other = found.find((entry) => entry.account === account && entry.database !== database);
    if (other !== undefined) {
      const restored = withTarget(target, 'restored --database NAME');
      const remedy = `Run it with the name of the database that was restored: ${restored}`;
      return { detail: `${account} is in ${database} and in ${other.database}`, remedy };
    }
    const entry = listed.find((one) => one.account === account);
    const hasClients = database === first || clients.every((client) => entry?.clients.includes(client));
    if ((entry?.database ?? first) === database && hasClients) continue;
    const remedy = `Compute the directory again: ${withTarget(target, `restored --database ${first}`)}`;
    return { detail: `the directory does not lead to ${account} in ${database}`, remedy };
  }
  return text;
}

/** The checks in their order: `databases` and all after it check the data. */
function checksOf(env: Env, project: Project): Readonly<Record<string, () => Promise<Result>>> {
  const { SNAPSHOTS } = env;
  const all = databasesOf(env);
  const inEach = async (find: (db: D1Database) => Promise<readonly string[]>) => {
    const found = all.map(async ({ name, db }) => (await find(db)).map((text) => `${name}: ${text}`));
    return (await Promise.all(found)).flat();
  };
  const { target, secrets } = project;
  const { remote } = target;
  const unset = async (name: 'SIGNING_KEYS' | 'SESSION_KEY' | 'SEALING_KEY') =>
    (remote ? (await secrets()).includes(name) : Boolean(env[name])) ? [] : [`${name} is not set`];
  const generate = `Run: ${remote ? deployLine() : 'npm run setup'}`;
  return {
    migrations: () => checkMigrations(all, project),
    async bindings() {
      const missing = (['DB', 'SNAPSHOTS'] as const).filter((name) => env[name] === undefined);
      const problems = missing.map((name) => `${name} is not bound`);
      return none(problems, 'DB and SNAPSHOTS are bound', 'Restore the bindings in wrangler.toml.');
    },
    async keys() {
      if (remote) return none(await unset(SIGNING_KEYS), `${SIGNING_KEYS} is set`, generate);
      return ownKeys(env.SIGNING_KEYS).then(
        ({ published }) => `${count(published.keys.length, 'key')}; the first one signs`,
        ({ message }: Error) => ({ detail: message, remedy: `Replace the keys: ${PROGRAM} key new --force` }),
      );
    },
    // The console is not served without a secret that signs its sessions.
    'session key': async () => none(await unset('SESSION_KEY'), 'SESSION_KEY is set', generate),
    // Webhooks, sources and second factors cannot be stored without the key that encrypts their secrets.
    'sealing key': async () => none(await unset('SEALING_KEY'), 'SEALING_KEY is set', generate),
    databases: () => checkDatabases(all, project),
    'database file': async () => none(await inEach(damage), 'intact', restoring(target)),
    references: async () => none(await inEach(brokenReferences), 'no broken foreign keys', restoring(target)),
    // KV may lose an entry, which is normal; but it must respond.
    snapshots: async () => {
      const { keys, list_complete } = await SNAPSHOTS.list({ limit: 1_000 });
      return `${list_complete ? '' : 'over '}${count(keys.length, 'entry', 'entries')} in KV`;
    },
  };
}

function none([first, ...more]: readonly string[], good: string, remedy: string): Result {
  if (first === undefined) return good;
  return { detail: more.length === 0 ? first : `${first}; and ${more.length} more`, remedy };
}

function restoring({ remote, persistTo }: Target): string {
  return remote
    ? 'Restore the database to a time before the damage: npx wrangler d1 time-travel restore --help'
    : `Restore ${persistTo} from a backup, or delete it and run: npm run setup`;
}
