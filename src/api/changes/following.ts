import { type ChangeState, type ChangesPage, type Position, readChangeState } from '../../db/news/changes.ts';
import { type EpochMilliseconds, isoTime } from '../../lib/time/time.ts';
import { existing, ProblemError } from '../../problem.ts';
import { type Cursor, encodeCursor, expiry } from './cursor.ts';
import { BEGIN_AGAIN, MAX_WAIT_SECONDS } from './schemas.ts';

/** Milliseconds between two reads of an account's number. */
const INTERVAL_MS = 1_000;

/** Which changes are asked for. */
interface Following<Change, View> {
  readonly db: D1Database;
  readonly accountId: number;
  readonly cursor: Cursor | null;
  readonly scope: string;
  /** The `Prefer` header of the request. */
  readonly prefer: string | undefined;
  readonly view: (change: Change) => View;
  /** Reads a page after a position; `null` if the account no longer exists. */
  readonly read: (after: Position | null) => Promise<(ChangesPage<Change> & ChangeState) | null>;
}

/**
 * The response with a page of changes; with an empty one only after the time for which the caller prefers to wait.
 *
 * @throws ProblemError if the cursor has expired, or the account no longer exists
 */
export async function follow<Change, View>(following: Following<Change, View>) {
  const { db, accountId, cursor, scope, view, read } = following;
  const wait = preferredWait(following.prefer);
  const end = Date.now() + wait * 1_000;
  let after: Position | null = cursor;
  for (;;) {
    const page = existing(await read(after), { code: 'not_found', detail: 'The account no longer exists.' });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired) throw new ProblemError({ code: 'cursor_expired', detail: `${expired} ${BEGIN_AGAIN}` });
    const isOver = page.changes.length > 0 || page.hasMore;
    if (!isOver && (await changesBefore(end, db, accountId, page.next.number))) {
      after = page.next;
      continue;
    }
    return {
      body: {
        changes: page.changes.map(view),
        next: encodeCursor({ ...page.next, incarnation: page.incarnation, scope }),
        has_more: page.hasMore,
        as_of: isoTime(page.now),
      },
      headers: { 'Cache-Control': 'private, no-store', ...(wait > 0 && { 'Preference-Applied': `wait=${wait}` }) },
    };
  }
}

/** The seconds for which a caller prefers to wait (`Prefer: wait=30`, RFC 7240 section 4.3); 0 without a preference. */
function preferredWait(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_SECONDS);
}

/** Waits until an account has changed after a number, and returns whether it did so before `end`. */
async function changesBefore(end: EpochMilliseconds, db: D1Database, accountId: number, number: number) {
  for (let now = Date.now(); now < end; now = Date.now()) {
    await scheduler.wait(Math.min(INTERVAL_MS, end - now));
    const state = await readChangeState(db, accountId);
    if (state === null || state.number > number) return true;
  }
  return false;
}
