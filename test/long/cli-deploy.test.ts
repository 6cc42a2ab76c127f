import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig, serviceOrigin } from '../../src/cli/cloudflare/config.ts';
import { runWrangler } from '../../src/cli/cloudflare/wrangler.ts';
import { Failure } from '../../src/cli/command/failure.ts';
import { deploy as deployWorker } from '../../src/cli/deploy/deploy.ts';
import type { Location } from '../../src/cli/deploy/resources.ts';
import { openRemotePlatform } from '../../src/cli/platform/platform.ts';
import { type CloudflareApi, type Step, startCloudflareApi } from '../support/network/cloudflare-api.ts';
import { runWith } from '../support/processes/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The npm scripts that a deployment runs before wrangler. Here they only note their names: `npm test` runs the real ones. */
const SCRIPTS = ['types', 'build', 'bindings'];

let api: CloudflareApi;
let project: string;
let migrations: string[];

beforeAll(async () => {
  api = await startCloudflareApi();
  project = await mkdtemp(join(tmpdir(), 'lindero-project-'));
  await cp(join(ROOT, 'wrangler.toml'), join(project, 'wrangler.toml'));
  for (const part of ['src', 'migrations', 'tsconfig.json', 'node_modules']) {
    await symlink(join(ROOT, part), join(project, part));
  }
  const { scripts, ...others } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const notes = Object.fromEntries(SCRIPTS.map((name) => [name, `echo ${name} >> scripts.txt`]));
  await writeFile(join(project, 'package.json'), JSON.stringify({ ...others, scripts: { ...scripts, ...notes } }));
  migrations = (await readdir(join(ROOT, 'migrations'))).filter((file) => file.endsWith('.sql')).sort();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await api.stop();
  await rm(project, { recursive: true, force: true, maxRetries: 5 });
});

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Sets the environment variables of this test, without any of the machine's own that concern Cloudflare. */
function setEnvironment(environment: Record<string, string>): void {
  const foreign = { CLOUDFLARE_API_TOKEN: undefined, CLOUDFLARE_ACCOUNT_ID: undefined };
  const variables = { ...foreign, CI: 'true', WRANGLER_SEND_METRICS: 'false', HOME: project, ...environment };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
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
  const wrangler = async (given: readonly string[]): Promise<void> => print(await runWrangler(given, ''));
  const before = process.cwd();
  process.chdir(project);
  try {
    const asked = location === undefined ? undefined : { location };
    print((await deployWorker(asked, undefined, { config: 'wrangler.toml', print, wrangler })).next);
    return { code: 0, output };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.exit, output: output + error.message };
  } finally {
    process.chdir(before);
  }
}

/** A deployment whose wrangler applies migrations to the database and uploads nothing; returns what it would upload. */
async function deployTo(
  service: CloudflareApi,
  location?: Location,
  domain?: string,
): Promise<{ output: string; config: Record<string, unknown> }> {
  setEnvironment(service.environment);
  let [output, config] = ['', {}];
  const wrangler = async ([command, ...rest]: readonly string[]) => {
    if (command === 'd1') await service.db.batch([service.db.prepare(await readFile(rest.at(-1)!, 'utf8'))]);
    else {
      config = JSON.parse(await readFile(rest[1]!, 'utf8'));
      Object.assign(service.uploaded, config);
    }
  };
  const print = (line: string) => {
    output += `${line}\n`;
  };
  print((await deployWorker(location, domain, { config: join(project, 'wrangler.toml'), print, wrangler })).next);
  return { output, config };
}

/** `account list --remote` in this process. */
function listAccounts(environment: Record<string, string>): Promise<Ended> {
  setEnvironment(environment);
  return runWith(
    () => openRemotePlatform(join(project, 'wrangler.toml')),
    ['account', 'list', '--remote', '--json'],
  ).then(({ exit, out, err }) => ({ code: exit, output: out + err }));
}

const BINDINGS = ['DB', 'DB_2', 'DB_3'];

const RESOURCES = [
  'database lindero in enam',
  'store lindero-snapshots',
  'bucket lindero-files',
  'queue lindero-tasks',
  'queue lindero-long-tasks',
];

/** The tables and ledger entries of the deployed database. */
async function deployed(): Promise<{ tables: unknown[]; ledger: unknown[] }> {
  const schema = await api.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = schema.results.map(({ name }) => name).filter((name) => !/^(sqlite|_cf|d1)_/.test(String(name)));
  const noLedger = !schema.results.some(({ name }) => name === 'd1_migrations');
  if (noLedger) return { tables, ledger: [] };
  const ledger = await api.db.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
  return { tables, ledger: ledger.results.map(({ name }) => name) };
}

describe('what must be known beforehand', () => {
  test('no credentials: fails, saying what is needed', async () => {
    const { code, output } = await deploy({});
    expect(output).toContain('CLOUDFLARE_API_TOKEN');
    expect(code).toBe(1);
  });

  test('no location: fails, with the choices', async () => {
    const { code, output } = await deploy(api.environment);
    expect(output).toContain('npm run deploy -- --location weur');
    expect(output).toContain('npm run deploy -- --jurisdiction eu');
    expect(code).toBe(2);
  });

  test('an account without a workers.dev subdomain: fails, saying where to claim one', async () => {
    api.subdomain = undefined;
    const { code, output } = await deploy(api.environment, 'weur');
    api.subdomain = 'agency';
    expect(output).toContain('https://dash.cloudflare.com/account/workers/onboarding');
    expect(code).toBe(1);
  });

  test('several accounts and none chosen: fails, listing them', async () => {
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    api.accounts = [...api.accounts, { id: 'another', name: 'Another agency' }];
    const { code, output } = await deploy(environment, 'weur');
    api.accounts = api.accounts.slice(0, 1);
    expect(output).toContain('CLOUDFLARE_ACCOUNT_ID=another   # Another agency');
    expect(code).toBe(1);
  });

  test('an account that the token cannot access: fails, naming it', async () => {
    const { code, output } = await deploy({ ...api.environment, CLOUDFLARE_ACCOUNT_ID: 'foreign' }, 'weur');
    expect(output).toContain('The Cloudflare account foreign cannot be accessed');
    expect(code).toBe(1);
  });

  afterAll(() => expect(api.changes).toEqual([]));
});

describe('another service', () => {
  let other: CloudflareApi;

  beforeAll(async () => {
    other = await startCloudflareApi();
  });
  afterAll(() => other.stop());

  const deployOther = (location?: Location, domain?: string) => deployTo(other, location, domain);

  test('--jurisdiction eu: the database, the KV namespace and the bucket are in it', async () => {
    other.region = null;
    const { output, config } = await deployOther({ jurisdiction: 'eu' });
    expect(other.changes).toEqual([
      'database lindero in eu',
      'store lindero-snapshots in eu',
      'bucket lindero-files in eu',
      'queue lindero-tasks',
      'queue lindero-long-tasks',
    ]);
    expect(config).toMatchObject({ r2_buckets: [{ jurisdiction: 'eu' }], placement: { region: 'aws:eu-central-1' } });
    expect(output).toContain('https://<address shown above>');
  });

  test('--domain: a custom domain, the origin of tokens, and no address at workers.dev; the next deployment keeps it', async () => {
    const expected = {
      routes: [{ pattern: 'feeds.example.com', custom_domain: true }],
      vars: { PUBLIC_ORIGIN: 'https://feeds.example.com' },
    };
    other.subdomain = undefined;
    const { output, config } = await deployOther(undefined, 'feeds.example.com');
    expect(config).toMatchObject(expected);
    expect(config).not.toHaveProperty('workers_dev');
    expect(output).toContain('npm run smoke -- https://feeds.example.com --account CODE');
    other.domain = 'feeds.example.com';
    expect((await deployOther()).config).toMatchObject(expected);
    const before = process.cwd();
    process.chdir(project);
    expect(await serviceOrigin(true)).toBe('https://feeds.example.com');
    process.chdir(before);
  });

  test('a region that cannot be read: the placement of the last deployment, if there is one, and the output says so', async () => {
    await other.stop();
    other = await startCloudflareApi();
    other.region = null;
    const near = { placement: { region: 'aws:ap-southeast-2' } };
    expect((await deployOther({ location: 'oc' })).config).toMatchObject(near);
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

  test('enable subdomain: the Worker has its keys already, and no temporary files are left', async () => {
    api.failing = { 'enable subdomain': 'internal' };
    expect((await deploy({ ...api.environment, TMPDIR: project })).code).toBe(1);
    expect(api.changes).toEqual([...RESOURCES, 'Worker with SIGNING_KEYS with SESSION_KEY with SEALING_KEY']);
    expect((await readdir(project)).filter((name) => name.startsWith('lindero-'))).toEqual([]);
  });

  test('npm run deploy -- --databases 3, the only account unnamed: two more databases, all migrated, declared and bound; the keys stay', async () => {
    api.failing = {};
    const before = api.changes.length;
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    setEnvironment(environment);
    const { code, output } = await run('npm', ['run', 'deploy', '--', '--databases', '3', '--location', 'weur']);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain('lindero -- account create');
    expect((await readFile(join(project, 'scripts.txt'), 'utf8')).trim().split('\n')).toEqual(SCRIPTS);
    expect(api.changes.slice(before)).toEqual(['database lindero-2 in weur', 'database lindero-3 in weur', 'Worker']);
    const bound = (api.uploaded.bindings as { type: string; name: string }[]).filter(({ type }) => type === 'd1');
    expect(bound.map(({ name }) => name)).toEqual(BINDINGS);
    const ranges = await Promise.all(
      api.databases.map(async (db) => {
        const ledger = await db.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
        expect(ledger.results.map(({ name }) => name)).toEqual(migrations);
        return db.prepare('SELECT id_range FROM time_line').first('id_range');
      }),
    );
    expect(ranges).toEqual([0, 1, 2]);
    const declared = await readConfig(join(project, 'wrangler.toml'));
    expect(declared.d1_databases.map(({ binding }) => binding)).toEqual(BINDINGS);
  });

  test('what has been deployed: near its database, at one address, without passwords in its log; it calls its own zone as anybody does', () => {
    expect(api.uploaded).toMatchObject({
      compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'],
      placement: { mode: 'targeted', region: 'aws:us-east-1' },
      observability: { enabled: true, redact_query_string: true },
    });
    expect(api.addresses).toEqual({ enabled: true, previews_enabled: false });
  });

  test('from a wrangler.toml that lacks one of them, in which an account is: fails, and the Worker stays as it is', async () => {
    const path = join(project, 'wrangler.toml');
    const declared = await readFile(path, 'utf8');
    const before = api.changes.length;
    await api.db.prepare("INSERT INTO directory (account, database) VALUES ('COSTA', 'DB_3')").run();
    await writeFile(path, declared.slice(0, declared.lastIndexOf('[[d1_databases]]')));
    await expect(deployTo(api)).rejects.toThrow('npm run deploy -- --databases 3');
    expect(api.changes.slice(before)).toEqual([]);
    await writeFile(path, declared);
  });

  test('again, without the option: the Worker keeps all three, and nothing is created', async () => {
    const before = api.changes.length;
    const { config } = await deployTo(api);
    expect((config.d1_databases as { binding: string }[]).map(({ binding }) => binding)).toEqual(BINDINGS);
    expect(api.changes.slice(before)).toEqual([]);
  });
});

test('the address of a service below workers.dev: its name and the subdomain of the account', async () => {
  setEnvironment(api.environment);
  const before = process.cwd();
  process.chdir(project);
  try {
    expect(await serviceOrigin(true)).toBe('https://lindero.agency.workers.dev');
  } finally {
    process.chdir(before);
  }
  expect(await serviceOrigin(false)).toBe('http://localhost:8787');
});

test('account list --remote without Cloudflare credentials: exit code 1, not_logged_in', async () => {
  const { code, output } = await listAccounts({});
  expect(JSON.parse(output)).toMatchObject({ error: { code: 'not_logged_in' } });
  expect(code).toBe(1);
});

test('account list --remote before anything is deployed: exit code 1, not_deployed', async () => {
  const empty = await startCloudflareApi();
  const { code, output } = await listAccounts(empty.environment);
  await empty.stop();
  expect(JSON.parse(output)).toMatchObject({ error: { code: 'not_deployed' } });
  expect(code).toBe(1);
});

test('account list --remote: reaches for the database and the store that are deployed', async () => {
  const before = api.changes.length;
  const { code } = await listAccounts(api.environment);
  expect(api.changes.slice(before)).toEqual([expect.stringMatching(/^preview with DB with .*SNAPSHOTS with FILES/)]);
  // There is no such preview to talk to here.
  expect(code).toBe(1);
});
