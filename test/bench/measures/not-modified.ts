import { request } from 'undici';
import type { Bench } from '../bench.ts';
import type { Server } from '../load/client.ts';
import { alternate, type Measure } from '../report.ts';

const REQUESTS = 10_000;

/** A conditional request for an unchanged feed, compared with a bare Worker that returns a constant 304. */
export const notModified: Measure<Bench> = {
  name: '304',
  async run(bench) {
    const { options, load } = bench;
    const ours = await bench.lindero();
    const bare = await bench.bare('bare-304');
    const [feed, keyed] = [ours.cachedFeed(1_000), await ours.keyedFeed(1_000)];
    const etag = await etagOf(ours.origin + feed);
    const rate = (server: Server, path: string) =>
      load.rate(server, {
        paths: [path],
        headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
        connections: 8,
        requests: options.quick ? REQUESTS / 4 : REQUESTS,
        status: 304,
        bytes: 0,
      });
    const samples = await alternate(options.rounds, {
      ours: () => rate(ours, feed),
      keyed: () => rate(ours, keyed),
      bare: () => rate(bare, '/'),
    });
    const shared = {
      measure: '304',
      unit: '/s',
      against: 'bare 304',
      other: samples.bare,
    } as const;
    return [
      { ...shared, what: 'unchanged feed', ours: samples.ours, floor: { atLeast: 0.7 } },
      {
        ...shared,
        what: 'unchanged feed, reader key',
        ours: samples.keyed,
        floor: { atLeast: 0.65 },
      },
    ];
  },
};

export async function etagOf(url: string): Promise<string> {
  const head = await request(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  await head.body.dump();
  return String(head.headers.etag);
}
