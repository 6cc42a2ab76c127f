import { boundedCache } from '../lib/bounded-cache.ts';
import { type EpochMilliseconds, isoTime, isWithin } from '../lib/time/time.ts';
import { existing, ProblemError } from '../problem.ts';
import * as news from './changes.ts';
import { type Cursor, encodeCursor, expiry } from './cursor.ts';
import * as schemas from './schemas.ts';

/** Milliseconds between reads of an account's number, and between checks of the number that was read. */
const INTERVAL_MS = 1_000;
const LOOK_MS = 200;

/** Who follows the changes of an account, and from where. */
interface Following<Change, View> {
  readonly db: D1Database;
  readonly accountId: number;
  /** Names what the caller sees. */
  readonly scope: string;
  /** Whether the caller still sees the same after a wait. */
  readonly isSame?: () => Promise<boolean>;
  readonly after: Cursor | null;
  readonly prefer: string | undefined;
  /** Reads a page after a position; `null` if the account no longer exists. */
  readonly read: (
    after: news.Position | null,
  ) => Promise<(news.ChangesPage<Change> & news.ChangeState) | null>;
  readonly view: (change: Change) => View;
}

/**
 * A page of changes and the headers of its response; an empty one only after the time for which the
 * caller prefers to wait.
 *
 * @throws ProblemError if the cursor has expired, or the account no longer exists
 */
export async function follow<Change, View>({
  db,
  accountId,
  scope,
  isSame = async () => true,
  after: cursor,
  prefer,
  read,
  view,
}: Following<Change, View>) {
  const wait = preferredWait(prefer);
  const end = Date.now() + wait * 1_000;
  let after: news.Position | null = cursor;
  for (;;) {
    const page = existing(await read(after), {
      code: 'not_found',
      detail: 'The account no longer exists.',
    });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired)
      throw new ProblemError({
        code: 'cursor_expired',
        detail: `${expired} ${schemas.BEGIN_AGAIN}`,
      });
    const isEmpty = page.changes.length === 0;
    if (
      isEmpty &&
      (await changesBefore(end, db, accountId, page.next.number)) &&
      (await isSame())
    ) {
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
      headers: {
        'Cache-Control': 'private, no-store',
        ...(wait > 0 && { 'Preference-Applied': `wait=${wait}` }),
      },
    };
  }
}

/** The seconds for which a caller prefers to wait (`Prefer: wait=30`, RFC 7240 section 4.3); 0 without a preference. */
function preferredWait(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), schemas.MAX_WAIT_SECONDS);
}

/** The numbers of accounts as this isolate last read them for all requests that wait. They are values: see `manifest-cache.ts`. */
const readings = boundedCache<{ readonly readAt: EpochMilliseconds; number: number }>({
  maxBytes: 2_000_000,
  valueBytes: 50,
});

/** Waits for an account to change after a number, and returns whether it did before `end`. */
async function changesBefore(
  end: EpochMilliseconds,
  db: D1Database,
  accountId: number,
  number: number,
) {
  const key = String(accountId);
  for (let now = Date.now(); now < end; now = Date.now()) {
    await scheduler.wait(Math.min(LOOK_MS, end - now));
    let reading = readings.get(key);
    if (reading === undefined || !isWithin(INTERVAL_MS, reading.readAt, Date.now())) {
      reading = { readAt: Date.now(), number: 0 };
      readings.set(key, reading);
      // If the account no longer exists, the next page says so.
      reading.number =
        (await news.readChangeState(db, accountId))?.number ?? Number.MAX_SAFE_INTEGER;
    }
    if (reading.number > number) return true;
  }
  return false;
}
