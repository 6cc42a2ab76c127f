import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/cli/cloudflare/config.ts';
import { runWrangler } from '../../src/cli/cloudflare/wrangler.ts';
import { Failure } from '../../src/cli/command/failure.ts';
import { type Asked, deploy as deployWorker } from '../../src/cli/deploy/deploy.ts';
import {
  type CloudflareApi,
  type Step,
  startCloudflareApi,
} from '../support/network/cloudflare-api.ts';
import {
  deployTo,
  project,
  ROOT,
  remembered,
  SCRIPTS,
  setEnvironment,
  useProject,
} from './deployment.ts';

useProject();

let api: CloudflareApi;
let migrations: string[];

beforeAll(async () => {
  api = await startCloudflareApi();
  migrations = (await readdir(join(ROOT, 'migrations')))
    .filter((file) => file.endsWith('.sql'))
    .sort();
});

afterAll(() => api.stop());

interface Ended {
  readonly code: number;
  /** The code of the failure, if it is one of the program's own. */
  readonly failure?: string;
  readonly output: string;
}

/** Runs a program in the project's directory. */
function run(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(program, args, { cwd: project }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), output: out + err }),
    );
    child.stdin?.end();
  });
}

/** `npm run deploy` in this process, with a real wrangler. */
async function deploy(environment: Record<string, string>, location?: string): Promise<Ended> {
  setEnvironment(environment);
  let output = '';
  const print = (text: string): void => {
    output += `${text}\n`;
  };
  const wrangler = async (given: readonly string[]): Promise<void> =>
    print(await runWrangler(given, ''));
  const before = process.cwd();
  process.chdir(project);
  try {
    const asked = location === undefined ? {} : { location: { location } };
    print(
      (await deployWorker(asked, { config: 'wrangler.toml', directory: '.', print, wrangler }))
        .next,
    );
    return { code: 0, output };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.exit, failure: error.code, output: output + error.message };
  } finally {
    process.chdir(before);
  }
}

const BINDINGS = ['DB', 'DB_2', 'DB_3'];

const RESOURCES = [
  'database lindero in enam',
  'store lindero-snapshots',
  'bucket lindero-files',
  'queue lindero-tasks',
  'queue lindero-long-tasks',
  'queue lindero-dead-tasks',
];

/** The tables and ledger entries of the deployed database. */
async function deployed(): Promise<{ tables: unknown[]; ledger: unknown[] }> {
  const schema = await api.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = schema.results
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite|_cf|d1)_/.test(String(name)));
  const noLedger = !schema.results.some(({ name }) => name === 'd1_migrations');
  if (noLedger) return { tables, ledger: [] };
  const ledger = await api.db.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
  return { tables, ledger: ledger.results.map(({ name }) => name) };
}

describe('what must be known beforehand', () => {
  test('no credentials: not_logged_in', async () => {
    expect(await deploy({})).toMatchObject({ code: 1, failure: 'not_logged_in' });
  });

  test('no location: no_location', async () => {
    expect(await deploy(api.environment)).toMatchObject({ code: 2, failure: 'no_location' });
  });

  test('an account without a workers.dev subdomain: no_subdomain', async () => {
    api.subdomain = undefined;
    const ended = await deploy(api.environment, 'weur');
    api.subdomain = 'agency';
    expect(ended).toMatchObject({ code: 1, failure: 'no_subdomain' });
  });

  test('several accounts and none chosen: which_account, with their ids', async () => {
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    api.accounts = [...api.accounts, { id: 'another', name: 'Another agency' }];
    const ended = await deploy(environment, 'weur');
    api.accounts = api.accounts.slice(0, 1);
    expect(ended).toMatchObject({ code: 1, failure: 'which_account' });
    expect(ended.output).toContain('CLOUDFLARE_ACCOUNT_ID=another');
  });

  test('an account that the token cannot access: no_access', async () => {
    const environment = { ...api.environment, CLOUDFLARE_ACCOUNT_ID: 'foreign' };
    expect(await deploy(environment, 'weur')).toMatchObject({ code: 1, failure: 'no_access' });
  });

  afterAll(() => expect(api.changes).toEqual([]));
});

describe('another service', () => {
  let other: CloudflareApi;
  let directory: string;

  beforeAll(async () => {
    other = await startCloudflareApi();
    directory = await mkdtemp(join(tmpdir(), 'lindero-other-'));
  });
  afterAll(async () => {
    await other.stop();
    await rm(directory, { recursive: true });
  });

  const deployOther = (asked?: Asked) => deployTo({ service: other, directory }, asked);

  test('--jurisdiction eu: the database, the KV namespace, the bucket and the queues are in it', async () => {
    other.region = null;
    const { output, config } = await deployOther({ location: { jurisdiction: 'eu' } });
    expect(other.changes).toEqual([
      'database lindero in eu',
      'store lindero-snapshots in eu',
      'bucket lindero-files in eu',
      'queue lindero-tasks in eu',
      'queue lindero-long-tasks in eu',
      'queue lindero-dead-tasks in eu',
    ]);
    expect(config).toMatchObject({
      r2_buckets: [{ jurisdiction: 'eu' }],
      placement: { region: 'aws:eu-central-1' },
    });
    expect(output).toContain('Deployed to https://lindero.agency.workers.dev.');
  });

  test('queues that were created without a jurisdiction: a new one has none either, and the output says so', async () => {
    const dead = other.queues.pop()!;
    for (const queue of other.queues) delete queue.jurisdiction;
    const { output } = await deployOther();
    expect(other.queues.at(-1)).toMatchObject({ queue_name: dead.queue_name });
    expect(other.queues.at(-1)!.jurisdiction).toBeUndefined();
    expect(output).toContain('npx wrangler queues delete');
  });

  test('--domain: a custom domain, the origin of tokens and of commands, and no address at workers.dev; the next deployment keeps it', async () => {
    const expected = {
      routes: [{ pattern: 'feeds.example.com', custom_domain: true }],
      vars: { PUBLIC_ORIGIN: 'https://feeds.example.com' },
    };
    other.subdomain = undefined;
    const before = (await remembered(directory)).services.production;
    const { output, config } = await deployOther({ domain: 'feeds.example.com' });
    expect(config).toMatchObject(expected);
    expect(config).not.toHaveProperty('workers_dev');
    expect(output).toContain('npm run smoke -- https://feeds.example.com --account CODE');
    other.domains = [{ hostname: 'feeds.example.com', service: 'lindero' }];
    expect((await deployOther()).config).toMatchObject(expected);
    expect((await remembered(directory)).services).toEqual({
      production: { url: 'https://feeds.example.com', key: before!.key },
    });
  });

  test.each<[what: string, code: string, state: Partial<CloudflareApi>]>([
    [
      'another Worker has',
      'domain_in_use',
      { domains: [{ hostname: 'www.example.com', service: 'shop' }] },
    ],
    ['a DNS record has', 'domain_in_use', { records: ['www.example.com'] }],
    [
      'a DNS record has, before the Worker exists',
      'domain_in_use',
      { records: ['www.example.com'], uploaded: {} },
    ],
    [
      'may have a DNS record that cannot be read',
      'domain_unknown',
      { mayReadRecords: false, uploaded: {} },
    ],
  ])('--domain of a name that %s: %s, and nothing is changed', async (_, code, state) => {
    const { domains, records, mayReadRecords, uploaded } = other;
    const before = structuredClone([other.changes, other.secrets, await remembered(directory)]);
    Object.assign(other, state);
    await expect(deployOther({ domain: 'www.example.com' })).rejects.toMatchObject({ code });
    expect([other.changes, other.secrets, await remembered(directory)]).toEqual(before);
    Object.assign(other, { domains, records, mayReadRecords, uploaded });
  });

  test('--domain of a second name, which a DNS record has, --force: both are its domains, and stay', async () => {
    const routes = ['www.example.com', 'feeds.example.com'].map((pattern) => ({
      pattern,
      custom_domain: true,
    }));
    const expected = { routes, vars: { PUBLIC_ORIGIN: 'https://www.example.com' } };
    other.records = ['www.example.com'];
    const forced = await deployOther({ domain: 'www.example.com', force: true });
    expect(forced.config).toMatchObject(expected);
    const own = ['feeds.example.com', 'www.example.com'];
    other.domains = own.map((hostname) => ({ hostname, service: 'lindero' }));
    const { config } = await deployOther();
    expect(config).toMatchObject({ vars: expected.vars, routes: routes.toReversed() });
  });

  test('routes of a zone instead: the host of the first one that has no wildcard; without one, fails and says what to set', async () => {
    const from = join(directory, 'wrangler.toml');
    const config = await readFile(join(ROOT, 'wrangler.toml'), 'utf8');
    await symlink(join(ROOT, 'migrations'), join(directory, 'migrations'));
    const before = other.changes.length;
    const deployRouted = async (...routes: string[]) => {
      await writeFile(from, `routes = ${JSON.stringify(routes)}\n${config}`);
      return deployTo({ service: other, directory, from });
    };
    other.domains = [];
    await deployRouted('*.example.com/*', 'homes.example.com/*');
    expect((await remembered(directory)).services.production?.url).toBe(
      'https://homes.example.com',
    );
    await expect(deployRouted('*.example.com/*')).rejects.toMatchObject({ code: 'no_address' });
    expect(other.changes.slice(before)).toEqual([]);
  });

  test('a region that cannot be read: the placement of the last deployment, if there is one, and the output says so', async () => {
    await other.stop();
    other = await startCloudflareApi();
    other.region = null;
    const near = { placement: { region: 'aws:ap-southeast-2' } };
    expect((await deployOther({ location: { location: 'oc' } })).config).toMatchObject(near);
    const next = await deployOther();
    expect(next.config).toMatchObject(near);
    expect(next.output).toContain('in an unknown region; Worker near aws:ap-southeast-2');
    delete other.uploaded.placement;
    const unplaced = await deployOther();
    expect(unplaced.config).not.toHaveProperty('placement');
    expect(unplaced.output).toContain('Worker not placed');
  });
});

describe('a first deployment that fails at each step in turn, and is repeated', () => {
  test.each<[step: Step, changes: readonly string[]]>([
    ['create database', []],
    ['create store', RESOURCES.slice(0, 1)],
    ['create bucket', RESOURCES.slice(0, 2)],
    ['create queue', RESOURCES.slice(0, 3)],
    ['ledger', RESOURCES],
    ['import upload', RESOURCES],
    ['import statement', RESOURCES],
  ])('%s: no migration is applied and no Worker is deployed', async (step, changes) => {
    api.failing = { [step]: `no ${step}` };
    const { code, output } = await deploy(api.environment, 'enam');
    expect(output).toContain(`no ${step}`);
    expect(code).toBe(1);
    expect(api.changes).toEqual(changes);
    expect(await deployed()).toEqual({ tables: [], ledger: [] });
  });

  test('import result: it has been applied, so the deployment continues', async () => {
    api.failing = { 'import result': 'connection lost', secrets: 'no secrets' };
    const { code, output } = await deploy(api.environment);
    expect((await deployed()).ledger).toEqual(migrations);
    expect(output).toContain('no secrets');
    expect(api.changes).toEqual(RESOURCES);
    expect(code).toBe(1);
  });

  test('enable subdomain: the Worker has its keys already, the operator has theirs, and no temporary files are left', async () => {
    api.failing = { 'enable subdomain': 'internal' };
    expect((await deploy({ ...api.environment, TMPDIR: project })).code).toBe(1);
    expect(api.changes).toEqual([
      ...RESOURCES,
      'Worker with SIGNING_KEYS with SESSION_KEY with SEALING_KEY with OPERATOR_KEY',
    ]);
    expect((await remembered(project)).services.production?.key).toBe(api.secrets.OPERATOR_KEY);
    expect((await readdir(project)).filter((name) => name.startsWith('lindero-'))).toEqual([]);
  });

  test('npm run deploy -- --databases 3, the only account unnamed: two more databases, all migrated, declared and bound; the keys stay', async () => {
    api.failing = {};
    const before = api.changes.length;
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    setEnvironment(environment);
    const { code, output } = await run('npm', [
      'run',
      'deploy',
      '--',
      '--databases',
      '3',
      '--location',
      'weur',
    ]);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain(
      'lindero -- account create CODE --name "Name of the agency" --env production',
    );
    expect(await remembered(project)).toEqual({
      services: {
        production: { url: 'https://lindero.agency.workers.dev', key: api.secrets.OPERATOR_KEY },
      },
      mode: 0o600,
    });
    expect((await readFile(join(project, 'scripts.txt'), 'utf8')).trim().split('\n')).toEqual(
      SCRIPTS,
    );
    expect(api.changes.slice(before)).toEqual([
      'database lindero-2 in weur',
      'database lindero-3 in weur',
      'Worker',
    ]);
    const bound = (api.uploaded.bindings as { type: string; name: string }[]).filter(
      ({ type }) => type === 'd1',
    );
    expect(bound.map(({ name }) => name)).toEqual(BINDINGS);
    for (const db of api.databases) {
      const ledger = await db.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
      expect(ledger.results.map(({ name }) => name)).toEqual(migrations);
    }
    const declared = await readConfig(join(project, 'wrangler.toml'));
    expect(declared.d1_databases.map(({ binding }) => binding)).toEqual(BINDINGS);
  });

  test('the bucket: backups, originals of pictures and lost tasks expire, other rules stay, and so does one that was changed', async () => {
    const rule = (prefix: string, days: number) => ({
      id: `Lindero: ${prefix}`,
      enabled: true,
      conditions: { prefix },
      deleteObjectsTransition: { condition: { type: 'Age', maxAge: days * 86_400 } },
    });
    const others = { id: 'Default Multipart Abort Rule' };
    expect(api.rules).toEqual([
      others,
      rule('backups/', 30),
      rule('originals/', 30),
      rule('lost-tasks/', 7),
    ]);
    const changed = [others, rule('backups/', 90), rule('originals/', 30), rule('lost-tasks/', 7)];
    Object.assign(api, { rules: changed });
    await deployTo({ service: api, directory: project });
    expect(api.rules).toEqual(changed);
  });

  test('on the free plan, which refuses a limit of CPU: without one', async () => {
    expect(api.uploaded).toMatchObject({ limits: { cpu_ms: 300_000 } });
    api.isFree = true;
    const { code, output } = await deploy(api.environment);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(api.uploaded).not.toHaveProperty('limits');
    api.isFree = false;
  });

  test('npm run deploy -- --env production where CLOUDFLARE_ENV names another: production again, with the same keys', async () => {
    const before = [...api.changes];
    const secrets = { ...api.secrets };
    const file = await remembered(project);
    setEnvironment({ ...api.environment, CLOUDFLARE_ENV: 'staging' });
    const { code, output } = await run('npm', ['run', 'deploy', '--', '--env', 'production']);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(api.changes).toEqual([...before, 'Worker']);
    expect([api.secrets, await remembered(project)]).toEqual([secrets, file]);
  });

  test('what has been deployed: near its database, at one address, without passwords in its log; it calls its own zone as anybody does', () => {
    expect(api.uploaded).toMatchObject({
      compatibility_flags: ['global_fetch_strictly_public'],
      placement: { mode: 'targeted', region: 'aws:us-east-1' },
      observability: { enabled: true, redact_query_string: true },
    });
    expect(api.addresses).toEqual({ enabled: true, previews_enabled: false });
  });

  test('from a wrangler.toml that lacks one of them, in which an account is: fails, and the Worker stays as it is', async () => {
    const path = join(project, 'wrangler.toml');
    const declared = await readFile(path, 'utf8');
    const before = api.changes.length;
    await api.db
      .prepare("INSERT INTO directory (account, database) VALUES ('COSTA', 'DB_3')")
      .run();
    await writeFile(path, declared.slice(0, declared.lastIndexOf('[[d1_databases]]')));
    await expect(deployTo({ service: api, directory: project })).rejects.toMatchObject({
      code: 'lacking_database',
    });
    expect(api.changes.slice(before)).toEqual([]);
    await writeFile(path, declared);
  });

  test('again, without the option: the Worker keeps all three, and nothing is created', async () => {
    const before = api.changes.length;
    const { config } = await deployTo({ service: api, directory: project });
    expect((config.d1_databases as { binding: string }[]).map(({ binding }) => binding)).toEqual(
      BINDINGS,
    );
    expect(api.changes.slice(before)).toEqual([]);
  });
});
