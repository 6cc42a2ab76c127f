import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIRECTORY = join(ROOT, '.wrangler/lindero/programs');

/**
 * Runs a TypeScript program of this folder by Node alone: a loader that stays in the process would cost an import of a
 * large file a quarter of its memory. The program is bundled with its libraries, but for the large ones, into modules that
 * are loaded when they are needed, and bundled again once one of its files has changed.
 *
 * @param {string} entry the program's file in this folder
 */
export async function runBundled(entry) {
  const record = join(DIRECTORY, `${entry}.json`);
  await import(pathToFileURL(readUnchanged(record) ?? bundle(entry, record)).href);
}

/** The recorded bundle; `undefined` if there is none or one of its files has changed since. */
function readUnchanged(record) {
  try {
    const { program, files } = JSON.parse(readFileSync(record, 'utf8'));
    const unchanged = files.every(([file, changed]) => statSync(join(ROOT, file)).mtimeMs === changed);
    return unchanged && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function bundle(entry, record) {
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // Needed by CommonJS libraries.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    external: ['esbuild', 'miniflare', 'wrangler'],
    outdir: DIRECTORY,
    // Named by their content, so that programs bundled at the same time do not disturb each other.
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
  });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const { path, contents } of outputFiles) if (!existsSync(path)) replaceFile(path, contents);
  const [program] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => basename(entryPoint ?? '') === entry);
  const files = ['src/cli/bundle.mjs', ...Object.keys(metafile.inputs)].map((file) => [
    file,
    statSync(join(ROOT, file)).mtimeMs,
  ]);
  replaceFile(record, JSON.stringify({ program: join(ROOT, program), files }));
  return join(ROOT, program);
}

function replaceFile(path, contents) {
  const draft = join(DIRECTORY, randomUUID());
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
