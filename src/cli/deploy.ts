/** `npm run deploy`: deploys the project in the current directory. */
import { exitOnSignals } from './at-exit.ts';
import { deploy } from './deploy/deploy.ts';
import { Failure } from './failure.ts';
import { CONFIG } from './platform.ts';
import { showWrangler } from './wrangler.ts';

exitOnSignals((signal) => console.error(`Interrupted by ${signal}. To continue: npm run deploy`));

try {
  await deploy(process.argv.slice(2), { config: CONFIG, print: console.log, wrangler: showWrangler });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}
