import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { deliveries, type StoredVisit } from '../db/schema.ts';
import type { Address } from '../db/statements.ts';
import { DAY_SECONDS, type EpochSeconds } from '../lib/time/time.ts';

/** Days for which it is known what a reader was given. */
export const COUNTED_DAYS = 90;

/**
 * What a request of a reader got: the whole feed; nothing, because it has the present state; an error of its own, or one of the
 * service; a part of the feed, because it disconnected; or what is no feed, such as headers alone.
 */
export const ANSWERS = [
  'full',
  'not_modified',
  'refused',
  'failed',
  'interrupted',
  'no_feed',
] as const satisfies readonly StoredVisit[3][0][];

/** Requests of a reader for a feed that followed each other and got the same answer. */
export interface Visit {
  /** When the first of them ended, and the last. */
  readonly at: EpochSeconds;
  readonly until: EpochSeconds;
  readonly count: number;
  readonly answer: (typeof ANSWERS)[number];
  readonly status: number;
  /** How many records the feed had; `null` if it was not sent, or that is not known. */
  readonly records: number | null;
  /** The size of the body as it was sent. */
  readonly bytes: number;
  /** What the program calls itself; may be empty. */
  readonly program: string;
}

/** A visit as it was recorded. */
export interface RecordedVisit extends Visit {
  /** The name of the format and the canonical name of the parameter set, or {@link NO_FEED}. */
  readonly feed: string;
}

/** What stands for the feed of requests that contradict the reader's preset. */
export const NO_FEED = 'none';

/** Equal answers that are at most this many seconds apart are one visit. */
const MAX_GAP_SECONDS = 5_400;

/** Visits between two writes; of more, the last ones are kept. */
const MAX_UNWRITTEN = 10;

/** Visits of a row. */
const PER_ROW = 50;

/** Rows of a reader: at the limit no more are written, until the sweep has deleted the oldest ones. */
const MAX_ROWS = 300;
export const MAX_SWEPT_ROWS = 250;

const MAX_PROGRAM_LENGTH = 80;

/** The last answer of {@link programOf}: a program sends the same name with every request. */
let known = { userAgent: '', program: '' };

/** What a program calls itself, without what could be a credential. */
export function programOf(userAgent: string | null): string {
  if (userAgent === null) return '';
  if (userAgent !== known.userAgent) {
    const text = userAgent.replace(/lindero_[\w-]*|\/\/[^\s/@]*@/gi, '…');
    const readable = text.replace(/[^\x20-\x7e\xa1-\xff…]+/g, ' ').trim();
    known = { userAgent, program: readable.slice(0, MAX_PROGRAM_LENGTH) };
  }
  return known.program;
}

/** Visits followed by others. */
export function joinVisits(earlier: readonly Visit[], later: readonly Visit[]): readonly Visit[] {
  const last = earlier.at(-1);
  const first = later[0];
  if (last === undefined || first === undefined || !isContinued(last, first))
    return [...earlier, ...later].slice(-MAX_UNWRITTEN);
  const until = Math.max(last.until, first.until);
  const joined = { ...last, until, count: last.count + first.count };
  // The usual case: a reader that polls.
  if (earlier.length === 1 && later.length === 1) return [joined];
  return [...earlier.slice(0, -1), joined, ...later.slice(1)].slice(-MAX_UNWRITTEN);
}

function isContinued(last: Visit, next: Visit): boolean {
  return (
    next.answer === last.answer &&
    next.status === last.status &&
    next.records === last.records &&
    next.bytes === last.bytes &&
    next.program === last.program &&
    next.at - last.until <= MAX_GAP_SECONDS
  );
}

/** The visits of a row with others: of a full row, only the others. */
export function withVisits(added: readonly Visit[]): SQL {
  const { visits } = deliveries;
  const before = sql`iif(json_array_length(${visits}) >= ${PER_ROW}, '[]', ${visits})`;
  return added.reduce((all, visit, index) => {
    const inserted = sql`json_insert(${all}, '$[#]', json(${JSON.stringify(storedVisit(visit))}))`;
    if (index > 0) return inserted;
    const isSame = sql`${all} -> '$[#-1][3]' = json(${JSON.stringify(answered(visit))})
      AND ${visit.at} - (${all} ->> '$[#-1][1]') <= ${MAX_GAP_SECONDS}`;
    const until = sql`max(${all} ->> '$[#-1][1]', CAST(${visit.until} AS INTEGER))`;
    const count = sql`(${all} ->> '$[#-1][2]') + CAST(${visit.count} AS INTEGER)`;
    return sql`iif(${isSame}, json_set(${all}, '$[#-1][1]', ${until}, '$[#-1][2]', ${count}), ${inserted})`;
  }, before);
}

/** Stores the visits of a full row apart, which {@link withVisits} then takes out of it. */
export function setAside(readerId: number, feed: string, isWritten: SQL, at: EpochSeconds): SQL {
  const { visits } = deliveries;
  return sql`
    INSERT INTO earlier_visits (reader_id, written_at, feed, visits)
    SELECT reader_id, CAST(${at} AS INTEGER), feed, visits FROM deliveries
     WHERE reader_id = ${readerId} AND feed = ${feed} AND ${isWritten}
       AND json_array_length(${visits}) >= ${PER_ROW}
       AND (SELECT count(*) FROM earlier_visits WHERE reader_id = ${readerId}) < ${MAX_ROWS}`;
}

/** Up to `limit` visits of a reader in the last {@link COUNTED_DAYS} days, newest first, after the one that a cursor names. */
export async function listVisits(
  db: D1Database,
  { accountId, name }: Address,
  now: EpochSeconds,
  limit: number,
  after: string | null = null,
): Promise<RecordedVisit[]> {
  const [, until, at, feed] = /^(\d+) (\d+) (.*)$/s.exec(after ?? '') ?? [];
  const isAfter =
    after === null
      ? sql`TRUE`
      : sql`(v.value ->> 1, v.value ->> 0, o.feed) < (${Number(until ?? 0)}, ${Number(at ?? 0)}, ${feed ?? ''})`;
  const rows = await drizzle(db).all<{ readonly feed: string; readonly visit: string }>(sql`
    WITH reader AS (SELECT id FROM readers WHERE account_id = ${accountId} AND name = ${name}),
         own AS (SELECT feed, visits FROM deliveries WHERE reader_id IN (SELECT id FROM reader)
                 UNION ALL
                 SELECT feed, visits FROM earlier_visits WHERE reader_id IN (SELECT id FROM reader))
    SELECT o.feed, v.value AS visit FROM own o, json_each(o.visits) v
     WHERE v.value ->> 1 >= ${now - COUNTED_DAYS * DAY_SECONDS} AND ${isAfter}
     ORDER BY v.value ->> 1 DESC, v.value ->> 0 DESC, o.feed DESC
     LIMIT ${limit}`);
  return rows.map(({ feed, visit }) => {
    const [at, until, count, [answer, status, records, bytes, program]]: StoredVisit =
      JSON.parse(visit);
    return { feed, at, until, count, answer, status, records, bytes, program };
  });
}

/** The cursor that names a visit. */
export function visitCursor({ until, at, feed }: RecordedVisit): string {
  return `${until} ${at} ${feed}`;
}

function answered({ answer, status, records, bytes, program }: Visit): StoredVisit[3] {
  return [answer, status, records, bytes, program];
}

/** A visit as it is stored. */
export function storedVisit(visit: Visit): StoredVisit {
  return [visit.at, visit.until, visit.count, answered(visit)];
}
