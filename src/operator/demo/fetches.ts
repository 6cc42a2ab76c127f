import type { SQLWrapper } from 'drizzle-orm';
import { readers } from '../../db/schema.ts';
import { runBatch, selectOne } from '../../db/statements.ts';
import { type Fetch, fetchesOf } from '../../demo/life/moments.ts';
import { PORTALS } from '../../demo/life/people-and-portals.ts';
import type { DemoPortal } from '../../demo/life/types.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { readQuery, select } from '../../feed/request/query.ts';
import { type EpochSeconds, isoDate } from '../../lib/time/time.ts';
import { listDeliveries, type Requests, requestsQueries } from '../../readers/deliveries.ts';
import { findReader } from '../../readers/readers.ts';

/** A portal as the ledger knows it. */
interface FetchingReader {
  readonly id: number;
  /** Which feed it fetches, as the ledger names it. */
  readonly feed: string;
  /** When it was last seen; 0 if it never was. */
  readonly seen: EpochSeconds;
  /** The number of the account's last change that it was sent; `null` before its first fetch. */
  revision: number | null;
}

/** Records fetches after one time and up to another, between which nothing of the account changed. */
type Recorder = (after: EpochSeconds, to: EpochSeconds, revision: number) => Promise<void>;

/**
 * What records the fetches of all portals in the ledger, as responses to them would be.
 *
 * @param now from which fetches are counted back
 */
export async function fetchRecorder(
  db: D1Database,
  accountId: number,
  now: EpochSeconds,
): Promise<Recorder> {
  const earlier = await listDeliveries(db, accountId);
  const all = PORTALS.flatMap((portal) => fetchesOf(portal, now));
  const fetches = all.toSorted((a, b) => a.time - b.time);
  const known = new Map<DemoPortal, FetchingReader>();
  const readerOf = async (portal: DemoPortal) => {
    const last = earlier.find(({ reader }) => reader === portal.name);
    const before = { seen: last?.lastSeenAt ?? 0, revision: last?.delivery?.revision ?? null };
    const reader = known.get(portal) ?? {
      ...(await findFetching(db, accountId, portal)),
      ...before,
    };
    known.set(portal, reader);
    return reader;
  };
  return async (after, to, revision) => {
    const due = fetches.filter(({ time }) => time > after && time <= to);
    const queries: SQLWrapper[] = [];
    for (const fetch of due) {
      const reader = await readerOf(fetch.portal);
      // An earlier call has recorded it.
      if (fetch.time <= reader.seen) continue;
      queries.push(...requestsQueries(db, reader.id, requestOf(fetch, reader, revision)));
      reader.revision = revision;
    }
    if (queries.length > 0) await runBatch(db, queries);
  };
}

/** The reader that a portal is, and the feed that it fetches with its preset. */
async function findFetching(db: D1Database, accountId: number, portal: DemoPortal) {
  const { name } = portal;
  const [row, reader] = await Promise.all([
    selectOne(db, readers, ['id'], { accountId, name }),
    findReader(db, { accountId, name }),
  ]);
  if (row === null || reader === null) throw new Error(`The demo agency has no portal ${name}`);
  const format = FORMATS.find((one) => one.name === portal.format)!;
  const query = readQuery(new Request(`https://demo.example.com/${format.file}`));
  if ('errors' in query) throw new Error(JSON.stringify(query.errors));
  const { preset, policy, channelId: channel } = reader;
  const selected = select(query, { preset, isFixed: false, channel, policy });
  if ('errors' in selected) throw new Error(JSON.stringify(selected.errors));
  return { id: row.id, feed: `${format.name}?${selected.set.parameters}` };
}

/** What a fetch is to the ledger: a portal that sends its ETag gets a 304 if nothing has changed. */
function requestOf({ portal, time }: Fetch, reader: FetchingReader, revision: number): Requests {
  const { isConditional, bytes, records, program } = portal.fetches;
  const hasIt = isConditional && reader.revision === revision;
  const response = hasIt
    ? ({ status: 304, bytes: 0, origin: 'not modified', confirmedAt: time } as const)
    : ({ status: 200, bytes, origin: 'miss', confirmedAt: null } as const);
  return {
    feed: reader.feed,
    count: 1,
    lastAt: time,
    days: { [isoDate(time)]: hasIt ? [0, 1] : [1, 0] },
    delivery: { at: time, revision, isProof: true, ...response },
    visits: [
      {
        at: time,
        until: time,
        count: 1,
        answer: hasIt ? 'not_modified' : 'full',
        status: response.status,
        records: hasIt ? null : records,
        bytes: response.bytes,
        program,
      },
    ],
  };
}
