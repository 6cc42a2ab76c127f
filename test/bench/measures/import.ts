import { spawn } from 'node:child_process';
import { cpSync, createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import type { Row } from '../report/row.ts';
import { migrate } from '../servers/bundle.ts';
import { peakMemory } from '../servers/processes.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, medianFigure, type Sample } from './rounds.ts';

const SIZES = [1, 300, 20_000] as const;

/** Absolute targets: properties per second, and megabytes of memory. */
const MIN_RATE = 2_000;
const MAX_MEMORY = 300;

/** Rounds; each process takes ten seconds. */
const ROUNDS = 3;

/** An import of a new agency's Kyero feed by the operator's program, including its start, compared with a plain program. */
export const importing: Measure = {
  name: 'import',
  async run(bench) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-import-'));
    try {
      const empty = path.join(folder, 'empty');
      await migrate(bench.options.root, empty);
      await program(bench, ['account', 'create', 'PEER-TO-BE', '--persist-to', empty]);
      const rows: Row[] = [];
      for (const size of bench.options.quick ? SIZES.slice(0, 2) : SIZES) {
        rows.push(...(await measureSize(bench, folder, empty, size)));
      }
      return rows;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function measureSize(bench: Bench, folder: string, empty: string, size: number): Promise<Row[]> {
  const feed = path.join(folder, `${size}.xml`);
  await pipeline(Readable.from(kyeroFeed(size)), createWriteStream(feed));
  const memory = { ours: [] as Sample[], plain: [] as Sample[] };
  const timed = async (of: Sample[], run: (state: string) => Promise<number>): Promise<Sample> => {
    const state = path.join(folder, 'state');
    cpSync(empty, state, { recursive: true });
    const began = performance.now();
    of.push({ figure: await run(state), processor: null });
    const seconds = (performance.now() - began) / 1_000;
    rmSync(state, { recursive: true });
    return { figure: size / seconds, processor: null };
  };
  const rates = await alternate(Math.min(ROUNDS, bench.options.rounds), {
    ours: () =>
      timed(memory.ours, (state) => program(bench, ['import', feed, '--account', 'PEER-TO-BE', '--persist-to', state])),
    plain: () =>
      timed(memory.plain, (state) =>
        ended([...process.execArgv, path.resolve('test/bench/peers/import.ts'), feed, database(state)], process.cwd()),
      ),
  });
  const what = `${size.toLocaleString('en')} ${size === 1 ? 'property' : 'properties'}`;
  const about = { measure: 'import', what, unit: '/s' as const, against: 'Node, better-sqlite3, saxes', target: null };
  const peak = { ...about, what: `peak memory, ${what}`, unit: 'MB' as const };
  const rows = [compare(about, rates.ours, rates.plain), compare(peak, memory.ours, memory.plain)];
  return size === SIZES.at(-1)
    ? [
        ...rows,
        alone(rows[0]!, rates.ours, { atLeast: MIN_RATE }),
        alone(rows[1]!, memory.ours, { atMost: MAX_MEMORY }),
      ]
    : rows;
}

/** The row of a figure with an absolute target. */
function alone({ measure, what, unit }: Row, samples: readonly Sample[], target: NonNullable<Row['target']>): Row {
  const ours = medianFigure(samples);
  return {
    measure,
    what,
    unit,
    ours,
    other: null,
    against: '',
    ratio: ours,
    byProcessor: null,
    target,
    samples: { samples },
  };
}

/** Runs the operator's program as `npm run lindero` does, and returns its peak memory in MB. */
function program({ options: { root } }: Bench, args: readonly string[]): Promise<number> {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [, ...command] = String(scripts.lindero).split(' ');
  return ended([...command, ...args], root);
}

async function ended(args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let [peak, complaint] = [0, ''];
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const watch = setInterval(() => {
    peak = Math.max(peak, peakSoFar(child.pid!));
  }, 20);
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return peak;
}

/** The last value before the process ends is its peak. */
function peakSoFar(pid: number): number {
  try {
    return peakMemory(pid);
  } catch {
    return 0;
  }
}

/** The file of the database in a state folder. */
function database(state: string): string {
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  return path.join(folder, readdirSync(folder).find((name) => /^[0-9a-f]+\.sqlite$/.test(name))!);
}
