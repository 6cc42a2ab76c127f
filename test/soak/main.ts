import { join } from 'node:path';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { findService } from '../../src/cli/service/find.ts';
import { markdown } from '../bench/report.ts';
import { openLocalPlatform, type Platform } from '../support/processes/platform.ts';
import { Project } from '../support/processes/project.ts';
import { Random } from '../support/random.ts';
import { storeAgency } from './agency.ts';
import { Load, QUERIES } from './load.ts';
import { Service } from './service.ts';

const options = await yargs(hideBin(process.argv))
  .scriptName('npm run soak --')
  .usage('$0 [options]\n\nRuns npm start under load for a while, and checks every response.')
  .option('minutes', {
    type: 'number',
    default: 10,
    describe: 'Duration; more than one for the memory to count',
  })
  .option('readers', { type: 'number', default: 64, describe: 'Readers at the same time' })
  .option('writers', {
    type: 'number',
    default: 8,
    describe: 'Integrators who update units at the same time',
  })
  .option('sets', { type: 'number', default: 200, describe: 'Sets of feed parameters' })
  .option('read-pause', {
    type: 'number',
    default: 400,
    describe: 'Average milliseconds between requests of a reader',
  })
  .option('write-pause', {
    type: 'number',
    default: 3_000,
    describe: 'Average milliseconds between updates of a writer',
  })
  .option('seed', { type: 'number', default: 1, describe: 'Of the order of requests' })
  .strict()
  .version(false)
  .parse();

/** How far the Worker's live memory may grow after the first minute. */
const MAX_GROWTH = 1.2;

/** Seconds after which the Worker has allocated what it always needs. */
const SETTLED = Math.min(60, options.minutes * 15);

const AGENCIES = 4;

const random = new Random(options.seed);
const project = new Project();
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await project.remove();
}

/** Whether every requirement is met. */
async function soak(): Promise<boolean> {
  const service = await Service.start(project);
  await using platform = await openLocalPlatform(
    join(project.directory, 'wrangler.toml'),
    join(project.directory, 'state'),
  );
  const unitsEach = Math.ceil(options.writers / AGENCIES);
  const agencies = [];
  for (let index = 1; index <= AGENCIES; index++) {
    agencies.push(await storeAgency(platform.env.DB, `SOAK${index}`, unitsEach));
  }
  const load = new Load(service.origin, agencies);
  await put(load, service, platform, SETTLED);
  const early = await service.liveMegabytes();
  await put(load, service, platform, options.minutes * 60 - SETTLED);
  const late = await service.liveMegabytes();
  const requirements: [what: string, holds: boolean][] = [
    ['no wrong response', load.failures.length === 0],
    [`live memory at most ${MAX_GROWTH} times that after ${SETTLED} s`, late / early <= MAX_GROWTH],
    ['npm start still responds', !service.hasEnded],
  ];
  console.log(markdown(['figure', 'value'], figuresOf(load, early, late)));
  const results = requirements.map(([what, holds]) => [what, holds ? 'met' : 'missed']);
  console.log(`\n${markdown(['required', ''], results)}`);
  for (const failure of load.failures.slice(0, 10)) console.log(failure);
  if (service.hasEnded) console.log(service.running.output.slice(-2_000));
  return requirements.every(([, holds]) => holds);
}

/** Puts a service under load for some seconds; then nothing uses it any more. */
async function put(
  load: Load,
  service: Service,
  platform: Platform,
  seconds: number,
): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  load.isOver = () => service.hasEnded || performance.now() >= endsAt;
  const queries = QUERIES.slice(0, options.sets);
  const operated = await findService(project.directory, { url: service.origin }, {});
  const units = load.agencies.flatMap((agency) =>
    [...agency.units.keys()].map((name) => [agency, name] as const),
  );
  await Promise.all([
    ...Array.from({ length: options.readers }, () =>
      load.read(queries, options['read-pause'], random.fork()),
    ),
    ...units
      .slice(0, options.writers)
      .map(([agency, name]) => load.write(agency, name, options['write-pause'], random.fork())),
    load.importAgain(operated, project.directory, random.fork()),
    load.loseSnapshots(platform, random.fork()),
  ]);
}

function figuresOf({ counts, durations }: Load, early: number, late: number): string[][] {
  const { minutes, readers, writers, sets } = options;
  const sorted = durations.toSorted((a, b) => a - b);
  const within = (share: number) =>
    `${sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(0)} ms`;
  return [
    ['duration', `${minutes} min, ${readers} readers, ${writers} writers, ${sets} parameter sets`],
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => [name, String(count)]),
    ...[0.5, 0.95, 0.99].map((share) => [`feeds: ${share * 100}% within`, within(share)]),
    [`live memory of the Worker after ${SETTLED} s`, `${early.toFixed(1)} MB`],
    ['live memory of the Worker at the end', `${late.toFixed(1)} MB`],
  ];
}
