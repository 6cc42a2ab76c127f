import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import type { Service } from '../../src/cli/service/client.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { runIn } from '../support/processes/command-line.ts';
import type { Platform } from '../support/processes/platform.ts';
import type { Random } from '../support/random.ts';
import { type Agency, DEVELOPMENT, offeredAt, type Price } from './agency.ts';

/** Milliseconds between two imports, and between two losses. */
const IMPORT_EVERY = 10_000;
const LOSE_EVERY = 5_000;

/** A feed as a reader has received it: the price of each record. */
interface Held {
  readonly etag: string;
  readonly prices: ReadonlyMap<string, number>;
}

/** Different sets of feed parameters, in an order that mixes them: 77 and 360 have no common divisor. */
const SETS = [
  ['T=SALE', 'T=RENT', ''],
  ['IC=0', 'IC=1', 'IC=3', 'IC=12', ''],
  ['Language=1', 'Language=3', 'Language=1,2,3', ''],
  ['DisplayListingDate=TRUE', ''],
].reduce(
  (queries, values) => queries.flatMap((query) => values.map((value) => `${query}&${value}`)),
  ['FV=1', 'FV=2', 'FV=3'],
);
export const QUERIES = SETS.map((_, index) => SETS[(index * 77) % SETS.length]!);

/** Clients of a service, and what has happened to them so far. */
export class Load {
  readonly counts = new Map<string, number>();
  /** Milliseconds of each complete feed or 304. */
  readonly durations: number[] = [];
  /** What went wrong. */
  readonly failures: string[] = [];
  isOver: () => boolean = () => false;

  readonly agencies: readonly Agency[];
  readonly #origin: string;

  constructor(origin: string, agencies: readonly Agency[]) {
    this.#origin = origin;
    this.agencies = agencies;
  }

  /** Requests feeds until it is over, each of which must be complete and show every change of more than a second ago. */
  async read(queries: readonly string[], averagePause: number, random: Random): Promise<void> {
    const held = new Map<string, Held>();
    while (!this.isOver()) {
      const agency = random.pick(this.agencies);
      const query = random.pickSkewed(queries);
      await this.#readOne(agency, query, random.pick(['gzip', 'identity']), held).catch((error) => {
        if (this.isOver()) return;
        // A feed that fails ends its connection or its gzip stream early, and its reader requests it again.
        if (/^(UND_ERR_SOCKET|Z_)/.test(error.code)) this.#count('feeds: aborted');
        else this.failures.push(`GET ?${query}: ${error}`);
      });
      await pause(random.next() * 2 * averagePause);
    }
  }

  async #readOne(
    agency: Agency,
    query: string,
    encoding: string,
    held: Map<string, Held>,
  ): Promise<void> {
    const key = `${agency.code} ${query} ${encoding}`;
    const before = held.get(key);
    const headers = {
      'Accept-Encoding': encoding,
      ...(before && { 'If-None-Match': before.etag }),
    };
    const path = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=secret&${query}`;
    const requestedAt = performance.now();
    const response = await this.#send(path, { headers });
    const xml = await response.text();
    if (response.status === 503) return this.#count('feeds: 503');
    this.durations.push(performance.now() - requestedAt);
    if (response.status === 304 && before !== undefined) {
      this.#count('feeds: not modified');
      return this.#check(agency, query, before, requestedAt);
    }
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const [, cache = 'built'] = /(hit|partial)/.exec(response.headers.get('Cache-Status')!) ?? [];
    this.#count(`feeds: ${cache}`);
    if (!xml.trimEnd().endsWith('</root>')) throw new Error('incomplete');
    const records = xml.matchAll(/<property><id>([^<]*)<\/id>.*?<price>([^<]*)<\/price>/gs);
    const prices = new Map(Array.from(records, ([, id, price]) => [id!, Number(price)]));
    const received = { etag: response.headers.get('ETag')!, prices };
    this.#check(agency, query, received, requestedAt);
    held.set(key, received);
  }

  /** @throws if a feed lacks a record, or shows a price that it may not */
  #check(
    { code, units, sales, rentals }: Agency,
    query: string,
    { prices }: Held,
    requestedAt: number,
  ): void {
    const forSale = query.includes('T=RENT') ? [] : [...units, ...sales];
    const expected = query.includes('T=SALE') ? forSale : [...forSale, ...rentals];
    if (prices.size !== expected.length)
      throw new Error(`${prices.size} of ${expected.length} records`);
    for (const [id, price] of expected) {
      const [shown, least] = [prices.get(id) ?? 0, price.lowestAt(requestedAt)];
      if (shown >= least && shown <= price.highest) continue;
      throw new Error(`stale: ${id} of ${code} at ${shown}, not at ${least} to ${price.highest}`);
    }
  }

  /** Raises the price of a unit until it is over, and repeats what is not acknowledged. */
  async write(
    agency: Agency,
    UntName: string,
    averagePause: number,
    random: Random,
  ): Promise<void> {
    const price = agency.units.get(UntName)!;
    let token = await this.#obtainToken(agency);
    for (; !this.isOver(); await pause(random.next() * 2 * averagePause)) {
      const UntPrice = ++price.highest;
      while (!this.isOver()) {
        const { status } = await this.#send(
          `/v1/developments/${DEVELOPMENT}/units/update-by-name`,
          {
            method: 'POST',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ UntName, UntStatus: 1, UntPrice, UntDirections: [['S', 'SE']] }),
          },
        );
        if (status === 200) {
          price.acknowledge(UntPrice);
          this.#count('updates');
          break;
        }
        if (status === 401) token = await this.#obtainToken(agency);
        else if (status === 503) this.#count('updates: 503, repeated');
        else this.failures.push(`POST: ${status}`);
        await pause(200);
      }
    }
  }

  async #obtainToken({ client }: Agency): Promise<string> {
    const body = JSON.stringify({ grant_type: 'client_credentials', ...client });
    const headers = { 'Content-Type': 'application/json' };
    const response = await this.#send('/oauth/token', { method: 'POST', headers, body });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** Imports higher prices of some properties until it is over, with the operator's program. */
  async importAgain(service: Service, directory: string, random: Random): Promise<void> {
    const file = join(directory, 'changed.ndjson');
    const context = {
      directory,
      now: nowInSeconds,
      service: async () => service,
      wrangler: () => Promise.reject(new Error('An import does not run wrangler')),
    };
    for (; !this.isOver(); await pause(IMPORT_EVERY)) {
      const { code, sales, rentals } = random.pick(this.agencies);
      const changed: [string, Price][] = [
        ...random.some([...sales], 3),
        ...random.some([...rentals], 1),
      ];
      await writeFile(
        file,
        changed.map(([id, price]) => JSON.stringify(offeredAt(id, ++price.highest))).join('\n'),
      );
      while ((await runIn(context, ['import', file, '--account', code], '')).exit !== 0) {
        if (this.isOver()) return;
        this.#count('imports: failed, repeated');
      }
      for (const [, price] of changed) price.acknowledge(price.highest);
      this.#count('imports');
    }
  }

  /** Deletes some entries of KV again and again until it is over, as if KV had lost them. */
  async loseSnapshots({ env: { SNAPSHOTS } }: Platform, random: Random): Promise<void> {
    for (; !this.isOver(); await pause(LOSE_EVERY)) {
      try {
        const { keys } = await SNAPSHOTS.list({ limit: 1_000 });
        for (const { name } of random.some(keys, Math.ceil(keys.length / 20))) {
          await SNAPSHOTS.delete(name);
          this.#count('lost KV entries');
        }
      } catch {
        // The service is writing to the same file at this moment.
      }
    }
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Sends a request over a connection of its own: workerd closes idle ones, and a request that is then sent is lost. */
  async #send(path: string, init: Parameters<typeof request>[1]): Promise<Response> {
    const {
      statusCode: status,
      headers,
      body,
    } = await request(this.#origin + path, { ...init, reset: true });
    const bytes = await body.bytes();
    const isGzip = headers['content-encoding'] === 'gzip' && bytes.length > 0;
    const content = isGzip ? gunzipSync(bytes) : bytes;
    const given = new Headers(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    );
    return new Response(status === 304 ? null : content, { status, headers: given });
  }
}
