import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/cli/cloudflare/config.ts';
import { runWrangler } from '../../src/cli/cloudflare/wrangler.ts';
import { Failure } from '../../src/cli/command/failure.ts';
import { type Asked, deploy as deployWorker } from '../../src/cli/deploy/deploy.ts';
import { findService } from '../../src/cli/service/find.ts';
import { newKeySet, parseKeySet } from '../../src/cli/setup/secrets.ts';
import {
  type CloudflareApi,
  type Step,
  startCloudflareApi,
} from '../support/network/cloudflare-api.ts';
import { type Server, startServer } from '../support/processes/server.ts';

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
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ ...others, scripts: { ...scripts, ...notes } }),
  );
  migrations = (await readdir(join(ROOT, 'migrations')))
    .filter((file) => file.endsWith('.sql'))
    .sort();
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

/** Sets the environment variables of this test, without any of the machine's own that concern it. */
function setEnvironment(environment: Record<string, string>): void {
  const foreign = {
    CLOUDFLARE_API_TOKEN: undefined,
    CLOUDFLARE_ACCOUNT_ID: undefined,
    CLOUDFLARE_ENV: undefined,
    LINDERO_URL: undefined,
    LINDERO_OPERATOR_KEY: undefined,
  };
  const variables = {
    ...foreign,
    CI: 'true',
    WRANGLER_SEND_METRICS: 'false',
    HOME: project,
    ...environment,
  };
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
    return { code: error.exit, output: output + error.message };
  } finally {
    process.chdir(before);
  }
}

/** What a deployment whose wrangler uploads nothing would upload. */
interface WouldUpload {
  readonly output: string;
  readonly config: Record<string, unknown>;
  /** The names of the secrets. */
  readonly secrets: readonly string[];
}

interface DeploymentTo {
  readonly service: CloudflareApi;
  /** Where services are remembered. */
  readonly directory: string;
  /** The path of `wrangler.toml`; that of the project by default. */
  readonly from?: string;
  /** `CLOUDFLARE_ENV`. */
  readonly env?: string;
  /** Whether wrangler fails after it has uploaded the Worker with its secrets. */
  readonly failsAtLast?: boolean;
}

/** A deployment whose wrangler applies migrations to the database and uploads nothing. */
async function deployTo(
  {
    service,
    directory,
    from = join(project, 'wrangler.toml'),
    env,
    failsAtLast = false,
  }: DeploymentTo,
  asked: Asked = {},
): Promise<WouldUpload> {
  setEnvironment({ ...service.environment, ...(env === undefined ? {} : { CLOUDFLARE_ENV: env }) });
  let [output, config, secrets] = ['', {}, {}];
  const wrangler = async ([command, ...rest]: readonly string[]) => {
    if (command === 'd1')
      await service.db.batch([service.db.prepare(await readFile(rest.at(-1)!, 'utf8'))]);
    else {
      config = JSON.parse(await readFile(rest[1]!, 'utf8'));
      Object.assign(service.uploaded, config);
      if (rest[2] === '--secrets-file') secrets = JSON.parse(await readFile(rest[3]!, 'utf8'));
      Object.assign(service.secrets, secrets);
      if (failsAtLast) throw new Failure('wrangler', 'The addresses cannot be set.');
    }
  };
  const print = (line: string) => {
    output += `${line}\n`;
  };
  print((await deployWorker(asked, { config: from, directory, print, wrangler })).next);
  return { output, config, secrets: Object.keys(secrets) };
}

/** The services that a directory remembers, with the mode of the file. */
async function remembered(directory: string): Promise<{ services: Services; mode: number }> {
  const file = join(directory, '.lindero.json');
  return {
    services: JSON.parse(await readFile(file, 'utf8')),
    mode: (await stat(file)).mode & 0o777,
  };
}

type Services = Readonly<Record<string, { readonly url: string; readonly key: string }>>;

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
  const tables = schema.results
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite|_cf|d1)_/.test(String(name)));
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
    const { code, output } = await deploy(
      { ...api.environment, CLOUDFLARE_ACCOUNT_ID: 'foreign' },
      'weur',
    );
    expect(output).toContain('The Cloudflare account foreign cannot be accessed');
    expect(code).toBe(1);
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

  test('--jurisdiction eu: the database, the KV namespace and the bucket are in it', async () => {
    other.region = null;
    const { output, config } = await deployOther({ location: { jurisdiction: 'eu' } });
    expect(other.changes).toEqual([
      'database lindero in eu',
      'store lindero-snapshots in eu',
      'bucket lindero-files in eu',
      'queue lindero-tasks',
      'queue lindero-long-tasks',
    ]);
    expect(config).toMatchObject({
      r2_buckets: [{ jurisdiction: 'eu' }],
      placement: { region: 'aws:eu-central-1' },
    });
    expect(output).toContain('Deployed to https://lindero.agency.workers.dev.');
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
    other.domain = 'feeds.example.com';
    expect((await deployOther()).config).toMatchObject(expected);
    expect((await remembered(directory)).services).toEqual({
      production: { url: 'https://feeds.example.com', key: before!.key },
    });
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
    other.domain = undefined;
    await deployRouted('*.example.com/*', 'homes.example.com/*');
    expect((await remembered(directory)).services.production?.url).toBe(
      'https://homes.example.com',
    );
    await expect(deployRouted('*.example.com/*')).rejects.toThrow('Set PUBLIC_ORIGIN in its vars');
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
    await expect(deployTo({ service: api, directory: project })).rejects.toThrow(
      'npm run deploy -- --databases 3',
    );
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

describe("the operator's keys", () => {
  let service: CloudflareApi;
  /** The service itself, which publishes its keys and knows those of the operator. */
  let server: Server;
  let signing: string;
  let directory: string;
  let to: DeploymentTo;

  beforeAll(async () => {
    signing = await newKeySet();
    server = await startServer({ SIGNING_KEYS: signing });
    service = await startCloudflareApi();
    directory = await mkdtemp(join(tmpdir(), 'lindero-keys-'));
    await symlink(join(ROOT, 'migrations'), join(directory, 'migrations'));
    const from = join(directory, 'wrangler.toml');
    const table = (env: string) => `[${env}vars]\nPUBLIC_ORIGIN = "${server.url.origin}"\n`;
    const config = await readFile(join(ROOT, 'wrangler.toml'), 'utf8');
    await writeFile(from, `${config}\n${table('')}\n${table('env.staging.')}`);
    to = { service, directory, from };
  });
  afterAll(async () => {
    await server.stop();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const key = async (env = 'production') => (await remembered(directory)).services[env]?.key;

  test('a first deployment whose wrangler fails once the Worker has its key: .lindero.json has it too, with mode 600', async () => {
    const first = deployTo({ ...to, failsAtLast: true }, { location: { location: 'weur' } });
    await expect(first).rejects.toThrow('The addresses cannot be set.');
    expect(service.secrets.OPERATOR_KEY).toMatch(/^[\w-]{43}$/);
    expect(await remembered(directory)).toEqual({
      services: { production: { url: server.url.origin, key: service.secrets.OPERATOR_KEY } },
      mode: 0o600,
    });
  });

  test('a second deployment: no secret is uploaded, and the file stays as it is', async () => {
    const before = await remembered(directory);
    expect((await deployTo(to)).secrets).toEqual([]);
    expect(await remembered(directory)).toEqual(before);
  });

  test('--rotate-keys: a new key signs, and the published one is the second, without its private half', async () => {
    const { secrets } = await deployTo(to, { rotateKeys: true });
    expect(secrets).toEqual(['SIGNING_KEYS']);
    const [own] = parseKeySet(signing)!;
    const [first, second, ...more] = parseKeySet(service.secrets.SIGNING_KEYS!)!;
    const { d: _, ...published } = own!;
    expect([second, more]).toEqual([published, []]);
    expect(first).toHaveProperty('d');
    expect(first!.kid).not.toBe(own!.kid);
  });

  test('--rotate-keys of a service that does not respond: fails, and nothing is uploaded', async () => {
    const elsewhere = join(directory, 'elsewhere.toml');
    const config = await readFile(to.from!, 'utf8');
    await writeFile(elsewhere, config.replaceAll(server.url.origin, 'http://127.0.0.1:1'));
    const before = { ...service.secrets };
    const rotated = deployTo({ ...to, from: elsewhere }, { rotateKeys: true });
    await expect(rotated).rejects.toThrow(
      'http://127.0.0.1:1/.well-known/jwks.json is not responding',
    );
    expect(service.secrets).toEqual(before);
  });

  test('--rotate-operator-key: uploads a new one and the former one, and the file has the new one', async () => {
    const former = await key();
    const { secrets } = await deployTo(to, { rotateOperatorKey: true });
    expect(secrets.toSorted()).toEqual(['OPERATOR_KEY', 'OPERATOR_KEY_OLD']);
    expect(service.secrets.OPERATOR_KEY_OLD).toBe(former);
    expect(service.secrets.OPERATOR_KEY).not.toBe(former);
    expect(await key()).toBe(service.secrets.OPERATOR_KEY);
    expect((await remembered(directory)).mode).toBe(0o600);
  });

  test('--rotate-operator-key whose wrangler fails once the Worker has both: the former one stays, and is valid', async () => {
    const former = await key();
    await expect(
      deployTo({ ...to, failsAtLast: true }, { rotateOperatorKey: true }),
    ).rejects.toThrow();
    expect([await key(), service.secrets.OPERATOR_KEY_OLD]).toEqual([former, former]);
    await deployTo(to, { rotateOperatorKey: true });
    expect(service.secrets.OPERATOR_KEY_OLD).toBe(former);
    expect(await key()).toBe(service.secrets.OPERATOR_KEY);
  });

  test('from a directory that does not know the key: says what to do; --rotate-operator-key then gives it one', async () => {
    const empty = await mkdtemp(join(directory, 'empty-'));
    const { output } = await deployTo({ ...to, directory: empty });
    expect(output).toContain("This directory does not have the operator's key");
    expect(output).toContain('npm run deploy -- --rotate-operator-key');
    await expect(remembered(empty)).rejects.toThrow('ENOENT');
    expect(
      (await deployTo({ ...to, directory: empty }, { rotateOperatorKey: true })).secrets,
    ).toEqual(['OPERATOR_KEY']);
    expect((await remembered(empty)).services.production?.key).toBe(service.secrets.OPERATOR_KEY);
  });

  test('of another environment: another entry of the file, which --env chooses', async () => {
    const staging = await startCloudflareApi();
    const before = (await remembered(directory)).services;
    const { config, output } = await deployTo(
      { ...to, service: staging, env: 'staging' },
      { location: { location: 'weur' } },
    );
    expect(config).toMatchObject({ name: 'lindero-staging' });
    expect(output).toContain('--env staging');
    const { services, mode } = await remembered(directory);
    expect([services, mode]).toEqual([
      { ...before, staging: { url: server.url.origin, key: staging.secrets.OPERATOR_KEY } },
      0o600,
    ]);
    await staging.stop();
    for (const env of ['production', 'staging']) {
      const { url: origin, key } = services[env]!;
      expect(await findService(directory, { env }, {})).toEqual({ origin, key, isLocal: true });
    }
    await expect(findService(directory, { env: 'test' }, {})).rejects.toThrow(
      'npm run deploy -- --env test',
    );
  });
});
