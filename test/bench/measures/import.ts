import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Bench, OPERATOR_KEY } from '../bench.ts';
import { kyeroFeed } from '../data/kyero.ts';
import type { Measure, Sample } from '../report.ts';
import { runNode } from '../servers/processes.ts';

/** Rounds; each takes half a minute. */
const ROUNDS = 3;

const ACCOUNT = 'IMPORTED';

/**
 * An import of a new agency's Kyero feed by the operator's program, including its start: it sends the file to an empty service
 * and waits until that has written it.
 */
export const importing: Measure<Bench> = {
  name: 'import',
  async run(bench) {
    const { quick, rounds } = bench.options;
    const size = quick ? 1_000 : 20_000;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-import-'));
    const feed = path.join(folder, 'feed.xml.gz');
    try {
      // Plain, it would have more than the 95 MB that a file may have.
      await pipeline(Readable.from(kyeroFeed(size)), createGzip(), createWriteStream(feed));
      const [rates, peaks]: [Sample[], Sample[]] = [[], []];
      const port = bench.ports(2);
      for (let round = 0; round < Math.min(ROUNDS, rounds); round++) {
        const service = await bench.empty(`import-${round}`, port);
        const lindero = (...args: string[]) =>
          runNode(['src/cli/lindero.js', ...args, '--url', service.origin], {
            LINDERO_OPERATOR_KEY: OPERATOR_KEY,
          });
        try {
          await lindero('account', 'create', ACCOUNT);
          const began = performance.now();
          const peak = await lindero('import', feed, '--account', ACCOUNT);
          rates.push({ figure: (size * 1_000) / (performance.now() - began), processor: null });
          peaks.push({ figure: peak, processor: null });
        } finally {
          await service.stop();
        }
      }
      const what = `${size.toLocaleString('en')} properties`;
      const shared = { measure: 'import', against: '', other: [] };
      return [
        { ...shared, what, unit: '/s', floor: { atLeast: 1_000 }, ours: rates },
        {
          ...shared,
          what: `peak memory of the program, ${what}`,
          unit: 'MB',
          floor: { atMost: 100 },
          ours: peaks,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
