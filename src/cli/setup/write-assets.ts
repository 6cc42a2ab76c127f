import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { openApiDocument } from '../../openapi/document.ts';
import { importedNodes } from '../../openapi/imports.ts';
import { docsPage, problemPage, problemTable } from '../../openapi/pages.ts';
import { PROBLEMS, type ProblemCode } from '../../problem.ts';
import { propertySchema } from '../../properties/documents.ts';
import { PROPERTY_SCHEMA, SCHEMA_FILES, schemaText } from '../../service/schema-files.ts';

/** Where `wrangler.toml` says that the assets are. */
const DIRECTORY = '.wrangler/assets';

/** How a receiver of webhooks verifies a call, by language. */
const RECEIVERS = { 'Node.js': 'verify.mjs', PHP: 'verify.php', Python: 'verify.py' };

/** Files of the source that are served unchanged, by their path in the service. */
const COPIED: Readonly<Record<string, string>> = {
  'console/console.css': 'src/console/console.css',
  'console/console.js': 'src/console/console.js',
  ...Object.fromEntries(
    ['latin', 'latin-ext', 'cyrillic'].map((script) => [
      `console/fonts/inter-${script}.woff2`,
      `node_modules/@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`,
    ]),
  ),
  'docs/docs.css': 'src/service/docs.css',
  'docs/docs.js': 'src/service/docs.js',
};

/**
 * Writes the files that the Worker serves as they are. Those that have not changed remain
 * untouched, so that nothing is reloaded or uploaded again. Wrangler runs this file in the
 * project's directory before it bundles, serves or uploads the Worker.
 *
 * @param command the command of wrangler that the files are for, such as `dev`
 */
export async function writeAssets(command?: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  for (const [path, source] of Object.entries(COPIED)) await write(path, await readFile(source));
  for (const [name, path] of Object.entries(SCHEMA_FILES))
    await write(`schemas/${name}`, Buffer.from(schemaText(name, await readFile(path, 'utf8'))));
  const { $schema, ...schema } = z.toJSONSchema(propertySchema, { io: 'input' });
  const propertyJsonSchema = { $schema, title: 'A property of a portfolio', ...schema };
  await write(`schemas/${PROPERTY_SCHEMA}`, Buffer.from(JSON.stringify(propertyJsonSchema)));
  const introduction = await introductionText();
  const document = openApiDocument(version, introduction);
  await write('openapi.json', Buffer.from(JSON.stringify(document)));
  const docs = await readFile('src/service/docs.html', 'utf8');
  await write('docs.html', Buffer.from(docsPage(docs, document)));
  for (const code of Object.keys(PROBLEMS) as ProblemCode[])
    await write(`problems/${code}.html`, Buffer.from(problemPage(code, document)));
  await write('docs/redoc.js', Buffer.from(await renderer()));
  await writePictures(command);
}

/** What the API's description begins with, with the examples that a test runs. */
async function introductionText(): Promise<string> {
  const examples = Object.entries(RECEIVERS).map(async ([language, file]) => {
    const source = await readFile(`src/openapi/receivers/${file}`, 'utf8');
    return `In ${language}:\n\n\`\`\`\n${source}\`\`\`\n`;
  });
  const parts = [
    readFile('src/openapi/introduction.md', 'utf8'),
    ...examples,
    problemTable(),
    importedNodes(),
  ];
  return (await Promise.all(parts)).join('\n');
}

/** The demo's pictures: for development only, so a deployment uploads none. */
async function writePictures(command: string | undefined): Promise<void> {
  if (command === 'deploy') await rm(join(DIRECTORY, 'demo'), { recursive: true, force: true });
  if (command !== 'dev') return;
  const source = 'src/demo/pictures';
  for (const name of await readdir(source))
    await write(`demo/pictures/${name}`, await readFile(join(source, name)));
}

/** Redoc in one file, without the logo that it would load from another host. */
async function renderer(): Promise<string> {
  const path = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  const script = await readFile(path, 'utf8');
  return script.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w/.-]+/g, 'data:,');
}

async function write(name: string, content: Buffer): Promise<void> {
  const path = join(DIRECTORY, name);
  const current = await readFile(path).catch(() => undefined);
  if (current?.equals(content)) return;
  await mkdir(dirname(path), { recursive: true });
  // Outside the directory, because wrangler may be reading it.
  const draft = join(dirname(DIRECTORY), randomUUID());
  await writeFile(draft, content);
  await rename(draft, path);
}

if (import.meta.main) await writeAssets(process.env.WRANGLER_COMMAND);
