import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

const { cases, seed, only } = await yargs(hideBin(process.argv))
  .scriptName('npm run fuzz --')
  .usage(
    '$0 [options]\n\nTests the properties of feeds, unit updates and the documented API with many random cases, and feeds while D1 and KV fail.',
  )
  .option('cases', { type: 'number', default: 100_000, describe: 'cases per property' })
  .option('seed', {
    type: 'number',
    describe: 'the seed that an earlier run printed; random by default',
  })
  .option('only', {
    choices: ['feed', 'query', 'update', 'contract', 'faults'] as const,
    describe: 'one kind of case only',
  })
  .example('$0 --cases 100000', 'a long run')
  .example('$0 --only feed --seed 123456789', 'repeat a failure')
  .strict()
  .parse();

const usedSeed = seed ?? randomInt(2 ** 31);
console.log(`Seed ${usedSeed}: repeat this run with --seed ${usedSeed}`);

const { status } = spawnSync(
  process.execPath,
  [
    join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs'),
    ...[
      'run',
      '--project',
      'worker',
      '--project',
      'long-worker',
      '--reporter=default',
      '--silent=false',
      ...(only === 'faults' ? [] : [`test/worker/fuzz/${only ?? ''}`]),
      ...(only === undefined || only === 'faults' ? ['test/long/worker/faults'] : []),
    ],
  ],
  {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, FUZZ_CASES: String(cases), FUZZ_SEED: String(usedSeed) },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
