import { request } from 'undici';
import { LARGE, SMALL } from '../data/accounts.ts';
import type { Server } from '../load/client.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, medianFigure, type Sample } from './rounds.ts';

const SIZES = [
  { properties: SMALL, requests: 4_000, connections: 8, target: 0.9 },
  { properties: LARGE, requests: 600, connections: 4, target: 0.95 },
  { properties: 10_000, requests: 24, connections: 2, target: 0.5 },
] as const;

/**
 * A cached feed, compared with a bare Worker that returns one KV value of the same bytes and the same key, as a stream
 * or as a buffer.
 */
export const hit: Measure = {
  name: 'hit',
  async run(bench) {
    const ours = await bench.lindero();
    const bare = await bench.bare('bare-kv');
    const values = await bare.miniflare.getKVNamespace('SNAPSHOTS');
    const rows = [];
    for (const { properties, requests: full, connections, target } of SIZES) {
      const feed = ours.cachedFeed(properties);
      const keyed = await ours.keyedFeed(properties);
      const body = await gzipped(ours.origin + feed);
      const { name, expiration, metadata } = await ours.entry(properties);
      await values.put(name, body.buffer as ArrayBuffer, { expiration: expiration!, metadata });
      const key = encodeURIComponent(name);
      const requests = bench.options.quick ? Math.ceil(full / 4) : full;
      const rate = async (server: Server, path: string, cacheStatus?: string): Promise<Sample> => {
        const { milliseconds, processor } = await bench.load.run(server, {
          paths: [path],
          headers: { 'accept-encoding': 'gzip' },
          connections,
          requests,
          status: 200,
          bytes: body.length,
          ...(cacheStatus === undefined ? {} : { cacheStatus }),
        });
        return { figure: (requests * 1000) / milliseconds, processor };
      };
      const samples = await alternate(bench.options.rounds, {
        ours: () => rate(ours, feed, '; hit;'),
        keyed: () => rate(ours, keyed, '; hit;'),
        stream: () => rate(bare, `/stream/${key}`),
        buffer: () => rate(bare, `/buffer/${key}`),
      });
      const peer = medianFigure(samples.stream) > medianFigure(samples.buffer) ? 'stream' : 'buffer';
      const what = `${properties.toLocaleString('en')} properties, ${Math.round(body.length / 1000)} KB stored`;
      const about = { measure: 'hit', what, unit: '/s' } as const;
      rows.push(
        compare(
          { ...about, against: `bare KV pass-through (${peer})`, target: { atLeast: target } },
          samples.ours,
          samples[peer],
        ),
      );
      rows.push(
        compare(
          {
            ...about,
            what: `${what}, reader key`,
            against: `bare KV pass-through (${peer})`,
            target: { atLeast: target },
          },
          samples.keyed,
          samples[peer],
        ),
      );
    }
    return rows;
  },
};

async function gzipped(url: string): Promise<Uint8Array> {
  const answer = await request(url, { headers: { 'Accept-Encoding': 'gzip' } });
  return new Uint8Array(await answer.body.arrayBuffer());
}
