import { cpSync, createWriteStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import type { Row } from '../report/row.ts';
import { createState, runNode, runOperator } from '../servers/operator.ts';
import { alone, compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

const SIZES = [1, 300, 20_000] as const;

/** Absolute targets: properties per second, and megabytes of memory. */
const MIN_RATE = 1_000;
const MAX_MEMORY = 300;

/** Rounds; each process takes ten seconds. */
const ROUNDS = 3;

const ACCOUNT = 'PEER-TO-BE';

/**
 * An import of a new agency's Kyero feed by the operator's program, including its start, compared with a plain program.
 */
export const importing: Measure = {
  name: 'import',
  async run(bench) {
    const { root, quick } = bench.options;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-import-'));
    try {
      await createState(root, path.join(folder, 'empty'), ACCOUNT);
      const rows: Row[] = [];
      for (const size of quick ? SIZES.slice(0, 2) : SIZES) rows.push(...(await measureSize(bench, folder, size)));
      return rows;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function measureSize({ options }: Bench, folder: string, size: number): Promise<Row[]> {
  const feed = path.join(folder, `${size}.xml`);
  await pipeline(Readable.from(kyeroFeed(size)), createWriteStream(feed));
  const memory = { ours: [] as Sample[], plain: [] as Sample[] };
  const timed = async (of: Sample[], run: (state: string) => Promise<number>): Promise<Sample> => {
    const state = path.join(folder, 'state');
    cpSync(path.join(folder, 'empty'), state, { recursive: true });
    const began = performance.now();
    of.push({ figure: await run(state), processor: null });
    const seconds = (performance.now() - began) / 1_000;
    rmSync(state, { recursive: true });
    return { figure: size / seconds, processor: null };
  };
  const command = ['import', feed, '--account', ACCOUNT, '--persist-to'];
  const peer = path.resolve('test/bench/peers/import.ts');
  const rates = await alternate(Math.min(ROUNDS, options.rounds), {
    ours: () => timed(memory.ours, (state) => runOperator(options.root, [...command, state])),
    plain: () => timed(memory.plain, (state) => runNode([peer, feed, database(state)], process.cwd())),
  });
  const what = `${size.toLocaleString('en')} ${size === 1 ? 'property' : 'properties'}`;
  const about = { measure: 'import', what, unit: '/s' as const, against: 'Node, node:sqlite, saxes', target: null };
  const peak = { ...about, what: `peak memory, ${what}`, unit: 'MB' as const };
  const rows = [compare(about, rates.ours, rates.plain), compare(peak, memory.ours, memory.plain)];
  if (size === SIZES.at(-1)) {
    rows.push(alone({ ...about, target: { atLeast: MIN_RATE } }, rates.ours));
    rows.push(alone({ ...peak, target: { atMost: MAX_MEMORY } }, memory.ours));
  }
  return rows;
}

/** The file of the database in a state folder. */
function database(state: string): string {
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  return path.join(folder, readdirSync(folder).find((name) => /^[0-9a-f]+\.sqlite$/.test(name))!);
}
