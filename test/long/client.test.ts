import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { SCOPES } from '../../src/oauth/scopes.ts';
import { createAgency } from '../support/accounts/agency.ts';
import { startServer } from '../support/processes/server.ts';

const CLIENT = join(import.meta.dirname, '../client');
const { resolve } = createRequire(join(CLIENT, 'package.json'));
const GENERATOR = join(dirname(resolve('openapi-typescript/package.json')), 'bin/cli.js');
const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Runs a script of Node, and gives what it prints; fails with it if the script does. */
async function run(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    cwd: CLIENT,
  }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

test('a client that openapi-typescript generates from /openapi.json: compiles, and does what the API describes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lindero-client-'));
  const server = await startServer(
    { SIGNING_KEYS: JSON.stringify({ keys: [await generateSigningKey()] }) },
    undefined,
    undefined,
    true,
  );
  try {
    const { clientId, secret } = await createAgency(server.db, 'CLIENT', [], SCOPES);
    const document = await fetch(new URL('/openapi.json', server.url));
    await writeFile(join(folder, 'openapi.json'), await document.text());
    await run(GENERATOR, join(folder, 'openapi.json'), '-o', join(CLIENT, 'api.d.ts'));
    await run(COMPILER, '--project', CLIENT);
    const printed = await run(join(CLIENT, 'dist/program.js'), server.url.origin, clientId, secret);
    expect(JSON.parse(printed)).toEqual({
      'create property': 201,
      'list properties': 200,
      properties: ['villa-1 in Nerja'],
      'patch property': 200,
      beds: 4,
      price: 260_000,
      changes: ['villa-1: 4 beds'],
      villa: 'Casa',
      'delete property': 204,
      'read it again': 'property_not_found',
      'create development': 201,
      'create unit': 201,
      'update unit': 200,
      version: 2,
      import: 202,
      'read import': 200,
      'create source': 201,
      sources: ['crm every day'],
      'delete source': 204,
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});
