/** `node src/cli/assets.ts`: wrangler runs it before it bundles, serves or uploads the Worker. */
import { writeAssets } from './setup/write-assets.ts';

await writeAssets('.', process.env.WRANGLER_COMMAND);
