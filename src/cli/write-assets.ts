import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../api/document.ts';
import { SCHEMA_FILES } from '../schemas/files.ts';

/** Where `wrangler.toml` says that the assets are. */
const DIRECTORY = '.wrangler/assets';

/** Files of the source that are served unchanged, by their path in the service. */
const COPIED: Readonly<Record<string, string>> = {
  'console/console.css': 'src/console/console.css',
  'console/console.js': 'src/console/console.js',
  'docs.html': 'src/docs/docs.html',
  'docs/docs.css': 'src/docs/docs.css',
  'docs/docs.js': 'src/docs/docs.js',
  ...Object.fromEntries(Object.entries(SCHEMA_FILES).map(([name, path]) => [`schemas/${name}`, path])),
};

/**
 * Writes the files that the Worker serves as they are. Those that have not changed remain untouched, so that nothing is
 * reloaded or uploaded again.
 *
 * @param project the project's directory
 */
export async function writeAssets(project: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const copies = Object.entries(COPIED).map(async ([path, source]) =>
    write(project, path, await readFile(join(project, source), 'utf8')),
  );
  await Promise.all([
    ...copies,
    write(project, 'openapi.json', JSON.stringify(openApiDocument(version))),
    write(project, 'docs/redoc.js', await renderer(project)),
  ]);
}

/** Redoc in one file, without the logo that it would load from another host. */
async function renderer(project: string): Promise<string> {
  const { resolve } = createRequire(join(process.cwd(), project, 'package.json'));
  const script = await readFile(resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  return script.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w/.-]+/g, 'data:,');
}

async function write(project: string, name: string, content: string): Promise<void> {
  const path = join(project, DIRECTORY, name);
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === content) return;
  await mkdir(dirname(path), { recursive: true });
  // Beside the directory, because wrangler may be reading it.
  const draft = join(project, dirname(DIRECTORY), randomUUID());
  await writeFile(draft, content);
  await rename(draft, path);
}
