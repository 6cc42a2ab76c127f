import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

const { cases, seed, only } = await yargs(hideBin(process.argv))
  .scriptName('npm run fuzz --')
  .usage('$0 [options]\n\nTries the properties of feeds and of unit updates on many cases.')
  .option('cases', { type: 'number', default: 100_000, describe: 'cases of each property' })
  .option('seed', { type: 'number', describe: 'the seed that a run or a failure has named' })
  .option('only', { choices: ['feed', 'query', 'update'] as const, describe: 'one property alone' })
  .example('$0 --cases 100000', 'a long run')
  .example('$0 --only feed --seed 123456789', 'a failure again')
  .strict()
  .parse();

const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url)),
    ...['run', '--project', 'worker', `test/worker/fuzz/${only ?? ''}`],
  ],
  {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, FUZZ_CASES: String(cases), ...(seed === undefined ? {} : { FUZZ_SEED: String(seed) }) },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
