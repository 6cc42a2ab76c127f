import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { findAccountId } from '../../../src/accounts/accounts.ts';
import { createClient } from '../../../src/oauth/clients.ts';
import { newReader } from '../../../src/readers/api/reader.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { overProxy } from '../../support/processes/platform.ts';
import { accountCode, LONG_CODE, PASSWORD } from '../data/accounts.ts';
import { DEVELOPMENT } from '../data/portfolio.ts';
import type { Job } from '../load/generator.ts';
import { type RunningWorker, startWorker, type WorkerToRun } from './workerd.ts';

/** Every property has this many pictures, so a feed has the same bytes with this IC and with every higher one. */
const ALL_PICTURES = 20;
const MAX_PICTURES = 999;

/** Milliseconds within which a feed must be cached. */
const CACHED_WITHIN = 60_000;

/** The formats that are measured; the first one unless stated. In the other, units are in a part of their development. */
export type BenchFormat = 'resales' | 'idealista';

const FILES: Readonly<Record<BenchFormat, string>> = {
  resales: '/CreateXMLFeedV3.asp?FV=3',
  idealista: `/idealista.json?CustomerCode=ilc${'a1'.repeat(20)}`,
};

/** The Worker under test. */
export interface Lindero extends RunningWorker {
  readonly db: D1Database;
  /** The path and query of a feed that was cached when the data were loaded, or is cached by {@link cache}. */
  cachedFeed(properties: number, format?: BenchFormat): string;
  /** The same feed, requested with the key of a reader. */
  keyedFeed(properties: number): Promise<string>;
  /** The path and query of the same feed with parameters for which nothing is cached. */
  newFeed(properties: number, format?: BenchFormat): string;
  /** The same of the account with long texts, in ten languages. */
  newLongFeed(): string;
  /** Requests a feed, and waits until all of it is cached. */
  cache(feed: string): Promise<void>;
  /** An access token for the units of the account of this size. */
  token(properties: number): Promise<string>;
  /** A request for a token, as the load generator sends it. */
  tokenRequest(properties: number): Promise<Pick<Job, 'method' | 'paths' | 'headers' | 'bodies'>>;
  /** Waits until all of a requested feed is cached. */
  settle(feed: string): Promise<void>;
  /** The KV entry of the first part of the cached feed. */
  entry(properties: number): Promise<KVNamespaceListKey<unknown>>;
}

/** The path for updates of units of the development. */
export const updatePath = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;

export const updateManyPath = `/v1/developments/${DEVELOPMENT}/units/update-many`;

let updates = 0;

/** The body of an update that changes a unit: no two set the same price. */
export function updateOf(unit: string): string {
  const price = 200_000 + ++updates;
  return JSON.stringify({
    UntName: unit,
    UntStatus: 1,
    UntPrice: price,
    UntDirections: [['N'], ['SW']],
  });
}

export async function startLindero(worker: WorkerToRun): Promise<Lindero> {
  const running = await startWorker(worker);
  const db = overProxy((await running.miniflare.getD1Database('DB')) as unknown as D1Database);
  const feed = (
    properties: number,
    pictures: number,
    password = PASSWORD,
    format: BenchFormat = 'resales',
  ) =>
    `${FILES[format]}&U=OWNPROPERTIES@${accountCode(properties)}&P=${password}&Language=1,2&IC=${pictures}`;
  const used = new Map<string, number>();
  let longFeeds = ALL_PICTURES;

  const settle = async (path: string) => {
    const started = performance.now();
    const headers = { 'Accept-Encoding': 'gzip' };
    let [status, since] = ['', started];
    while (performance.now() - started < CACHED_WITHIN) {
      const head = await request(running.origin + path, { method: 'HEAD', headers });
      await head.body.dump();
      const now = String(head.headers['cache-status']);
      if (now.includes('; hit;')) return;
      if (now !== status) [status, since] = [now, performance.now()];
      if (performance.now() - since > 1_000) {
        // What did not fit into the memory for background tasks is cached with the next response.
        const feed = await request(running.origin + path, { headers });
        for await (const _ of feed.body);
        since = performance.now();
      }
      await sleep(20);
    }
    throw new Error('A feed that was sent was not cached in time');
  };

  const tokenRequest = async (properties: number) => {
    const client = { id: crypto.randomUUID(), secret: crypto.randomUUID() };
    const accountId = (await findAccountId(db, accountCode(properties)))!;
    await createClient(db, { ...client, accountId, scopes: ['units:write'] });
    const body = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
    };
    return {
      method: 'POST' as const,
      paths: ['/oauth/token'],
      headers: { 'content-type': 'application/json' },
      bodies: [JSON.stringify(body)],
    };
  };

  return {
    ...running,
    db,
    settle,
    tokenRequest,
    token: async (properties) => {
      const { headers, bodies } = await tokenRequest(properties);
      const answer = await request(`${running.origin}/oauth/token`, {
        method: 'POST',
        headers,
        body: bodies[0]!,
      });
      if (answer.statusCode !== 200)
        throw new Error(`No token was issued: ${await answer.body.text()}`);
      return ((await answer.body.json()) as { access_token: string }).access_token;
    },
    entry: async (properties) => {
      const values = (await running.miniflare.getKVNamespace(
        'SNAPSHOTS',
      )) as unknown as KVNamespace;
      const account = (await findAccountId(db, accountCode(properties)))!;
      const { keys } = await values.list();
      return keys.find(
        ({ name }) =>
          name.includes(`/account${account}/part0/`) && `${name}&`.includes(`&IC=${ALL_PICTURES}&`),
      )!;
    },
    cachedFeed: (properties, format) => feed(properties, ALL_PICTURES, PASSWORD, format),
    keyedFeed: async (properties) => {
      const accountId = (await findAccountId(db, accountCode(properties)))!;
      const created = newReader({
        accountId,
        name: crypto.randomUUID(),
        preset: '',
        fixed: false,
        channelId: null,
      });
      if ('errors' in created) throw new Error('The reader is invalid');
      await createReader(db, created.reader);
      return feed(properties, ALL_PICTURES, created.key);
    },
    newFeed: (properties, format = 'resales') => {
      const key = `${format} ${properties}`;
      const pictures = (used.get(key) ?? ALL_PICTURES) + 1;
      if (pictures > MAX_PICTURES)
        throw new RangeError('Every parameter set has been used; take fewer rounds');
      used.set(key, pictures);
      return feed(properties, pictures, PASSWORD, format);
    },
    newLongFeed: () =>
      `/CreateXMLFeedV3.asp?FV=3&U=OWNPROPERTIES@${LONG_CODE}&P=${PASSWORD}&Language=1,2,3,4,5,6,7,8,9,10&IC=${++longFeeds}`,
    cache: async (path) => {
      const answer = await request(running.origin + path, {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      await settle(path);
    },
  };
}
