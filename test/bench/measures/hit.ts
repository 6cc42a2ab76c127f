import { request } from 'undici';
import type { Bench } from '../bench.ts';
import { LARGE, SMALL } from '../data/accounts.ts';
import type { Server } from '../load/client.ts';
import { alternate, type Measure, type Row } from '../report.ts';
import type { BenchFormat } from '../servers/lindero.ts';

const SIZES = [
  { properties: SMALL, requests: 4_000, connections: 8, floor: 0.85 },
  { properties: LARGE, requests: 600, connections: 4, floor: 0.95 },
  { properties: 10_000, requests: 24, connections: 2, floor: 0.5 },
  { properties: 10_000, requests: 24, connections: 2, floor: 0.5, format: 'idealista' },
] as const satisfies readonly Measurement[];

interface Measurement {
  readonly properties: number;
  readonly requests: number;
  readonly connections: number;
  readonly floor: number;
  readonly format?: BenchFormat;
}

/** A cached feed, compared with a bare Worker that returns one KV value of the same bytes and the same key, as a stream. */
export const hit: Measure<Bench> = {
  name: 'hit',
  async run(bench) {
    const { options, load } = bench;
    const ours = await bench.lindero();
    const bare = await bench.bare('bare-kv');
    const values = await bare.miniflare.getKVNamespace('SNAPSHOTS');
    const rows: Row[] = [];
    for (const {
      properties,
      requests,
      connections,
      floor,
      format = 'resales',
    } of SIZES as readonly Measurement[]) {
      const feed = ours.cachedFeed(properties, format);
      if (format !== 'resales') await ours.cache(feed);
      const body = await gzipped(ours.origin + feed);
      const { name, expiration, metadata } = await ours.entry(properties);
      await values.put(name, body.buffer as ArrayBuffer, { expiration: expiration!, metadata });
      const rate = (server: Server, path: string, cacheStatus?: string) =>
        load.rate(server, {
          paths: [path],
          headers: { 'accept-encoding': 'gzip' },
          connections,
          requests: options.quick ? Math.ceil(requests / 4) : requests,
          status: 200,
          bytes: body.length,
          ...(cacheStatus === undefined ? {} : { cacheStatus }),
        });
      const samples = await alternate(options.rounds, {
        ours: () => rate(ours, feed, '; hit;'),
        bare: () => rate(bare, `/${encodeURIComponent(name)}`),
      });
      const what = `${properties.toLocaleString('en')} properties${format === 'resales' ? '' : ` as ${format}`}, ${Math.round(body.length / 1000)} KB stored`;
      const against = 'bare KV pass-through';
      const floors = { floor: { atLeast: floor } };
      rows.push({
        measure: 'hit',
        what,
        unit: '/s',
        against,
        ...floors,
        ours: samples.ours,
        other: samples.bare,
      });
    }
    return rows;
  },
};

async function gzipped(url: string): Promise<Uint8Array> {
  const answer = await request(url, { headers: { 'Accept-Encoding': 'gzip' } });
  return new Uint8Array(await answer.body.arrayBuffer());
}
