/** `npm run deploy`: checks types and bundle of the project in the current directory, and deploys it. */
import { spawnSync } from 'node:child_process';
import { CONFIG } from './cloudflare/config.ts';
import { showWrangler } from './cloudflare/wrangler.ts';
import { exitOnSignals } from './command/ending.ts';
import { exitWithFailure, Failure } from './command/failure.ts';
import { deploy } from './deploy/deploy.ts';
import { parseOptions, USAGE } from './deploy/options.ts';

exitOnSignals((signal) => console.error(`Interrupted by ${signal}. To continue: npm run deploy`));

await exitWithFailure(async () => {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return console.log(USAGE);
  for (const script of ['types', 'build']) {
    const { status } = spawnSync('npm', ['run', '-s', script], { stdio: 'inherit' });
    if (status !== 0) throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
  }
  await deploy(options, { config: CONFIG, print: console.log, wrangler: showWrangler });
});
