/**
 * Starts the operator's program: bundles it in memory, which takes a twentieth of a second, and runs it by Node alone.
 * A loader that stays in the process would cost an import of a large file a quarter of the memory that it may take.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const [bundle] = buildSync({
  entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  write: false,
}).outputFiles;

// Under a name that fixes its content, so that two who start it at once do no harm.
const directory = fileURLToPath(new URL('../../.wrangler/lindero', import.meta.url));
const file = `${directory}/${createHash('sha256').update(bundle.contents).digest('hex')}.mjs`;
if (!existsSync(file)) {
  mkdirSync(directory, { recursive: true });
  const draft = `${directory}/${randomUUID()}`;
  writeFileSync(draft, bundle.contents);
  renameSync(draft, file);
}
await import(pathToFileURL(file).href);
