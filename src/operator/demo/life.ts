import { findAccountId } from '../../accounts/accounts.ts';
import { EVENTS } from '../../demo/life/events.ts';
import { timeOf } from '../../demo/life/moments.ts';
import type { Env } from '../../env.ts';
import { invalidateManifests } from '../../feed/manifest/manifest-cache.ts';
import { ALL, dateBack, endEvents, readProgress, removeUndated } from './dates.ts';
import { writeEvent } from './events.ts';
import { fetchRecorder } from './fetches.ts';

/**
 * Writes what has happened at the demo agency in the days before it was created: the events one
 * after the other, and between them the fetches of portals, so that times, numbers of changes and
 * the ledger agree. Call it again if a call did not come to its end: it continues.
 *
 * @returns how many events were written
 */
export async function writeEvents(env: Env): Promise<number> {
  const db = env.DB;
  const accountId = (await findAccountId(db, 'DEMO')) ?? 0;
  const progress = await readProgress(db, accountId);
  if (progress === null || progress.done === ALL) return 0;
  const { done, now } = progress;
  const left = EVENTS.slice(done).map((event) => ({ event, time: timeOf(event, now) }));
  const recordFetches = await fetchRecorder(db, accountId, now);
  let last = { time: 0, revision: progress.revision };
  // Before the first event, the import of the portfolio is all that there is.
  if (done > 0 && left.length > 0) await removeUndated(db, accountId, left[0]!.time);
  for (const [index, { event, time }] of left.entries()) {
    await recordFetches(last.time, time, last.revision);
    const date = (written: number) => dateBack(db, accountId, time, done + written);
    await writeEvent(env, accountId, event, time, () => date(index));
    last = { time, revision: await date(index + 1) };
  }
  await recordFetches(last.time, now, last.revision);
  await endEvents(db);
  invalidateManifests(accountId);
  return left.length;
}
