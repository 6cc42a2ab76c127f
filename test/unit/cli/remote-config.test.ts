import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cloudflare } from '../../../src/cli/cloudflare/api.ts';
import { findResources, readProject, writeDeployConfig } from '../../../src/cli/cloudflare/config.ts';

let directory: string;
let config: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lindero-config-'));
  config = join(directory, 'wrangler.toml');
});
afterEach(() => rm(directory, { recursive: true }));

const cloudflare: Cloudflare = {
  accountId: 'account',
  get: () => Promise.reject(new TypeError('nothing but lists is asked for')),
  post: () => Promise.reject(new TypeError('nothing is created')),
  list: async <Entry>(path: string) =>
    (path === '/d1/database'
      ? [{ name: 'lindero', uuid: 'found' }]
      : [{ title: 'lindero-snapshots', id: 'stored' }]) as Entry[],
};

const SETTINGS = { accountId: 'account', database: 'found', store: 'stored', region: 'aws:eu-west-3' };
const PROJECT = `name = "lindero"
  main = "src/worker.ts"
  compatibility_date = "2026-04-26"`;

async function deployConfig(text: string): Promise<object> {
  await writeFile(config, text);
  return JSON.parse(await readFile(await writeDeployConfig(config, SETTINGS), 'utf8'));
}

test('missing or zero ids: the resources are found by name', async () => {
  for (const [database, store] of [
    ['', ''],
    [', database_id = "00000000-0000-0000-0000-000000000000"', ', id = "00000000000000000000000000000000"'],
  ]) {
    await writeFile(
      config,
      `${PROJECT}
       d1_databases = [{ binding = "DB", database_name = "lindero"${database} }]
       kv_namespaces = [{ binding = "SNAPSHOTS"${store} }]`,
    );
    expect(await findResources(await readProject(config), cloudflare)).toEqual({ database: 'found', store: 'stored' });
  }
});

test('ids in the configuration, as the deploy button writes them: used', async () => {
  await writeFile(
    config,
    `${PROJECT}
     d1_databases = [{ binding = "DB", database_name = "other", database_id = "given" }]
     kv_namespaces = [{ binding = "SNAPSHOTS", id = "given too" }]`,
  );
  expect(await findResources(await readProject(config), cloudflare)).toEqual({ database: 'given', store: 'given too' });
});

test('several databases and namespaces: all of them are deployed, the first with the ids found', async () => {
  expect(
    await deployConfig(
      `${PROJECT}
       d1_databases = [
         { binding = "DB", database_name = "lindero" },
         { binding = "DB_1", database_name = "lindero-1", database_id = "one", migrations_dir = "others" },
       ]
       kv_namespaces = [{ binding = "SNAPSHOTS" }, { binding = "OTHER", id = "other" }]`,
    ),
  ).toMatchObject({
    main: '../../src/worker.ts',
    account_id: 'account',
    placement: { region: 'aws:eu-west-3' },
    d1_databases: [
      { binding: 'DB', database_id: 'found', migrations_dir: '../../migrations' },
      { binding: 'DB_1', database_id: 'one', migrations_dir: '../../others' },
    ],
    kv_namespaces: [
      { binding: 'SNAPSHOTS', id: 'stored' },
      { binding: 'OTHER', id: 'other' },
    ],
  });
});

test('a placement in the configuration: unchanged', async () => {
  expect(await deployConfig(`${PROJECT}\nplacement = { mode = "off" }`)).toMatchObject({ placement: { mode: 'off' } });
});

test.each([
  ['is not TOML', 'name = '],
  ['names no database', `${PROJECT}\nkv_namespaces = [{ binding = "SNAPSHOTS" }]`],
])('a configuration that %s: bad_config', async (_, text) => {
  await writeFile(config, text);
  await expect(readProject(config)).rejects.toMatchObject({ code: 'bad_config' });
});

test.each([
  ['', true],
  ['workers_dev = false', false],
  ['routes = [{ pattern = "feeds.example.com", custom_domain = true }]', false],
  ['workers_dev = true\nroutes = [{ pattern = "feeds.example.com", custom_domain = true }]', true],
])('a configuration with %j: served at workers.dev %s', async (more, expected) => {
  const resources = 'd1_databases = [{ binding = "DB", database_name = "a" }]\nkv_namespaces = [{ binding = "B" }]';
  await writeFile(config, `${PROJECT}\n${more}\n${resources}`);
  expect(await readProject(config)).toMatchObject({ onWorkersDev: expected });
});

test('CLOUDFLARE_ENV=staging: the settings of that environment over those of all, and no other environment', async () => {
  vi.stubEnv('CLOUDFLARE_ENV', 'staging');
  const text = `${PROJECT}
    d1_databases = [{ binding = "DB", database_name = "lindero" }]
    kv_namespaces = [{ binding = "SNAPSHOTS" }]
    [env.staging]
    name = "lindero-staging"
    d1_databases = [{ binding = "DB", database_name = "lindero-staging" }]`;
  const deployed = await deployConfig(text);
  expect(deployed).toMatchObject({ name: 'lindero-staging', d1_databases: [{ database_name: 'lindero-staging' }] });
  expect(deployed).not.toHaveProperty('env');
  expect(await readProject(config)).toMatchObject({ store: { name: 'lindero-staging-snapshots' } });
  vi.stubEnv('CLOUDFLARE_ENV', 'nowhere');
  await expect(readProject(config)).rejects.toMatchObject({ code: 'bad_config' });
  vi.unstubAllEnvs();
  expect(await deployConfig(text)).toMatchObject({ name: 'lindero' });
});

test('wrangler.toml: staging has every binding of production, with names and limits of its own', async () => {
  const { env, ...production } = parse(await readFile('wrangler.toml', 'utf8'));
  const { staging } = env as { staging: Record<string, unknown> };
  type Binding = Record<string, unknown>;
  for (const kind of ['d1_databases', 'kv_namespaces', 'ratelimits']) {
    const [all, own] = [production[kind] as Binding[], staging[kind] as Binding[]];
    const named = (list: Binding[]) => list.map(({ binding, name, simple }) => ({ binding, name, simple }));
    expect(named(own)).toEqual(named(all));
    const ids = (list: Binding[]) => list.map(({ database_name, namespace_id }) => database_name ?? namespace_id);
    for (const id of ids(own)) if (id !== undefined) expect(ids(all)).not.toContain(id);
  }
  expect(staging.name).not.toBe(production.name);
});

test.each([
  ['', undefined],
  [
    'routes = [{ pattern = "a.example/*" }, { pattern = "feeds.example.com", custom_domain = true }]',
    'feeds.example.com',
  ],
  ['vars = { PUBLIC_ORIGIN = "https://tokens.example.com" }', 'tokens.example.com'],
])('a configuration with %j: served at %s', async (more, host) => {
  const resources = 'd1_databases = [{ binding = "DB", database_name = "a" }]\nkv_namespaces = [{ binding = "B" }]';
  await writeFile(config, `${PROJECT}\n${more}\n${resources}`);
  expect((await readProject(config)).origin).toBe(host && `https://${host}`);
});
