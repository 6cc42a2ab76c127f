/** `npm run deploy`: checks types and bundle of the project in the current directory, and deploys it. */
import { spawnSync } from 'node:child_process';
import { showWrangler } from './cloudflare/wrangler.ts';
import { exitOnSignals } from './command/ending.ts';
import { Failure } from './command/failure.ts';
import { deploy } from './deploy/deploy.ts';
import { LOCATION_CHOICES, parseLocation } from './deploy/location.ts';
import { CONFIG } from './platform/open.ts';

const HELP = `npm run deploy -- [--location <code> | --jurisdiction <code>]

Creates or updates the deployed service: its database, KV namespace, queue, tables, secrets and Worker. It can be repeated after a
failure at any step.

${LOCATION_CHOICES}`;

exitOnSignals((signal) => console.error(`Interrupted by ${signal}. To continue: npm run deploy`));

const args = process.argv.slice(2);
try {
  if (args.includes('--help')) console.log(HELP);
  else await checkAndDeploy();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}

async function checkAndDeploy(): Promise<void> {
  parseLocation(args);
  for (const script of ['types', 'build']) {
    const { status } = spawnSync('npm', ['run', '-s', script], { stdio: 'inherit' });
    if (status !== 0) throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
  }
  await deploy(args, { config: CONFIG, print: console.log, wrangler: showWrangler });
}
