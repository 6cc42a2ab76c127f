import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  lte,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { eventStatements } from '../accounts/events.ts';
import { listOf } from '../db/json-rows.ts';
import {
  accounts,
  type DayCounts,
  type DeliveredRevision,
  deliveries,
  readers,
} from '../db/schema.ts';
import { runBatch, whereEquals } from '../db/statements.ts';
import { NO_FEED, setAside, storedVisit, type Visit, withVisits } from './visits.ts';

/** Seconds between two writes of the same row: what a reader that polls costs. */
export const DELIVERY_RECORDED_EVERY_SECONDS = 600;

/** Maximum number of deliveries of different states in the history. */
const MAX_HISTORY = 40;

/** The usual interval is a moving average: the weight of the newest one, which counts as at most a multiple of the average. */
const NEWEST_WEIGHT = 0.2;
const MAX_MULTIPLE = 3;

type Row = Readonly<typeof deliveries.$inferSelect>;

/**
 * A response that shows that its reader has a state of the feed, or a later one. It is confirmed when
 * the reader comes back with a validator that only this response can have given it.
 */
export interface Delivery extends Pick<Row, 'confirmedAt'> {
  readonly at: number;
  /** The number of the account's last change in that state. */
  readonly revision: number;
  readonly status: 200 | 304;
  /** The size of the body as it was sent. */
  readonly bytes: number;
  readonly origin: 'hit' | 'partial' | 'miss' | 'not modified';
}

/** What a response shows of the state that its reader has. */
export interface NewDelivery extends Delivery {
  /** Whether it shows that state by itself. The date of a 304 only confirms a state that was recorded as sent. */
  readonly isProof: boolean;
}

/** Requests of a reader for one feed since the last write. */
export interface Requests {
  /** The name of the format and the canonical name of the parameter set. */
  readonly feed: string;
  readonly count: number;
  readonly lastAt: number;
  readonly days: DayCounts;
  readonly delivery: NewDelivery | null;
  readonly visits: readonly Visit[];
}

/**
 * Records requests of a reader, unless the row was written within the last ten minutes.
 *
 * @returns whether they are recorded, or the reader no longer exists; otherwise they can be recorded later
 */
export async function recordRequests(
  db: D1Database,
  readerId: number,
  requests: Requests,
): Promise<boolean> {
  const results = await runBatch(db, requestsQueries(db, readerId, requests));
  return results.at(-1)!.length > 0;
}

/** The queries of {@link recordRequests}, for a batch: the last one returns a row if they are recorded. */
export function requestsQueries(
  db: D1Database,
  readerId: number,
  requests: Requests,
): readonly SQLWrapper[] {
  const { feed, count, lastAt, days, delivery, visits } = requests;
  const first = delivery?.isProof ? delivery : null;
  const { lastSeenAt, usualInterval, intervals } = deliveries;
  const interval = sql`((${lastAt} - ${lastSeenAt}) / ${count})`;
  const delivered = delivery === null ? {} : deliveredColumns(delivery);
  const isDue = lte(lastSeenAt, sql`${lastAt} - ${DELIVERY_RECORDED_EVERY_SECONDS}`);
  const recording = drizzle(db)
    .insert(deliveries)
    .select(sql`
      SELECT ${readers.id}, ${feed}, ${first?.at ?? null}, ${first?.revision ?? null}, ${first?.status ?? null},
             ${first?.bytes ?? null}, ${first?.origin ?? null}, ${lastAt}, NULL, 0, 0, ${JSON.stringify(days)},
             ${JSON.stringify(first === null ? [] : [historyEntry(first)])}, ${first?.confirmedAt ?? null},
             ${JSON.stringify(visits.map(storedVisit))}
        FROM ${readers} WHERE ${readers.id} = ${readerId}`)
    .onConflictDoUpdate({
      target: [deliveries.readerId, deliveries.feed],
      set: {
        ...delivered,
        lastSeenAt: sql`${lastAt}`,
        usualInterval: sql`iif(${usualInterval} IS NULL, ${interval},
          ${usualInterval} + ${NEWEST_WEIGHT} * (min(${interval}, ${MAX_MULTIPLE} * ${usualInterval}) - ${usualInterval}))`,
        intervals: sql`${intervals} + 1`,
        overdueLogged: sql`0`,
        days: withDays(days),
        visits: withVisits(visits),
      },
      setWhere: isDue,
    })
    .returning({ feed: deliveries.feed });
  return [setAside(readerId, feed, isDue, lastAt), recording];
}

/** What a reader was given of one feed. The history has the last deliveries of different states, newest last. */
export interface FeedDeliveries
  extends Pick<Row, 'feed' | 'lastSeenAt' | 'usualInterval' | 'intervals' | 'days' | 'history'> {
  /** The reader's name. */
  readonly reader: string;
  readonly delivery: Delivery | null;
}

/** What these readers of an account, or all of them, were given, by reader; the feed requested last comes first. */
export async function listDeliveries(
  db: D1Database,
  accountId: number,
  names?: readonly string[],
): Promise<FeedDeliveries[]> {
  const { readerId, overdueLogged, visits, ...columns } = getTableColumns(deliveries);
  const rows = await drizzle(db)
    .select({ reader: readers.name, ...columns })
    .from(readers)
    .innerJoin(deliveries, eq(deliveries.readerId, readers.id))
    .where(
      and(
        whereEquals(readers, { accountId, ...(names && { name: names }) }),
        ne(deliveries.feed, NO_FEED),
      ),
    )
    .orderBy(asc(readers.name), desc(deliveries.lastSeenAt));
  return rows.map(
    ({ deliveredAt: at, revision, status, bytes, origin, confirmedAt, ...others }) => {
      const delivery = { at, revision, status, bytes: bytes ?? 0, origin, confirmedAt } as Delivery;
      return { ...others, delivery: at === null ? null : delivery };
    },
  );
}

/** When each enabled reader of these accounts was last seen; those that never were are left out. */
export async function listLastSeen(db: D1Database, accountIds: readonly number[]) {
  const {
    readerId,
    lastSeenAt,
    usualInterval,
    intervals,
    overdueLogged: isOverdueLogged,
  } = deliveries;
  const { id, accountId, name: reader } = readers;
  // SQLite takes the other columns from the row with the maximum (https://sqlite.org/lang_select.html#bareagg).
  const last = {
    lastSeenAt: sql<number>`max(${lastSeenAt})`,
    usualInterval,
    intervals,
    isOverdueLogged,
  };
  return drizzle(db)
    .select({ account: accounts.code, accountId, readerId: id, reader, ...last })
    .from(readers)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .innerJoin(deliveries, eq(readerId, id))
    .where(
      and(
        inArray(accounts.id, listOf(accountIds)),
        ne(deliveries.feed, NO_FEED),
        eq(readers.disabled, false),
        eq(accounts.disabled, false),
        // Nothing of an account that is being moved can change. It is logged an hour later.
        eq(accounts.frozen, false),
      ),
    )
    .groupBy(id);
}

/**
 * Adds the news that these readers are overdue, and records that it was added, until their next request: in one transaction,
 * however many there are after an outage.
 */
export async function recordOverdue(db: D1Database, readerIds: readonly number[]): Promise<void> {
  const ids = listOf(readerIds);
  await runBatch(db, [
    ...eventStatements(
      'reader.overdue',
      sql`SELECT account_id, name AS subject FROM readers WHERE id IN ${ids}`,
    ),
    sql`UPDATE deliveries SET late_logged = 1 WHERE reader_id IN ${ids}`,
  ]);
}

/**
 * The columns of a row after a delivery: a 304 replaces the one before if it proves another state, and confirms it if it
 * shows the same.
 */
function deliveredColumns(delivery: NewDelivery): Record<string, SQL> {
  const { isProof, confirmedAt, at, ...others } = delivery;
  const { revision, status } = others;
  const named = { ...others, deliveredAt: at };
  const differs = sql`${deliveries.revision} IS NOT ${revision}`;
  const isLater = sql`${Number(isProof)} AND ${at} >= ifnull(${deliveries.deliveredAt}, 0)`;
  const replaces = status === 200 ? isLater : sql`${isLater} AND ${differs}`;
  const confirmed = sql`CAST(${confirmedAt} AS INTEGER)`;
  const { history } = deliveries;
  const shortened = sql`iif(json_array_length(${history}) >= ${MAX_HISTORY}, json_remove(${history}, '$[0]'), ${history})`;
  const isNewlyConfirmed = sql`${confirmed} IS NOT NULL AND ${deliveries.confirmedAt} IS NULL`;
  return {
    ...Object.fromEntries(
      Object.entries(named).map(([name, value]) => [
        name,
        sql`iif(${replaces}, ${value}, ${deliveries[name as keyof typeof named]})`,
      ]),
    ),
    confirmedAt: sql`iif(${differs}, iif(${replaces}, ${confirmed}, ${deliveries.confirmedAt}),
      ifnull(${deliveries.confirmedAt}, ${confirmed}))`,
    history: sql`iif(${differs},
      iif(${isLater}, json_insert(${shortened}, '$[#]', json(${JSON.stringify(historyEntry(delivery))})), ${history}),
      iif(${isNewlyConfirmed}, json_set(${history}, '$[#-1][2]', ${confirmed}), ${history}))`,
  };
}

function historyEntry({ at, revision, confirmedAt }: Delivery): DeliveredRevision {
  return [at, revision, confirmedAt];
}

/** The sums of several counts, by day. */
export function sumOfDays(all: readonly DayCounts[]): DayCounts {
  const sum: Record<string, [number, number]> = {};
  // Every response to a reader adds its day: no lists are made of them.
  for (const days of all) {
    for (const date in days) {
      const [full, notModified] = days[date]!;
      const [before, unchanged] = sum[date] ?? [0, 0];
      sum[date] = [before + full, unchanged + notModified];
    }
  }
  return sum;
}

/** The counts of a row with those of more days added. */
function withDays(days: DayCounts): SQL {
  return Object.entries(days).reduce((counts, [day, [full, notModified]]) => {
    const path = `$."${day}"`;
    const count = (index: number, more: number) =>
      sql`coalesce(${deliveries.days} ->> ${`${path}[${index}]`}, 0) + CAST(${more} AS INTEGER)`;
    return sql`json_set(${counts}, ${path}, json_array(${count(0, full)}, ${count(1, notModified)}))`;
  }, sql`${deliveries.days}`);
}
