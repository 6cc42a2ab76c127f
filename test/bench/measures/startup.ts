import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Bench } from '../bench.ts';
import type { Measure, Sample } from '../report.ts';

const run = promisify(execFile);

/** What a cold isolate loads and evaluates: the script's compressed size, and the CPU time of its start. */
export const startup: Measure<Bench> = {
  name: 'startup',
  async run(bench) {
    const { rounds } = bench.options;
    const times: Sample[] = [];
    for (let round = 0; round < rounds; round++) times.push(await startOf());
    const size = {
      figure: gzipSync(readFileSync(await bench.script())).length / 1000,
      processor: null,
    };
    const shared = { measure: 'startup', against: '', other: [] };
    return [
      { ...shared, what: 'script, compressed', unit: 'KB', floor: { atMost: 1_000 }, ours: [size] },
      { ...shared, what: 'CPU time of a start', unit: 'ms', floor: { atMost: 100 }, ours: times },
    ];
  },
};

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** The time that `wrangler check startup` finds the Worker's own code busy, in milliseconds. */
async function startOf(): Promise<Sample> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lindero-startup-'));
  try {
    const outfile = path.join(folder, 'start.cpuprofile');
    const wrangler = path.resolve('node_modules/wrangler/bin/wrangler.js');
    await run(process.execPath, [wrangler, 'check', 'startup', '--outfile', outfile], {
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    });
    const profile: Profile = JSON.parse(readFileSync(outfile, 'utf8'));
    const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
    const isBusy = (id: number) => !['(idle)', '(program)', '(root)'].includes(names.get(id)!);
    const busy = profile.samples.reduce(
      (sum, id, index) => sum + (isBusy(id) ? profile.timeDeltas[index]! : 0),
      0,
    );
    return { figure: busy / 1000, processor: null };
  } finally {
    await rm(folder, { recursive: true });
  }
}
