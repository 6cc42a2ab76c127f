import { findAccount, readSetting } from '../../accounts/accounts.ts';
import type { Env } from '../../env.ts';
import { evictStale } from '../../feed/invalidation/evict.ts';
import { mayCallLocal } from '../../http/outbound.ts';
import { log } from '../../lib/log.ts';
import { open } from '../../lib/secrets/sealed.ts';
import { type EpochMilliseconds, isoTime } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { askForCopiesOfAll } from '../../pictures/copies.ts';
import { pathOf } from '../../pictures/names.ts';
import { batchOf } from '../../properties/store/history.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { applyBatches, FIRST, type ImportCursor } from '../pipeline/apply.ts';
import { ImportError } from '../pipeline/error.ts';
import { type ImportPlan, planImport } from '../pipeline/plan.ts';
import { countRejected } from '../pipeline/rejections.ts';
import { type ImportReport, reportOf } from '../pipeline/report.ts';
import { fetchFile } from './fetch-file.ts';
import { deleteFiles, FileLost, keysOf, storedInput, storedRecords, storeFile } from './files.ts';
import * as imports from './imports.ts';
import { keepLeased, LEASE_MS, RENEWAL_MS } from './lease.ts';
import { sealingContext, type WouldWithdraw } from './manage.ts';
import { paceOf } from './pace.ts';
import { retryAt } from './schedule.ts';
import { findSource, sourceProperties } from './sources.ts';

/** Batches per invocation. D1 allows an invocation 1,000 statements. */
const BATCHES = 40;

/**
 * Batches in the step of a message that is delivered for the nth time: an invocation that took too
 * much CPU would otherwise do so again.
 */
function batchesIn(delivery: number): number {
  return Math.ceil(BATCHES / 2 ** (delivery - 1));
}

/** How often an import is continued without progress before it fails. */
const MAX_ATTEMPTS = 20;

/** Maximum number of identifiers in a report. */
const MAX_LISTED = 1_000;

type Clock = () => EpochMilliseconds;

/**
 * Takes the next step of an account's imports, and leaves the one after it to another message: reading 95 MB takes most of
 * the CPU time of an invocation. An isolate that ends loses nothing: the next message, or the schedule, continues after the
 * last batch.
 */
export async function continueImports(env: Env, accountId: number, deliveries = 1): Promise<void> {
  if ((await continueImport(env, accountId, Date.now, batchesIn(deliveries))) !== null)
    await sendTask(env, { kind: 'import', accountId });
}

/**
 * Continues the oldest import of an account by one step: fetches its file, validates it, or writes some batches.
 *
 * @param batches written in one step
 * @returns the state in which it was; `null` if there is none, or another step is under way
 */
export async function continueImport(
  env: Env,
  accountId: number,
  clock: Clock = Date.now,
  batches = BATCHES,
): Promise<imports.ImportState | null> {
  const run = await imports.takeImport(
    env.DB,
    accountId,
    crypto.randomUUID(),
    clock(),
    clock() + LEASE_MS,
  );
  if (run === null) return null;
  const stopRenewing = keepLeased(env, run, clock);
  try {
    const ending = await step(env, run, clock, batches).catch((error) => failed(env, run, error));
    if (ending !== null) await end(env, run, clock, ending);
    return run.state;
  } catch (error) {
    if (imports.isLeaseLost(error)) return null;
    throw error;
  } finally {
    await stopRenewing();
    // Another message can continue it at once.
    await imports.updateRun(env.DB, run, { leasedUntil: 0 });
  }
}

/** How an import ends, and what the log states of it. */
type Ending = imports.End & { readonly counts?: object };

/** @returns how the import ends; `null` if it continues */
async function step(
  env: Env,
  run: imports.Run,
  clock: Clock,
  batches: number,
): Promise<Ending | null> {
  if (run.attempts > MAX_ATTEMPTS) {
    return {
      state: 'failed',
      code: 'interrupted',
      reason: message('interrupted', { times: MAX_ATTEMPTS }),
    };
  }
  if (run.state === 'fetching') return fetchSource(env, run, clock);
  return run.state === 'validating' ? validate(env, run) : apply(env, run, clock, batches);
}

/** @throws an error that the file did not cause */
async function failed(env: Env, run: imports.Run, error: unknown): Promise<Ending> {
  if (!(error instanceof ImportError)) throw error;
  const { code, reason, missing } = error;
  if (code !== 'too_many_withdrawn' || run.options.dryRun) return { state: 'failed', code, reason };
  const listed: WouldWithdraw = { total: missing.length, properties: missing.slice(0, MAX_LISTED) };
  await env.FILES.put(keysOf(run).report, JSON.stringify(listed));
  return { state: 'held', code, reason };
}

async function fetchSource(env: Env, run: imports.Run, clock: Clock): Promise<Ending | null> {
  const address = await open(run.url!, env.SEALING_KEY, sealingContext(run.accountId, run.source));
  if (address === null) throw new ImportError('unreadable_url', message('sealed_url'));
  const known = { etag: run.knownEtag, lastModified: run.knownLastModified };
  const found = await fetchFile(address, known, { local: mayCallLocal(env) });
  if (found === null) return { state: 'unchanged' };
  const { chunks, etag, lastModified } = found;
  const bytes = await storeFile(env.FILES, run, leased(env, run, clock, chunks));
  await imports.updateRun(env.DB, run, {
    state: 'validating',
    url: run.url,
    bytes,
    etag,
    lastModified,
    attempts: 0,
  });
  return null;
}

/**
 * The chunks of a file that is being fetched, whose received bytes are stored now and then; it must
 * not be too slow.
 */
async function* leased(
  env: Env,
  run: imports.Run,
  clock: Clock,
  chunks: AsyncIterable<Uint8Array>,
) {
  const check = paceOf(clock);
  let bytes = 0;
  let renewAt = clock() + RENEWAL_MS;
  for await (const chunk of chunks) {
    check(chunk);
    bytes += chunk.length;
    if (clock() >= renewAt) {
      const progress = { bytes, leasedUntil: clock() + LEASE_MS };
      if (!(await imports.updateRun(env.DB, run, progress)))
        throw new Error('The import was cancelled');
      renewAt = clock() + RENEWAL_MS;
    }
    yield chunk;
  }
}

async function validate(env: Env, run: imports.Run): Promise<null> {
  const {
    format,
    strict,
    replace,
    maxWithdrawn,
    approved = false,
    keepsFile = false,
    channel,
    dryRun = false,
  } = run.options;
  const key = keysOf(run).plan(run.lease);
  const input = storedInput(env.FILES, keysOf(run).file);
  const records = storedRecords(env.FILES, run.accountId, key);
  const plan = await planImport(env.DB, run.accountId, input, records, {
    now: isoTime(run.createdAt),
    strict,
    replace,
    sourceId: run.sourceId,
    // Whoever tries it sees what it would withdraw, and is asked once it is imported.
    maxWithdrawn: approved || keepsFile ? 100 : maxWithdrawn,
    mayBeEmpty: approved || keepsFile || run.sourceId === null,
    channel,
    check: strict || dryRun,
    names: await readSetting(env.DB, run.accountId, 'importNames'),
    ...(format !== null && { format }),
  });
  await env.FILES.put(key, JSON.stringify(plan));
  const progress = JSON.stringify(FIRST);
  await imports.updateRun(env.DB, run, {
    state: 'applying',
    plan: key,
    records: plan.valid,
    progress,
    attempts: 0,
  });
  return null;
}

async function apply(
  env: Env,
  run: imports.Run,
  clock: Clock,
  batches: number,
): Promise<Ending | null> {
  const stored = await env.FILES.get(run.plan!);
  if (stored === null) throw new FileLost();
  const plan = await stored.json<ImportPlan>();
  const records = storedRecords(env.FILES, run.accountId, run.plan!);
  const save = (next: ImportCursor) =>
    imports.progressStatement(env.DB, run, next, clock() + LEASE_MS);
  const { accountId, options } = run;
  const { actor, dryRun = false } = options;
  const batch = batchOf(run.id);
  const given = { db: env.DB, accountId, actor, batch, dryRun, records, plan, batches, save };
  const cursor = await applyBatches(given, JSON.parse(run.progress));
  return cursor.stage === 'done' ? finish(env, run, plan, cursor) : null;
}

async function finish(
  env: Env,
  run: imports.Run,
  plan: ImportPlan,
  cursor: ImportCursor,
): Promise<Ending> {
  const { sourceId } = run;
  await askForCopiesOf(env, run, plan);
  const own =
    sourceId === null ? new Map<string, unknown>() : await sourceProperties(env.DB, sourceId);
  const listed = new Set(plan.ids);
  const report = {
    ...reportOf(plan, cursor, run.options.dryRun),
    withdrawn_properties: plan.missing.slice(0, MAX_LISTED),
  };
  await env.FILES.put(keysOf(run).report, JSON.stringify(report));
  // What conflicts with stored documents may be accepted once these have changed, even if the file is still the same.
  if (countRejected(cursor.rejections) > 0)
    await imports.updateRun(env.DB, run, { etag: null, lastModified: null });
  const { created, updated, withdrawn, rejected } = report.properties;
  return {
    ...(isAllRejected(report)
      ? { state: 'failed', code: 'bad_records', reason: message('none_usable') }
      : { state: 'finished' }),
    hasReport: true,
    added: plan.ids.filter((id) => !own.has(id)),
    gone: [...own.keys()].filter((id) => !listed.has(id)),
    counts: { created, updated, withdrawn, rejected },
  };
}

/** Has the pictures of an import copied, if its source says so. */
async function askForCopiesOf(env: Env, run: imports.Run, plan: ImportPlan): Promise<void> {
  const { accountId, source: name } = run;
  const found = name === null ? null : await findSource(env.DB, { accountId, name });
  if (!found?.copyPictures) return;
  const code = (await findAccount(env.DB, { id: accountId }))?.code;
  if (code === undefined) return;
  const { actor } = run.options;
  await askForCopiesOfAll(env.DB, accountId, plan.ids, pathOf(code), {
    origin: found.origin,
    actor,
  });
  await sendTask(env, { kind: 'pictures', accountId });
}

/** Whether a file has records, and none of them could be used. */
function isAllRejected({ properties, entries, developments, units }: ImportReport): boolean {
  const all = [properties, entries, developments, units];
  return (
    all.some(({ rejected }) => rejected > 0) &&
    all.every(({ read, rejected }) => rejected >= read) &&
    properties.withdrawn === 0
  );
}

async function end(
  env: Env,
  run: imports.Run,
  clock: Clock,
  { counts, ...ended }: Ending,
): Promise<void> {
  const now = Math.floor(clock() / 1_000);
  if (!(await imports.endImport(env.DB, run, ended, now, retryAt(run.failures, now)))) return;
  const { accountId, id, source } = run;
  const { state, code } = ended;
  const isKept = state === 'finished' && run.options.keepsFile === true;
  if (code !== undefined) log('warn', `import.${state}`, { accountId, import: id, source, code });
  if (counts !== undefined)
    log('info', 'import.finished', { accountId, import: id, source, ...counts });
  if (state === 'unchanged') return;
  await sendTask(env, { kind: 'webhooks', accountId });
  // If any of this fails, the daily tasks find it, or it expires.
  await Promise.allSettled([
    evictStale(env, accountId),
    deleteFiles(env.FILES, run, state === 'held' || isKept),
  ]);
}
