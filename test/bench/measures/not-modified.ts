import { request } from 'undici';
import type { Server } from '../load/client.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

const REQUESTS = 10_000;
const CONNECTIONS = 8;

/** A conditional request for an unchanged feed, compared with a bare Worker that returns a constant 304. */
export const notModified: Measure = {
  name: '304',
  async run(bench) {
    const ours = await bench.lindero();
    const bare = await bench.bare('bare-304');
    const feed = ours.cachedFeed(1_000);
    const keyed = await ours.keyedFeed(1_000);
    const requests = bench.options.quick ? REQUESTS / 4 : REQUESTS;
    const rate = async (server: Server, path: string, etag: string): Promise<Sample> => {
      const { milliseconds, processor } = await bench.load.run(server, {
        paths: [path],
        headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
        connections: CONNECTIONS,
        requests,
        status: 304,
        bytes: 0,
      });
      return { figure: (requests * 1000) / milliseconds, processor };
    };
    const etag = await etagOf(ours.origin + feed);
    const samples = await alternate(bench.options.rounds, {
      ours: () => rate(ours, feed, etag),
      keyed: () => rate(ours, keyed, etag),
      bare: () => rate(bare, '/', '"constant"'),
    });
    const about = { measure: '304', what: 'unchanged feed', unit: '/s' } as const;
    const against = { against: 'bare 304', target: { atLeast: 0.7 } } as const;
    const rows = [
      compare({ ...about, ...against }, samples.ours, samples.bare),
      compare({ ...about, ...against, what: 'unchanged feed, reader key' }, samples.keyed, samples.bare),
    ];
    return rows;
  },
};

async function etagOf(url: string): Promise<string> {
  const head = await request(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  await head.body.dump();
  return String(head.headers.etag);
}
