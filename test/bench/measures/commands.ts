import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import type { Row } from '../report/row.ts';
import { runOperator, scriptOf } from '../servers/operator.ts';
import { alone, compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

/** Targets in milliseconds: of a command, and of `npm start` up to the first feed. */
const COMMAND = 1_500;
const FIRST_START = 10_000;
const NEXT_START = 5_000;

/** Rounds; each takes half a minute. */
const ROUNDS = 3;

/** The exit code of a doctor with a finding. */
const WITH_WARNINGS = 3;

/** The operator's commands on the state of the demo agencies; each gets the path of a feed of two properties. */
const COMMANDS: Readonly<Record<string, (feed: string) => readonly string[]>> = {
  '--help': () => ['--help'],
  'account list': () => ['account', 'list'],
  doctor: () => ['doctor'],
  export: () => ['export', '--account', 'DEMO'],
  'import --dry-run': (feed) => ['import', feed, '--account', 'DEMO', '--dry-run'],
};

/** How long the operator's commands take, and `npm start` up to its first feed. */
export const commands: Measure = {
  name: 'commands',
  async run(bench) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-commands-'));
    try {
      const feed = path.join(folder, 'feed.xml');
      writeFileSync(feed, [...kyeroFeed(2)].join(''));
      return await measureAll(bench, folder, feed);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function measureAll(bench: Bench, folder: string, feed: string): Promise<Row[]> {
  const { root, against } = bench.options;
  const rounds = Math.min(ROUNDS, bench.options.rounds);
  const rowsOf = async (what: string, most: number, run: (root: string, state: string) => Promise<number>) => {
    const timed = (checkout: string, state: string) => async () => ({
      figure: await run(checkout, path.join(folder, state)),
      processor: null,
    });
    const samples = await alternate(rounds, {
      ours: timed(root, 'state'),
      before: against === null ? null : timed(against, 'state-before'),
    });
    return rowsFor(what, most, samples, against !== null);
  };
  const port = bench.ports(2);
  const rows = [
    ...(await rowsOf('npm start, first', FIRST_START, async (checkout, state) => {
      rmSync(state, { recursive: true, force: true, maxRetries: 5 });
      // Bundled programs, which a fresh clone does not have.
      rmSync(path.join(checkout, '.wrangler/lindero/programs'), { recursive: true, force: true });
      return startUpToFeed(checkout, state, port);
    })),
    ...(await rowsOf('npm start, again', NEXT_START, (checkout, state) => startUpToFeed(checkout, state, port))),
  ];
  for (const [name, args] of Object.entries(COMMANDS)) {
    rows.push(
      ...(await rowsOf(name, COMMAND, async (checkout, state) => {
        const began = performance.now();
        await runOperator(checkout, [...args(feed), '--persist-to', state], [0, WITH_WARNINGS]);
        return performance.now() - began;
      })),
    );
  }
  return rows;
}

interface Samples {
  readonly ours: readonly Sample[];
  readonly before: readonly Sample[];
}

function rowsFor(what: string, atMost: number, { ours, before }: Samples, isCompared: boolean): Row[] {
  const about = { measure: 'commands', what, unit: 'ms' as const, against: 'Lindero before', target: null };
  return [alone({ ...about, target: { atMost } }, ours), ...(isCompared ? [compare(about, ours, before)] : [])];
}

/** Runs `npm start` until a feed that it names has been served completely, and returns the milliseconds. */
async function startUpToFeed(root: string, state: string, port: number): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...scriptOf(root, 'start'), '--port', String(port), '--persist-to', state], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: '1' },
  });
  const ended = new Promise((done) => child.on('close', done));
  try {
    const feed = await new Promise<string>((resolve, reject) => {
      let output = '';
      const look = (text: Buffer) => {
        output += text;
        const url = /curl '([^']+OWNPROPERTIES@[^']+)'/.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('close', () => reject(new Error(`npm start has ended: ${output}`)));
    });
    const response = await fetch(feed);
    if (!response.ok) throw new Error(`${feed}: ${response.status}`);
    await response.arrayBuffer();
    return performance.now() - began;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
