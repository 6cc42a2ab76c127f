import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import type { Bench } from '../bench.ts';
import { accountCode, SIZES } from '../data/accounts.ts';
import type { Measured } from '../load/client.ts';
import type { Row, Target } from '../report/row.ts';
import { BENCH_FORMATS, type BenchFormat, type Lindero } from '../servers/lindero.ts';
import type { RunningProgram } from '../servers/node.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, exponent, median, medianFigure, type Sample } from './rounds.ts';

type Encoding = 'identity' | 'gzip';

/** The sizes whose builds are compared with the Node programs; the other one is for the growth only. */
const COMPARED: readonly number[] = [200, 2_000, 10_000];

/** The Node programs that write each format. */
const PROGRAMS: Readonly<Record<BenchFormat, { readonly strings: string; readonly xmlbuilder: string }>> = {
  resales: { strings: 'strings', xmlbuilder: 'xmlbuilder' },
  kyero: { strings: 'kyero-strings', xmlbuilder: 'kyero-xmlbuilder' },
};

/** Properties built per sample, by one request or several. */
const PROPERTIES_A_SAMPLE = 2_000;

/** xmlbuilder2 is so much slower that a few rounds suffice. */
const ROUNDS_OF_XMLBUILDER = 3;

/** Feeds of which nothing is cached, compared with Node programs that write the same document from the same data. */
export const build: Measure = {
  name: 'build',
  async run(bench) {
    const rows: Row[] = [];
    for (const format of Object.keys(BENCH_FORMATS) as BenchFormat[]) rows.push(...(await buildsOf(bench, format)));
    return rows;
  },
};

async function buildsOf(bench: Bench, format: BenchFormat): Promise<Row[]> {
  const { ours, before: other } = await bench.linderos();
  // The other checkout may not have the format.
  const before = format === 'resales' ? other : null;
  const strings = await bench.program(PROGRAMS[format].strings);
  const xmlbuilder = await bench.program(PROGRAMS[format].xmlbuilder);
  const rows: Row[] = [];
  const times: Record<Encoding, [number, number][]> = { identity: [], gzip: [] };
  const firstBytes: Record<Encoding, Map<number, readonly Sample[]>> = { identity: new Map(), gzip: new Map() };

  for (const size of SIZES) {
    const megabytes = (await checkSameDocument(bench, size, format)) / 1e6;
    const builds =
      (lindero: Lindero, encoding: Encoding, firstByte: Sample[] = []) =>
      async (): Promise<Sample> => {
        const built: Measured[] = [];
        while (built.length < repeats(size)) {
          const path = lindero.newFeed(size, format);
          built.push(
            await bench.load.run(lindero, {
              paths: [path],
              headers: { 'accept-encoding': encoding },
              connections: 1,
              requests: 1,
              status: 200,
              cacheStatus: 'fwd=miss',
            }),
          );
          // Background tasks must not count in the time of the next feed.
          await lindero.settle(path);
        }
        firstByte.push({ figure: median(built.flatMap((feed) => feed.firstByte)), processor: null });
        const processor = built.flatMap((feed) => feed.processor ?? []);
        return speed(
          {
            milliseconds: sum(built.map((feed) => feed.milliseconds)),
            processor: processor.length === built.length ? sum(processor) : null,
          },
          built.length,
        );
      };
    const writes = (program: RunningProgram, compression: 'none' | 'gzip') => async (): Promise<Sample> => {
      const requests = repeats(size);
      const paths = [`/${compression}/${accountCode(size)}/20`];
      return speed(await bench.load.run(program, { paths, connections: 1, requests, status: 200 }), requests);
    };
    const speed = (
      { milliseconds, processor }: Pick<Measured, 'milliseconds' | 'processor'>,
      feeds: number,
    ): Sample => ({
      figure: (megabytes * feeds * 1000) / milliseconds,
      processor,
    });
    const ofOurs: Record<Encoding, Sample[]> = { identity: [], gzip: [] };
    const samples = await alternate(bench.options.rounds, {
      identity: builds(ours, 'identity', ofOurs.identity),
      gzip: builds(ours, 'gzip', ofOurs.gzip),
      identityBefore: before && builds(before, 'identity'),
      gzipBefore: before && builds(before, 'gzip'),
      strings: writes(strings, 'none'),
      stringsGzip: writes(strings, 'gzip'),
    });
    const add = (encoding: Encoding, other: readonly Sample[], against: string, target: Target | null) => {
      const what = `${size.toLocaleString('en')} properties, ${encoding}${BENCH_FORMATS[format]}`;
      rows.push(compare({ measure: 'build', what, unit: 'MB/s', against, target }, samples[encoding], other));
    };
    if (COMPARED.includes(size)) {
      const slow = await alternate(Math.min(ROUNDS_OF_XMLBUILDER, bench.options.rounds), {
        xmlbuilder: writes(xmlbuilder, 'none'),
      });
      add('identity', samples.strings, 'Node, template strings', { atLeast: 0.75 });
      add('identity', slow.xmlbuilder, 'Node, xmlbuilder2', { atLeast: 10 });
      add('gzip', samples.stringsGzip, 'Node, template strings, zlib', { atLeast: 1 });
    }
    if (before !== null) {
      add('identity', samples.identityBefore, 'the other checkout', null);
      add('gzip', samples.gzipBefore, 'the other checkout', null);
    }
    for (const encoding of ['identity', 'gzip'] as const) {
      times[encoding].push([size, megabytes / medianFigure(samples[encoding])]);
      firstBytes[encoding].set(size, ofOurs[encoding]);
    }
  }

  for (const encoding of ['identity', 'gzip'] as const) {
    rows.push(
      compare(
        {
          measure: 'first byte',
          what: `10,000 properties, ${encoding}, built${BENCH_FORMATS[format]}`,
          unit: 'ms',
          against: 'Lindero, 200 properties',
          target: { atMost: 1.5 },
        },
        firstBytes[encoding].get(10_000)!,
        firstBytes[encoding].get(200)!,
      ),
    );
    const power = exponent(times[encoding]);
    rows.push({
      measure: 'growth',
      what: `build time from 200 to 10,000 properties, ${encoding}${BENCH_FORMATS[format]}`,
      unit: '',
      ours: power,
      other: null,
      against: 'exponent',
      ratio: power,
      target: { atMost: 1.05 },
      byProcessor: null,
      samples: {},
    });
  }
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function repeats(size: number): number {
  return Math.max(1, PROPERTIES_A_SAMPLE / size);
}

/**
 * Checks that all write the same document: the Worker with and without compression, template strings byte for byte, and
 * xmlbuilder2 except for quotes, which need no escaping in XML text.
 *
 * @returns the document's bytes
 */
async function checkSameDocument(bench: Bench, size: number, format: BenchFormat): Promise<number> {
  const { ours, before: other } = await bench.linderos();
  const before = format === 'resales' ? other : null;
  const { strings, xmlbuilder } = PROGRAMS[format];
  const read = async (url: string, encoding: Encoding) => {
    // A connection of its own: workerd closes one that was idle for five seconds, and comparing takes as long.
    const answer = await request(url, { headers: { 'Accept-Encoding': encoding }, reset: true });
    const body = Buffer.from(await answer.body.arrayBuffer());
    return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  };
  const same = (document: Buffer, other: Buffer, name: string) => {
    if (!document.equals(other)) throw new Error(`${name} writes another document of ${size} properties`);
  };
  const account = accountCode(size);
  const document = await read(ours.origin + ours.newFeed(size, format), 'identity');
  same(document, await read(ours.origin + ours.newFeed(size, format), 'gzip'), 'The Worker with compression');
  same(document, await read(ours.origin + ours.cachedFeed(size, format), 'gzip'), 'The Worker from its cache');
  if (before !== null) {
    const other = await read(before.origin + before.cachedFeed(size, format), 'gzip');
    const bytes = `${other.length} bytes instead of ${document.length}`;
    if (!document.equals(other))
      bench.print(`The other checkout writes another document of ${size} properties: ${bytes}`);
  }
  const { origin } = await bench.program(strings);
  same(document, await read(`${origin}/none/${account}/20`, 'identity'), 'The program of template strings');
  same(document, await read(`${origin}/gzip/${account}/20`, 'gzip'), 'The program of template strings with zlib');
  if (COMPARED.includes(size)) {
    const built = await read(`${(await bench.program(xmlbuilder)).origin}/none/${account}/20`, 'identity');
    const withQuotes = Buffer.from(document.toString().replaceAll('&quot;', '"').replaceAll('&apos;', "'"));
    same(withQuotes, built, 'The program with xmlbuilder2');
  }
  return document.length;
}
