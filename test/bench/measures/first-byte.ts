import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, median, type Sample } from './rounds.ts';

/** The first byte of a cached feed, large compared with small. That of a built feed is measured with the builds. */
export const firstByte: Measure = {
  name: 'first byte',
  async run(bench) {
    const { ours } = await bench.linderos();
    const rows = [];
    for (const encoding of ['identity', 'gzip'] as const) {
      const first = (properties: number) => async (): Promise<Sample> => {
        const result = await bench.load.run(ours, {
          paths: [ours.cachedFeed(properties)],
          headers: { 'accept-encoding': encoding },
          connections: 1,
          requests: 5,
          status: 200,
          cacheStatus: '; hit;',
        });
        return { figure: median(result.firstByte), processor: null };
      };
      const samples = await alternate(bench.options.rounds, { large: first(10_000), small: first(200) });
      const what = `10,000 properties, ${encoding}, cached`;
      rows.push(
        compare(
          { measure: 'first byte', what, unit: 'ms', against: 'Lindero, 200 properties', target: { atMost: 1.5 } },
          samples.large,
          samples.small,
        ),
      );
    }
    return rows;
  },
};
