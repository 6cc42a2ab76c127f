import { cpSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Bench } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import { alternate, type Measure, type Row, type Sample } from '../report.ts';
import { migrate } from '../servers/bundle.ts';
import { runNode } from '../servers/processes.ts';

/** Rounds; each process takes ten seconds. */
const ROUNDS = 3;

const ACCOUNT = 'IMPORTED';

/**
 * An import of a new agency's Kyero feed by the operator's program, including its start, compared with a plain program that
 * reads the feed with the same parser and stores each record.
 */
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
      const peaks: Record<'ours' | 'plain', Sample[]> = { ours: [], plain: [] };
      const timed = (peak: Sample[], run: () => Promise<number>) => async () => {
        cpSync(empty!, state!, { recursive: true });
        const began = performance.now();
        peak.push({ figure: await run(), processor: null });
        const seconds = (performance.now() - began) / 1_000;
        rmSync(state!, { recursive: true });
        return { figure: size / seconds, processor: null };
      };
      const plain = path.resolve('test/bench/peers/import.ts');
      const rates = await alternate(Math.min(ROUNDS, rounds), {
        ours: timed(peaks.ours, () => lindero('import', feed!, '--account', ACCOUNT, '--persist-to', state!)),
        plain: timed(peaks.plain, () => runNode([plain, feed!, path.join(state!, 'plain.sqlite')])),
      });
      const what = `${size.toLocaleString('en')} properties`;
      const shared = { measure: 'import', against: '', other: [] };
      return [
        {
          ...{ measure: 'import', what, unit: '/s', against: 'Node, node:sqlite, saxes', floor: null },
          ...{ ours: rates.ours, other: rates.plain },
        },
        { ...shared, what: `${what}, alone`, unit: '/s', floor: { atLeast: 1_000 }, ours: rates.ours },
        { ...shared, what: `peak memory, ${what}`, unit: 'MB', floor: { atMost: 300 }, ours: peaks.ours },
      ] satisfies Row[];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
