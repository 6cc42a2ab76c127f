import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import type { Bench } from '../bench.ts';
import { accountCode, SIZES } from '../data/accounts.ts';
import type { Measured } from '../load/client.ts';
import type { Row } from '../report/row.ts';
import type { RunningProgram } from '../servers/node.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

const ENCODINGS = [
  { encoding: 'identity', compression: 'none', target: 0.75 },
  { encoding: 'gzip', compression: 'gzip', target: 1 },
] as const;

/** Properties built per sample, by one request or several. */
const PROPERTIES_A_SAMPLE = 2_000;

/** Feeds of which nothing is cached, compared with a Node program that writes the same document from the same data. */
export const build: Measure = {
  name: 'build',
  async run(bench) {
    const lindero = await bench.lindero();
    const program = await bench.program();
    const rows: Row[] = [];
    for (const size of SIZES) {
      const megabytes = (await checkSameDocument(bench, size)) / 1e6;
      const requests = Math.max(1, PROPERTIES_A_SAMPLE / size);
      const speed = (milliseconds: number): number => (megabytes * requests * 1000) / milliseconds;
      for (const { encoding, compression, target } of ENCODINGS) {
        const ours = async (): Promise<Sample> => {
          const built: Measured[] = [];
          while (built.length < requests) {
            const path = lindero.newFeed(size);
            const job = { paths: [path], headers: { 'accept-encoding': encoding }, connections: 1, requests: 1 };
            built.push(await bench.load.run(lindero, { ...job, status: 200, cacheStatus: 'fwd=miss' }));
            // Background tasks must not count in the time of the next feed.
            await lindero.settle(path);
          }
          return { figure: speed(sum(built.map((feed) => feed.milliseconds))), processor: processorOf(built) };
        };
        const samples = await alternate(bench.options.rounds, {
          ours,
          node: async () => {
            const paths = [`/${compression}/${accountCode(size)}/20`];
            const written = await bench.load.run(program, { paths, connections: 1, requests, status: 200 });
            return { figure: speed(written.milliseconds), processor: written.processor };
          },
        });
        const what = `${size.toLocaleString('en')} properties, ${encoding}`;
        const about = { measure: 'build', what, unit: 'MB/s', against: 'Node, node:sqlite and strings' } as const;
        rows.push(compare({ ...about, target: { atLeast: target } }, samples.ours, samples.node));
      }
    }
    return rows;
  },
};

function processorOf(built: readonly Measured[]): number | null {
  const times = built.flatMap(({ processor }) => processor ?? []);
  return times.length === built.length ? sum(times) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Checks that both write the same document, with and without compression.
 *
 * @returns the document's bytes
 */
async function checkSameDocument(bench: Bench, size: number): Promise<number> {
  const lindero = await bench.lindero();
  const { origin }: RunningProgram = await bench.program();
  const read = async (url: string, encoding: string) => {
    // A connection of its own: workerd closes one that was idle for five seconds, and comparing takes as long.
    const answer = await request(url, { headers: { 'Accept-Encoding': encoding }, reset: true });
    const body = Buffer.from(await answer.body.arrayBuffer());
    return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  };
  const document = await read(lindero.origin + lindero.newFeed(size), 'identity');
  const others = {
    'The Worker with compression': await read(lindero.origin + lindero.newFeed(size), 'gzip'),
    'The Worker from its cache': await read(lindero.origin + lindero.cachedFeed(size), 'gzip'),
    'The Node program': await read(`${origin}/none/${accountCode(size)}/20`, 'identity'),
    'The Node program with zlib': await read(`${origin}/gzip/${accountCode(size)}/20`, 'gzip'),
  };
  for (const [name, other] of Object.entries(others)) {
    if (!document.equals(other)) throw new Error(`${name} writes another document of ${size} properties`);
  }
  return document.length;
}
