import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Project, type Running } from '../support/project.ts';

const project = new Project();

afterAll(() => project.remove());

/** Runs a command on the state `state`, and returns what it prints with `--json`. */
async function printed(...command: [string, ...string[]]): Promise<unknown> {
  const running = project.run(...command, '--persist-to', 'state', '--json');
  expect([await running.exit, running.output]).toEqual([0, expect.any(String)]);
  return JSON.parse(running.output);
}

/** Runs the operator's program. */
function lindero(...args: string[]): Promise<unknown> {
  return printed('node', 'src/cli/lindero.ts', ...args);
}

/** Starts wrangler. */
function wrangler(...args: string[]): Running {
  return project.run('node', 'node_modules/wrangler/bin/wrangler.js', ...args, '--persist-to', 'state');
}

/** Gives the local database and store identifiers of their own, in addition to those of the deployed ones. */
function identifyLocally(): void {
  const file = join(project.directory, 'wrangler.toml');
  const config = readFileSync(file, 'utf8')
    .replace('binding = "DB"', 'binding = "DB"\npreview_database_id = "local-database"')
    .replace('binding = "SNAPSHOTS"', 'binding = "SNAPSHOTS"\npreview_id = "local-store"');
  writeFileSync(file, config);
}

/** The keys that wrangler finds in the local store. */
async function keysInStore(): Promise<string[]> {
  const running = wrangler('kv', 'key', 'list', '--binding', 'SNAPSHOTS', '--preview', '--local');
  expect(await running.exit).toBe(0);
  return [...running.output.matchAll(/"name": "([^"]+)"/g)].map(([, key]) => key!);
}

test('npm run setup: wrangler dev serves the demo feed and tokens from it; again, it changes nothing', async () => {
  identifyLocally();
  expect(await printed('npm', 'run', '-s', 'setup', '--')).toEqual({
    settings: ['SIGNING_KEYS', 'SESSION_KEY', 'SEALING_KEY'],
    migrations: expect.arrayContaining([expect.stringMatching(/^0001_.*\.sql$/)]),
    accounts: ['DEMO', 'OTHER'],
    pictures: 'http://localhost:8787',
  });
  expect(await lindero('setup')).toMatchObject({ settings: [], migrations: [], accounts: [] });

  const running = wrangler('dev', '--port', '0', '--inspector-port', '0');
  const [, origin] = await running.prints(/Ready on (http:\/\/\S+)/);
  const feed = await fetch(`${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=demo`);
  expect([feed.status, (await feed.text()).slice(0, 5)]).toEqual([200, '<?xml']);
  const token = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('demo-client:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(token.status).toBe(200);
  await expect
    .poll(() => lindero('snapshot', 'list', '--account', 'DEMO'))
    .toEqual({ snapshots: [expect.objectContaining({ key: expect.any(String) })] });
  running.interrupt();
  await running.exit;
  expect(await lindero('doctor')).toMatchObject({ ok: true });

  expect(await keysInStore()).toHaveLength(1);
  expect(await lindero('snapshot', 'delete', '--account', 'DEMO')).toEqual({ deleted: 1 });
  expect(await keysInStore()).toEqual([]);
});

test('lindero import of the demo agency: every property is created, and nothing is rejected or interpreted', async () => {
  expect(await lindero('account', 'create', 'COPY', '--name', 'Copy')).toMatchObject({ code: 'COPY' });
  const imported = await lindero('import', resolve('src/demo/demo.ndjson'), '--account', 'COPY');
  expect(imported).toMatchObject({
    properties: { created: 76, rejected: 0 },
    developments: { created: 3 },
    units: { created: 60 },
    interpreted: [],
    ignored: [],
    rejected_records: [],
  });
});
