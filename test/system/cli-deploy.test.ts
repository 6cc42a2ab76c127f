import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CloudflareApi, type Step, startCloudflareApi } from '../support/cloudflare-api.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let api: CloudflareApi;
let project: string;

beforeAll(async () => {
  api = await startCloudflareApi();
  project = await mkdtemp(join(tmpdir(), 'lindero-project-'));
  for (const part of ['src', 'migrations', 'wrangler.toml', 'package.json', 'tsconfig.json']) {
    await cp(join(ROOT, part), join(project, part), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
});

afterAll(async () => {
  await api.stop();
  await rm(project, { recursive: true, force: true, maxRetries: 5 });
});

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(program: string, args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const { CLOUDFLARE_API_TOKEN: _, ...inherited } = process.env;
  return new Promise((done) => {
    const child = execFile(
      program,
      args,
      {
        cwd: project,
        env: { ...inherited, ...environment, CI: 'true', WRANGLER_SEND_METRICS: 'false', HOME: project },
      },
      (error, out, err) => done({ code: error === null ? 0 : Number(error.code), output: out + err }),
    );
    child.stdin?.end();
  });
}

function node(args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  return run(process.execPath, args, environment);
}

function deploy(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  return node(['--import', 'tsx', 'src/cli/deploy.ts', ...args], environment);
}

const MIGRATIONS = (await readdir('migrations')).filter((file) => file.endsWith('.sql')).sort();
const RESOURCES = ['database lindero in enam', 'store lindero-snapshots'];

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
    const { code, output } = await deploy(api.environment, '--location', 'weur');
    api.subdomain = 'agency';
    expect(output).toContain('https://dash.cloudflare.com/account/workers/onboarding');
    expect(code).toBe(1);
  });

  test('several accounts and none chosen: fails, listing them', async () => {
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    api.accounts = [...api.accounts, { id: 'another', name: 'Another agency' }];
    const { code, output } = await deploy(environment, '--location', 'weur');
    api.accounts = api.accounts.slice(0, 1);
    expect(output).toContain('CLOUDFLARE_ACCOUNT_ID=another   # Another agency');
    expect(code).toBe(1);
  });

  test('an account that the token cannot access: fails, naming it', async () => {
    const { code, output } = await deploy(
      { ...api.environment, CLOUDFLARE_ACCOUNT_ID: 'foreign' },
      '--location',
      'weur',
    );
    expect(output).toContain('The Cloudflare account foreign cannot be accessed');
    expect(code).toBe(1);
  });

  afterAll(() => expect(api.changes).toEqual([]));
});

describe('a first deployment that fails at each step in turn, and is repeated', () => {
  test.each<[step: Step, changes: readonly string[]]>([
    ['create database', []],
    ['create store', RESOURCES.slice(0, 1)],
    ['ledger', RESOURCES],
    ['import init', RESOURCES],
    ['import upload', RESOURCES],
    ['import ingest', RESOURCES],
    ['import statement', RESOURCES],
  ])('%s: no migration is applied and no Worker is deployed', async (step, changes) => {
    api.failing = { [step]: `no ${step}` };
    const { code, output } = await deploy(api.environment, '--location', 'enam');
    expect(output).toContain(`no ${step}`);
    expect(code).toBe(1);
    expect(api.changes).toEqual(changes);
    expect(await deployed()).toEqual({ tables: [], ledger: [] });
  });

  test('import result and import poll, in turn: it has been applied, so the deployment continues', async () => {
    let imports = 0;
    api.failing = {
      get 'import result'() {
        imports += 1;
        return imports % 2 === 1 ? 'connection lost' : undefined;
      },
      'import poll': 'connection lost',
      secrets: 'no secrets',
    };
    const { code, output } = await deploy(api.environment);
    expect((await deployed()).ledger).toEqual(MIGRATIONS);
    expect(output).toContain('no secrets');
    expect(api.changes).toEqual(RESOURCES);
    expect(code).toBe(1);
  });

  test('upload Worker: no temporary files are left', async () => {
    api.failing = { 'upload Worker': 'internal' };
    expect((await deploy({ ...api.environment, TMPDIR: project })).code).toBe(1);
    expect(api.changes).toEqual(RESOURCES);
    expect((await readdir(project)).filter((name) => name.startsWith('lindero-'))).toEqual([]);
  });

  test('enable subdomain: the Worker has its keys already', async () => {
    api.failing = { 'enable subdomain': 'internal' };
    expect((await deploy(api.environment)).code).toBe(1);
    expect(api.changes).toEqual([...RESOURCES, 'Worker with SIGNING_KEYS']);
  });

  test('npm run deploy, without a failure and with the only account unnamed: the service is deployed', async () => {
    api.failing = {};
    const { CLOUDFLARE_ACCOUNT_ID: _, ...environment } = api.environment;
    const { code, output } = await run('npm', ['run', 'deploy'], environment);
    expect(output).toContain('lindero -- account create');
    expect(code).toBe(0);
    expect(api.changes).toEqual([...RESOURCES, 'Worker with SIGNING_KEYS', 'Worker']);
    expect((await deployed()).ledger).toEqual(MIGRATIONS);
  });

  test('what has been deployed: near its database, at one address, without passwords in its log', () => {
    expect(api.uploaded).toMatchObject({
      placement: { mode: 'targeted', region: 'aws:us-east-1' },
      observability: { enabled: true, redact_query_string: true },
    });
    expect(api.addresses).toEqual({ enabled: true, previews_enabled: false });
  });
});

test('the next deployment: the Worker alone, and its keys stay', async () => {
  const before = api.changes.length;
  expect((await deploy(api.environment)).code).toBe(0);
  expect(api.changes.slice(before)).toEqual(['Worker']);
});

test('account list --remote without Cloudflare credentials: fails, with what is needed', async () => {
  const { code, output } = await node(['src/cli/lindero.mjs', 'account', 'list', '--remote'], {});
  expect(output).toContain('CLOUDFLARE_API_TOKEN');
  expect(code).toBe(1);
});

test('account list --remote before anything is deployed: fails, and says to deploy', async () => {
  const empty = await startCloudflareApi();
  const { code, output } = await node(
    ['src/cli/lindero.mjs', 'account', 'list', '--remote', '--json'],
    empty.environment,
  );
  await empty.stop();
  expect(JSON.parse(output)).toMatchObject({ error: { code: 'not_deployed' } });
  expect(code).toBe(1);
});

test('account list --remote: reaches for the database and the store that are deployed', async () => {
  const before = api.changes.length;
  const { code } = await node(['src/cli/lindero.mjs', 'account', 'list', '--remote'], api.environment);
  expect(api.changes.slice(before)).toEqual(['preview with DB with SNAPSHOTS']);
  // There is no such preview to talk to here.
  expect(code).toBe(1);
});
