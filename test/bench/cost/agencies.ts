import type { Billed, Cost } from './prices.ts';

/** A service for agencies of 10,000 properties, each read by 20 portals and updated 2,000 times a day. */
interface Scenario {
  readonly agencies: number;
  /** Different parameter sets that the portals of an agency request. */
  readonly sets: number;
  /** Seconds between two requests of a portal. */
  readonly interval: number;
  /** Whether the cache of the Worker's location is used in front of KV, as on a custom domain. */
  readonly hasLocalCache: boolean;
}

/** Exact costs of single operations on a feed of 20 segments. */
export interface Operations {
  readonly notModified: Cost;
  /** All parts from KV. */
  readonly hit: Cost;
  /** One part built, the others from KV. */
  readonly afterChange: Cost;
  readonly update: Cost;
}

const MONTH = 730 * 3600;
const SEGMENTS = 20;
const PORTALS = 20;
const UPDATES_A_DAY = 2_000;

/** Share of the requests for a part that it has stored, mostly minutes before, which the local cache answers: it may evict any. */
const LOCAL_HITS = 0.95;

/** Seconds after which a part that is requested again in the same state is written to KV too, if there is a local cache. */
const STABLE_AFTER = 3_600;

/** Gigabytes of an agency's rows, and of its feed for one parameter set in KV. */
const ROWS = 0.2;
const FEED = 0.018;

/** Gigabytes of a line of the log: ours has 500 bytes, and is taken to get twice that from the platform. */
const LINE = 1.5e-6;

/** Days for which the platform keeps lines. */
const LINES_KEPT = 7;

/** Messages of an update to an agency with one webhook: what has changed, and the call. */
const MESSAGES = 2;

/** Pieces of a backup, its gigabytes, and how many are kept. */
const PIECES = 50;
const BACKUP = 0.01;
const BACKUPS = 30;

/**
 * What a month uses. Updates come at random and hit all segments alike, so the state of a segment survives `t` seconds with the
 * probability `exp(-rate * t)`. A stale part is deleted from KV.
 */
export function monthOf(
  { agencies, sets, interval, hasLocalCache }: Scenario,
  operations: Operations,
): Billed {
  const rate = UPDATES_A_DAY / 86_400 / SEGMENTS;
  const survives = (seconds: number) => Math.exp(-rate * seconds);
  const polls = (agencies * PORTALS * MONTH) / interval;
  const notModified = polls * survives(interval) ** SEGMENTS;
  const full = polls - notModified;
  const setInterval = interval / (PORTALS / sets);
  const outdated = polls * SEGMENTS * (1 - survives(setInterval));
  const cached = full * SEGMENTS - outdated;
  const built = outdated + (hasLocalCache ? cached * (1 - LOCAL_HITS) : 0);
  const written = hasLocalCache ? outdated * survives(Math.max(STABLE_AFTER, setInterval)) : built;
  const updates = (agencies * UPDATES_A_DAY * MONTH) / 86_400;
  const { notModified: same, hit, afterChange, update } = operations;
  const pieces = (agencies * PIECES * MONTH) / 86_400;
  // Feeds of which all parts were cached have no line; how many these are is not modelled.
  const logged = (full + updates) * LINE;
  const sum = (of: 'rowsRead' | 'rowsWritten' | 'cpu') =>
    notModified * same[of] +
    full * hit[of] +
    built * (afterChange[of] - hit[of]) +
    updates * update[of];
  // A row of the ledger of snapshots is written with each entry of KV.
  const unrecorded = built - written;
  return {
    requests: polls + updates,
    cpu: sum('cpu'),
    rowsRead: sum('rowsRead'),
    rowsWritten: sum('rowsWritten') - unrecorded * afterChange.rowsWritten,
    kvReads: hasLocalCache ? 0 : cached,
    kvWrites: written,
    kvDeletes: written,
    logged,
    logStorage: (logged * LINES_KEPT * 86_400) / MONTH,
    dataPoints: polls + updates,
    d1Storage: agencies * ROWS,
    kvStorage: agencies * sets * FEED * (hasLocalCache ? survives(STABLE_AFTER) : 1),
    queueOperations: 3 * (MESSAGES * updates + pieces),
    r2Writes: pieces,
    r2Reads: 2 * pieces,
    r2Storage: agencies * BACKUP * BACKUPS,
  };
}
