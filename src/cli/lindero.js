/**
 * The entry of the operator's program. A Node that does not read TypeScript, such as 20, passes the command on to the project's
 * own, which runs npm's scripts too.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

if (process.features.typescript) {
  await import('./command/compile-cache.js');
  await import('./main.ts');
} else {
  const node = join(import.meta.dirname, '../../node_modules/.bin/node');
  const { status, error } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
