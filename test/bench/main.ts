import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import yargs from 'yargs';
import { Bench } from './bench.ts';
import { build } from './measures/build.ts';
import { change } from './measures/change.ts';
import { cost } from './measures/cost.ts';
import { hit } from './measures/hit.ts';
import { importing } from './measures/import.ts';
import { memory } from './measures/memory.ts';
import { notModified } from './measures/not-modified.ts';
import { pages } from './measures/pages.ts';
import { startup } from './measures/startup.ts';
import { update } from './measures/update.ts';
import { webhook } from './measures/webhook.ts';
import { type Measure, type Row, resultOf, table } from './report.ts';

const MEASURES: readonly Measure<Bench>[] = [
  notModified,
  hit,
  build,
  update,
  webhook,
  pages,
  change,
  memory,
  importing,
  cost,
  startup,
];

const options = await yargs(process.argv.slice(2))
  .scriptName('npm run bench --')
  .usage(
    '$0 [options]\n\nCompares the Worker in workerd with other programs that do the same, all on this machine.',
  )
  .option('only', {
    type: 'string',
    array: true,
    choices: MEASURES.map(({ name }) => name),
    describe: 'Take these measures alone',
  })
  .option('rounds', {
    type: 'number',
    default: 7,
    describe: 'How often each figure is taken; medians count',
  })
  .option('quick', {
    type: 'boolean',
    default: false,
    describe: 'Short loads and three rounds: rough figures, soon',
  })
  .option('json', {
    type: 'string',
    default: '.wrangler/bench.json',
    describe: 'Where all figures go as JSON',
  })
  .option('port', { type: 'number', default: 8860, describe: 'The first of twenty ports' })
  .strict()
  .version(false)
  .help()
  .parse();

const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s`;
const tell = (text: string) => console.error(`${seconds()}  ${text}`);

const { port, quick } = options;
const bench = new Bench(
  { rounds: quick ? Math.min(3, options.rounds) : options.rounds, port, quick },
  tell,
);

const rows: Row[] = [];
try {
  for (const measure of MEASURES) {
    if (options.only !== undefined && !options.only.includes(measure.name)) continue;
    tell(measure.name);
    rows.push(...(await measure.run(bench)));
  }
} finally {
  await bench.stop();
  report();
}

/** What has been measured so far, when a measure fails as well. */
function report(): void {
  const machine = {
    processor: os.cpus()[0]?.model,
    cores: os.cpus().length,
    node: process.version,
  };
  const { rounds } = bench.options;
  const figures = rows.map((row) => ({ ...row, ...resultOf(row) }));
  mkdirSync(path.dirname(path.resolve(options.json)), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify({ machine, rounds, figures }, null, 2)}\n`);
  if (rows.length > 0) console.log(table(rows));
  for (const text of bench.texts) console.log(`\n${text}`);
  tell(`the load generator was busy ${(bench.load.busiest * 100).toFixed(0)}% of the time at most`);
  tell(`done; every figure is in ${options.json}`);
}
