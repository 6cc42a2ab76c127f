import type { Bench } from '../bench.ts';
import { accountCode } from '../data/accounts.ts';
import type { Measured } from '../load/client.ts';
import { alternate, type Measure, type Row, type Sample } from '../report.ts';

const SIZES = [200, 2_000, 10_000] as const;
const FLOORS = { identity: { atMost: 2 }, gzip: { atMost: 2 } } as const;

/** Properties built per sample, by one request or several. */
const PROPERTIES_A_SAMPLE = 2_000;

/** Feeds of which nothing is cached, compared with a bare Worker that reads the same rows and writes them as JSON. */
export const build: Measure<Bench> = {
  name: 'build',
  async run(bench) {
    const { options, load } = bench;
    const lindero = await bench.lindero();
    const bare = await bench.bare('bare-build', { ofData: true });
    const rows: Row[] = [];
    for (const [size, format] of [
      ...SIZES.map((size) => [size, 'resales'] as const),
      [2_000, 'idealista'] as const,
    ]) {
      const requests = Math.max(1, PROPERTIES_A_SAMPLE / size);
      for (const encoding of ['identity', 'gzip'] as const) {
        const ours = async (): Promise<Sample> => {
          const built: Measured[] = [];
          while (built.length < requests) {
            const path = lindero.newFeed(size, format);
            const job = {
              paths: [path],
              headers: { 'accept-encoding': encoding },
              connections: 1,
              requests: 1,
            };
            built.push(await load.run(lindero, { ...job, status: 200, cacheStatus: 'fwd=miss' }));
            // Background tasks must not count in the time of the next feed.
            await lindero.settle(path);
          }
          return meanOf(built, requests);
        };
        const peer = async (): Promise<Sample> => {
          const paths = [`/${accountCode(size)}/${encoding}`];
          return meanOf(
            [await load.run(bare, { paths, connections: 1, requests, status: 200 })],
            requests,
          );
        };
        const samples = await alternate(options.rounds, { ours, peer });
        rows.push({
          ...{
            measure: 'build',
            unit: 'ms',
            against: 'bare rows as JSON',
            floor: FLOORS[encoding],
          },
          what: `${size.toLocaleString('en')} properties${format === 'resales' ? '' : ` as ${format}`}, ${encoding}`,
          ...{ ours: samples.ours, other: samples.peer },
        });
      }
    }
    return rows;
  },
};

/** Milliseconds of one of these requests. */
function meanOf(measured: readonly Measured[], requests: number): Sample {
  const sum = (numbers: readonly number[]) =>
    numbers.reduce((total, number) => total + number, 0) / requests;
  const processor = measured.flatMap((one) => one.processor ?? []);
  return {
    figure: sum(measured.map(({ milliseconds }) => milliseconds)),
    processor: processor.length === measured.length ? sum(processor) : null,
  };
}
