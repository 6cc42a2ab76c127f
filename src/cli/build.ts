/** `npm run build`: bundles the Worker of the project in the current directory as a deployment does, and uploads nothing. */
import { Failure } from './failure.ts';
import { showWrangler } from './wrangler.ts';

try {
  await showWrangler(['deploy', '--dry-run', '--outdir', '.wrangler/build']);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = error.exit;
}
