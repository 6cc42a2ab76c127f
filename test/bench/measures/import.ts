import { cpSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import type { Measure, Sample } from '../report.ts';
import { migrate } from '../servers/bundle.ts';
import { runNode } from '../servers/processes.ts';

/** Rounds; each process takes ten seconds. */
const ROUNDS = 3;

const ACCOUNT = 'IMPORTED';

/** An import of a new agency's Kyero feed by the operator's program, including its start. */
export const importing: Measure<Bench> = {
  name: 'import',
  async run({ options: { quick, rounds } }) {
    const size = quick ? 1_000 : 20_000;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-import-'));
    const [empty, state, feed] = ['empty', 'state', 'feed.xml'].map((name) => path.join(folder, name));
    const lindero = (...args: string[]) => runNode(['src/cli/lindero.ts', ...args]);
    try {
      await migrate(empty!);
      await lindero('account', 'create', ACCOUNT, '--persist-to', empty!);
      await pipeline(Readable.from(kyeroFeed(size)), createWriteStream(feed!));
      const [rates, peaks]: [Sample[], Sample[]] = [[], []];
      for (let round = 0; round < Math.min(ROUNDS, rounds); round++) {
        cpSync(empty!, state!, { recursive: true });
        const began = performance.now();
        const peak = await lindero('import', feed!, '--account', ACCOUNT, '--persist-to', state!);
        rates.push({ figure: (size * 1_000) / (performance.now() - began), processor: null });
        peaks.push({ figure: peak, processor: null });
        rmSync(state!, { recursive: true });
      }
      const what = `${size.toLocaleString('en')} properties`;
      const shared = { measure: 'import', against: '', other: [] };
      return [
        { ...shared, what, unit: '/s', floor: { atLeast: 1_000 }, ours: rates },
        { ...shared, what: `peak memory, ${what}`, unit: 'MB', floor: { atMost: 300 }, ours: peaks },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
