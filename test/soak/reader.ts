import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import type { Agency } from './agency.ts';
import { send } from './send.ts';
import type { Tally } from './tally.ts';
import type { Timeline } from './timeline.ts';

/** A feed as a reader has received it: the price of each record. */
interface Held {
  readonly etag: string;
  readonly prices: ReadonlyMap<string, number>;
}

/** What the readers share. */
export interface Readers {
  readonly origin: string;
  readonly agencies: readonly Agency[];
  readonly queries: readonly string[];
  readonly tally: Tally;
  /** Average milliseconds between two requests of a reader. */
  readonly pause: number;
  isOver(): boolean;
}

/** Requests feeds until it is over, each of which must be complete and show every change of more than a second ago. */
export async function read(readers: Readers, random: Random): Promise<void> {
  const held = new Map<string, Held>();
  while (!readers.isOver()) {
    const agency = random.pick(readers.agencies);
    const query = random.pickSkewed(readers.queries);
    const encoding = random.pick(['gzip', 'identity']);
    await readOne(readers, agency, query, encoding, held).catch((error) => {
      if (readers.isOver()) return;
      // Of the body: a feed that fails aborts its connection, and its reader requests it again.
      if (error instanceof TypeError) readers.tally.count('feeds: aborted');
      else readers.tally.fail(`GET ?${query}: ${error}`);
    });
    await pause(random.next() * 2 * readers.pause);
  }
}

async function readOne(
  { origin, tally }: Readers,
  agency: Agency,
  query: string,
  encoding: string,
  held: Map<string, Held>,
): Promise<void> {
  const key = `${agency.code} ${query} ${encoding}`;
  const before = held.get(key);
  const headers: Record<string, string> = { 'Accept-Encoding': encoding };
  if (before !== undefined) headers['If-None-Match'] = before.etag;
  const url = `${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=secret&${query}`;
  const requestedAt = performance.now();
  const response = await send(url, { headers }, tally);
  const xml = await response.text();
  const { status } = response;
  if (status === 503) return tally.count('feeds: 503');
  tally.durations.push(performance.now() - requestedAt);
  if (status === 304 && before !== undefined) {
    tally.count('feeds: not modified');
    return check(agency, query, before, requestedAt, tally);
  }
  if (status !== 200) return tally.fail(`GET ?${query}: ${status}`);
  tally.count(`feeds: ${cacheStatus(response)}`);
  if (!xml.endsWith('</root>\n') && !xml.endsWith('</root>')) return tally.fail(`GET ?${query}: incomplete`);
  const received = { etag: response.headers.get('ETag')!, prices: pricesIn(xml) };
  check(agency, query, received, requestedAt, tally);
  held.set(key, received);
}

/** Counts a feed as stale or wrong if it is. */
function check(agency: Agency, query: string, { prices }: Held, requestedAt: number, tally: Tally): void {
  const expected = shownIn(agency, query);
  const wrong = expected.find(([id, timeline]) => {
    const price = prices.get(id);
    return price === undefined || price < timeline.lowestAt(requestedAt) || price > timeline.highest;
  });
  if (prices.size !== expected.length) tally.fail(`GET ?${query}: ${prices.size} of ${expected.length} records`);
  if (wrong === undefined) return;
  const [id, timeline] = wrong;
  const allowed = `${timeline.lowestAt(requestedAt)} to ${timeline.highest}`;
  tally.count('stale feeds');
  tally.fail(`GET ?${query}: ${id} of ${agency.code} at ${prices.get(id)}, not at ${allowed}`);
}

function shownIn({ units, sales, rentals }: Agency, query: string): [string, Timeline][] {
  if (query.includes('T=SALE')) return [...units, ...sales];
  return query.includes('T=RENT') ? [...rentals] : [...units, ...sales, ...rentals];
}

function pricesIn(xml: string): Map<string, number> {
  const records = xml.matchAll(/<property><id>([^<]*)<\/id>.*?<price>([^<]*)<\/price>/gs);
  return new Map(Array.from(records, ([, id, price]) => [id!, Number(price)]));
}

function cacheStatus({ headers }: Response): string {
  const status = headers.get('Cache-Status') ?? '';
  if (status.includes('; hit')) return 'hit';
  return status.includes('fwd=partial') ? 'partly built' : 'built';
}
