import type { Actor } from '../../accounts/actor.ts';
import type { Address } from '../../db/statements.ts';
import type { Env } from '../../env.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { sendTask } from '../../tasks/tasks.ts';
import type { MissingProperty } from '../pipeline/error.ts';
import type { ImportReport } from '../pipeline/report.ts';
import { isMasked, shownUrl } from './fetch-file.ts';
import { deleteFiles, keysOf, recordsKeyOf, storeFile } from './files.ts';
import * as imports from './imports.ts';
import { nextRun } from './schedule.ts';
import * as sources from './sources.ts';

/** Days for which imports are kept; the last one with a report of each source is kept indefinitely. */
const RETENTION_DAYS = 90;

/** Days for which the file of a dry run is kept that somebody may import. */
const KEPT_DAYS = 7;

/** Maximum number of sources that one run of the schedule starts, and of imports that one daily task deletes. */
const AT_ONCE = 200;

/** What a URL is sealed for: a source, or a single import. */
export function sealingContext(accountId: number, source: string | null): string {
  return source === null ? `import:${accountId}` : `source:${accountId}:${source}`;
}

/**
 * Receives a file and starts its import.
 *
 * @returns the id of the import; `null` if too many of the account's imports are waiting
 * @throws FileTooLarge, or an error of the sender's connection; then there is no import
 */
export async function importFile(
  env: Env,
  accountId: number,
  options: imports.ImportOptions,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number | null> {
  const id = await imports.createImport(env.DB, accountId, options, null);
  if (id === null) return null;
  const { file } = keysOf({ accountId, id });
  try {
    const isAwaited = await imports.markReceived(
      env.DB,
      id,
      await storeFile(env.FILES, { accountId, id }, chunks),
    );
    if (!isAwaited) await env.FILES.delete(file);
  } catch (error) {
    if (await imports.deleteReceiving(env.DB, id)) await env.FILES.delete(file);
    throw error;
  }
  await sendTask(env, { kind: 'import', accountId });
  return id;
}

/** Starts the import of the file at a URL. Returns its id, or `null` if too many are waiting. */
export async function importUrl(
  env: Env,
  accountId: number,
  options: imports.ImportOptions,
  url: string,
) {
  const sealed = await seal(url, env.SEALING_KEY, sealingContext(accountId, null));
  const id = await imports.createImport(env.DB, accountId, options, sealed);
  if (id !== null) await sendTask(env, { kind: 'import', accountId });
  return id;
}

/** Imports what a dry run has reported, whose file is kept. Returns whether it is. */
export async function importTried(
  env: Env,
  { accountId, id }: imports.Import,
  actor: Actor,
): Promise<boolean> {
  const isKept = await imports.applyTried(env.DB, accountId, id, actor);
  if (isKept) await sendTask(env, { kind: 'import', accountId });
  return isKept;
}

/** A report as it is stored and shown. */
export type StoredReport = ImportReport & { readonly withdrawn_properties: string[] };

/** What an import that is held would withdraw: how many properties, and the first of them. */
export type WouldWithdraw = { readonly total: number; readonly properties: MissingProperty[] };

/** The report of an import, or what it would withdraw if it is held; each `null` if there is none. */
export async function readReport(
  env: Env,
  accountId: number,
  { id, hasReport, state }: imports.Import,
) {
  const isHeld = state === 'held';
  const { report: key } = keysOf({ accountId, id });
  const found = hasReport || isHeld ? await orUnavailable('report', env.FILES.get(key)) : null;
  return {
    report: found === null || isHeld ? null : await found.json<StoredReport>(),
    would_withdraw: found !== null && isHeld ? await found.json<WouldWithdraw>() : null,
  };
}

/** Approves an import that is held, so that it is applied. Returns whether it was held. */
export async function approve(env: Env, accountId: number, id: number): Promise<boolean> {
  const wasHeld = await imports.approveImport(env.DB, accountId, id);
  if (wasHeld) await sendTask(env, { kind: 'import', accountId });
  return wasHeld;
}

/** Cancels an import that has not ended; what it has written remains. Returns whether there was one. */
export async function cancel(
  env: Env,
  accountId: number,
  id: number,
  now: EpochSeconds,
): Promise<boolean> {
  const wasActive = await imports.cancelImport(env.DB, accountId, id, now);
  if (wasActive) await deleteFiles(env.FILES, { accountId, id }).catch(() => {});
  return wasActive;
}

/**
 * Creates or changes a source.
 *
 * @param url as it was given, or as it is shown, which leaves the URL of an existing source unchanged
 * @returns whether it is new; `null` if the account has the maximum number of sources, and `masked` if it hides an unknown URL
 */
export async function saveSource(
  env: Env,
  address: Address,
  settings: sources.SourceSettings,
  url: string,
  now: EpochSeconds,
): Promise<boolean | null | 'masked'> {
  const stored = await sources.findSource(env.DB, address);
  const isShown = stored !== null && url === stored.shownUrl;
  if (!isShown && isMasked(url)) return 'masked';
  const context = sealingContext(address.accountId, address.name);
  const sealed = isShown
    ? null
    : { sealed: await seal(url, env.SEALING_KEY, context), shown: shownUrl(url) };
  return sources.putSource(env.DB, address, settings, sealed, nextRun(settings, now));
}

/**
 * Starts an import of a source.
 *
 * @param due starts it only if the source is due at this time
 * @returns its id; `null` if none is started
 */
async function start(
  env: Env,
  source: sources.Source,
  due: EpochSeconds | null,
  now: EpochSeconds,
) {
  const next = nextRun(source, now);
  const { id, cancelled } = await sources.startSourceImport(env.DB, source, due, next);
  for (const held of cancelled)
    await deleteFiles(env.FILES, { ...source, id: held }).catch(() => {});
  return id;
}

/** Starts an import of a source now. Returns its id, or `null` if one is waiting or under way. */
export async function runSource(
  env: Env,
  source: sources.Source,
  now: EpochSeconds,
): Promise<number | null> {
  const id = await start(env, source, null, now);
  if (id !== null) await sendTask(env, { kind: 'import', accountId: source.accountId });
  return id;
}

/** Starts the imports of the sources whose time has come, and continues those that a lost message has left behind. */
export async function runSchedule(env: Env, now: EpochMilliseconds): Promise<void> {
  const seconds = Math.floor(now / 1_000);
  const due = await sources.listDueSources(env.DB, seconds, AT_ONCE);
  for (const source of due) await start(env, source, seconds, seconds);
  for (const accountId of await imports.listStalledAccounts(env.DB, now))
    await sendTask(env, { kind: 'import', accountId });
}

/** Deletes old imports with their files. */
export async function sweepOldImports(env: Env): Promise<void> {
  const swept = await imports.sweepImports(env.DB, RETENTION_DAYS, AT_ONCE);
  const keys = swept.flatMap((one) => [
    keysOf(one).file,
    keysOf(one).report,
    ...(one.plan === null ? [] : [one.plan, recordsKeyOf(one.plan)]),
  ]);
  const tried = await imports.forgetTried(env.DB, KEPT_DAYS, AT_ONCE);
  keys.push(...tried.map((one) => keysOf(one).file));
  if (keys.length > 0) await env.FILES.delete(keys);
}
