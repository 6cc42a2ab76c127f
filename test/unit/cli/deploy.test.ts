import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Cloudflare, connect } from '../../../src/cli/cloudflare/api.ts';
import {
  readConfig,
  type WranglerConfig,
  writeDerived,
} from '../../../src/cli/cloudflare/config.ts';
import { configuredOrigin, isOnWorkersDev } from '../../../src/cli/deploy/address.ts';
import { type Location, placementRegion, provide } from '../../../src/cli/deploy/resources.ts';
import { listen } from '../../support/network/listen.ts';
import { runOffline } from '../../support/processes/command-line.ts';

const IGNORED = () => {};

test.each([
  [['--location', 'mars'], 'mars'],
  [['--location', 'weur', '--jurisdiction', 'eu'], 'mutually exclusive'],
  [['--location'], 'location'],
  [['--region', 'weur'], 'region'],
  [['--domain', 'https://feeds.example.com'], '--domain'],
])('deploy %j: usage, before types are checked or anything is built', async (args, mentioned) => {
  const { exit, err } = await runOffline(['deploy', ...args]);
  expect([exit, err]).toEqual([2, expect.stringContaining(mentioned)]);
});

test.each([
  [{ running_in_region: 'WEUR' }, undefined, 'aws:eu-west-3'],
  [{ running_in_region: 'ENAM' }, { location: 'weur' }, 'aws:us-east-1'],
  [{ running_in_region: null }, { location: 'oc' }, 'aws:ap-southeast-2'],
  [{ jurisdiction: 'us' }, undefined, 'aws:us-east-1'],
  [{ running_in_region: 'EEUR', jurisdiction: 'eu' }, undefined, 'aws:eu-central-1'],
  [{}, { jurisdiction: 'fedramp' }, 'aws:us-east-1'],
  [{ running_in_region: 'MOON', jurisdiction: 'new' }, undefined, undefined],
  [{}, undefined, undefined],
])('the placement of a Worker with a database %j, asked for %j: %s', (info, asked, region) => {
  expect(placementRegion({ uuid: 'id', ...info }, asked)).toBe(region);
});

test('a database in another location than requested is accepted, one not bound to the requested jurisdiction is not', async () => {
  const config = {
    d1_databases: [{ binding: 'DB', database_name: 'lindero', database_id: 'id' }],
    kv_namespaces: [],
  } as unknown as WranglerConfig;
  const creating = (jurisdiction: string | null, asked: Location) =>
    provide(
      config,
      asked,
      {
        get: async () => ({ jurisdiction }),
        list: async () => [],
      } as unknown as Cloudflare,
      IGNORED,
    );
  await creating(null, { location: 'weur' });
  await creating('eu', { jurisdiction: 'eu' });
  await expect(creating(null, { jurisdiction: 'eu' })).rejects.toMatchObject({
    code: 'wrong_jurisdiction',
  });
});

test('--databases 2 --location weur for a service in the EU: the new database and the bucket are in the EU as well', async () => {
  const config = {
    name: 'lindero',
    d1_databases: [
      { binding: 'DB', database_name: 'lindero' },
      { binding: 'DB_2', database_name: 'lindero-2' },
    ],
    kv_namespaces: [],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'lindero-files' }],
  } as unknown as WranglerConfig;
  const first = { name: 'lindero', uuid: 'id', jurisdiction: 'eu' };
  const created: object[] = [];
  const cloudflare = {
    get: async (path: string) => (path === '/d1/database/id' ? first : {}),
    list: async (path: string) => (path === '/d1/database' ? [first] : []),
    post: async (_: string, body: object) => {
      created.push(body);
      return { uuid: 'id-2' };
    },
    put: async () => ({}),
  } as unknown as Cloudflare;
  const { config: found } = await provide(config, { location: 'weur' }, cloudflare, IGNORED);
  expect(found.r2_buckets).toEqual([
    { binding: 'FILES', bucket_name: 'lindero-files', jurisdiction: 'eu' },
  ]);
  expect(created).toEqual([
    { name: 'lindero-2', primary_location_hint: 'weur', jurisdiction: 'eu' },
  ]);
});

test('an account with more databases and queues than a page of the API has: all of them are found', async () => {
  const databases = Array.from({ length: 250 }, (_, index) => ({ name: `database-${index}` }));
  const queues = databases.map((_, index) => ({ queue_name: `queue-${index}` }));
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://api.example');
    const [page, size] = [searchParams.get('page'), searchParams.get('per_page')].map(Number) as [
      number,
      number,
    ];
    // The list of queues is always complete.
    const result = pathname.endsWith('/queues')
      ? queues
      : databases.slice((page - 1) * size, page * size);
    response.end(JSON.stringify({ success: request.method === 'GET', result }));
  });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    return server.stop();
  });
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', server.origin);
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
  const cloudflare = await connect('account');
  expect(await cloudflare.list('/d1/database')).toEqual(databases);
  const config = {
    d1_databases: [{ binding: 'DB', database_name: 'lindero', database_id: 'id' }],
    kv_namespaces: [],
    queues: { producers: [{ queue: 'queue-249' }] },
  } as unknown as WranglerConfig;
  await provide(config, undefined, cloudflare, IGNORED);
});

describe('the configuration', () => {
  let config: string;

  beforeEach(async () => {
    config = join(await mkdtemp(join(tmpdir(), 'lindero-config-')), 'wrangler.toml');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(join(config, '..'), { recursive: true });
  });

  const PROJECT = 'name = "lindero"\ncompatibility_date = "2026-04-26"';
  const DATABASE = 'd1_databases = [{ binding = "DB", database_name = "lindero" }]';
  const STORE = 'kv_namespaces = [{ binding = "SNAPSHOTS" }]';

  async function read(...lines: string[]) {
    await writeFile(config, [PROJECT, ...lines].join('\n'));
    return readConfig(config);
  }

  const cloudflare = {
    list: async (path: string) =>
      path === '/d1/database'
        ? [{ name: 'lindero', uuid: 'found' }]
        : [{ title: 'lindero-snapshots', id: 'stored' }],
    get: async () => ({}),
    post: async () => ({ uuid: 'created' }),
  } as unknown as Cloudflare;

  test.each([
    [
      'missing or zero ids: found by name',
      '00000000-0000-0000-0000-000000000000',
      '000',
      'found',
      'stored',
    ],
    [
      'ids that are given, as the deploy button writes them: used',
      'given',
      'given too',
      'given',
      'given too',
    ],
  ])('%s', async (_, database, store, databaseId, storeId) => {
    const text = `d1_databases = [{ binding = "DB", database_name = "lindero", database_id = "${database}" },
       { binding = "DB_2", database_name = "lindero-2" }]
       kv_namespaces = [{ binding = "SNAPSHOTS", id = "${store}" }]`;
    expect(
      (await provide(await read(text), { location: 'weur' }, cloudflare, IGNORED)).config,
    ).toMatchObject({
      d1_databases: [{ database_id: databaseId }, { binding: 'DB_2', database_id: 'created' }],
      kv_namespaces: [{ id: storeId }],
    });
    await expect(provide(await read(text), undefined, cloudflare, IGNORED)).rejects.toMatchObject({
      code: 'no_location',
    });
  });

  test.each([
    ['is not TOML', 'name = '],
    ['names no database', STORE],
  ])('that %s: bad_config', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'bad_config' });
  });

  const ROUTES =
    'routes = [{ pattern = "a.example/*" }, { pattern = "feeds.example.com", custom_domain = true }]';

  test.each([
    ['', true, undefined],
    ['workers_dev = false', false, undefined],
    [ROUTES, false, 'https://feeds.example.com'],
    [`workers_dev = true\n${ROUTES}`, true, 'https://feeds.example.com'],
    ['vars = { PUBLIC_ORIGIN = "https://tokens.example.com" }', true, 'https://tokens.example.com'],
  ])('with %j: at workers.dev %s, origin %s', async (more, onWorkersDev, origin) => {
    const parsed = await read(more, DATABASE, STORE);
    expect([isOnWorkersDev(parsed), configuredOrigin(parsed)]).toEqual([onWorkersDev, origin]);
  });

  describe('CLOUDFLARE_ENV=staging', () => {
    const COMMON = [
      DATABASE,
      STORE,
      'workers_dev = true',
      'vars = { PUBLIC_ORIGIN = "https://feeds.example.com" }',
    ];
    const OWN = `[env.staging]\nworkers_dev = false\n${DATABASE}\n${STORE}`.replaceAll(
      '"lindero"',
      '"trial"',
    );

    beforeEach(() => {
      vi.stubEnv('CLOUDFLARE_ENV', 'staging');
    });

    test('files that are derived from it are not those of production', async () => {
      await read(...COMMON, OWN);
      const staging = await writeDerived(config, 'deploy', { name: 'staging' });
      vi.stubEnv('CLOUDFLARE_ENV', '');
      const production = await writeDerived(config, 'deploy', { name: 'production' });
      const names = await Promise.all(
        [staging, production].map(async (path) => JSON.parse(await readFile(path, 'utf8'))),
      );
      expect(names).toEqual([{ name: 'staging' }, { name: 'production' }]);
      expect(production.endsWith('.wrangler/lindero/deploy.json')).toBe(true);
    });

    test('its own settings over those of all, its own database and name, and no variables of production', async () => {
      const parsed = await read(...COMMON, OWN);
      const own = {
        name: 'lindero-staging',
        workers_dev: false,
        d1_databases: [{ database_name: 'trial' }],
      };
      expect(parsed).toMatchObject({ ...own, compatibility_date: '2026-04-26' });
      for (const name of ['vars', 'env']) expect(parsed).not.toHaveProperty(name);
      expect(await read(...COMMON, OWN, 'name = "trial"')).toMatchObject({ name: 'trial' });
    });

    test.each([
      [
        'without its own database: bad_config, and never that of production',
        `[env.staging]\n${STORE}`,
      ],
      ['without its own KV namespace: bad_config', `[env.staging]\n${DATABASE}`],
      ['not in the file: bad_config', '[env.other]'],
    ])('%s', async (_, environment) => {
      await expect(read(...COMMON, environment)).rejects.toMatchObject({ code: 'bad_config' });
    });
  });
});

test('wrangler.toml: staging has every binding of production, with names and limits of its own', async () => {
  const { env, ...production } = parse(await readFile('wrangler.toml', 'utf8'));
  const { staging } = env as { staging: Record<string, unknown> };
  type Binding = Record<string, unknown>;
  const lists = (config: Record<string, unknown>) => ({
    ...config,
    queues: (config.queues as Binding).producers,
  });
  const [all, own] = [lists(production), lists(staging)] as Record<string, Binding[]>[];
  for (const kind of [
    'd1_databases',
    'kv_namespaces',
    'r2_buckets',
    'queues',
    'analytics_engine_datasets',
    'ratelimits',
  ]) {
    const named = (list: Binding[]) =>
      list.map(({ binding, name, simple }) => ({ binding, name, simple }));
    expect(named(own![kind]!), kind).toEqual(named(all![kind]!));
    const ids = (list: Binding[]) =>
      list.map(
        (one) =>
          one.database_name ?? one.namespace_id ?? one.bucket_name ?? one.queue ?? one.dataset,
      );
    for (const id of ids(own![kind]!))
      if (id !== undefined) expect(ids(all![kind]!)).not.toContain(id);
  }
  expect(staging.name).not.toBe(production.name);
});
