import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CloudflareApi, startCloudflareApi } from '../support/cloudflare-api.ts';

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

function node(args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const { CLOUDFLARE_API_TOKEN: _, ...inherited } = process.env;
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [...args],
      {
        cwd: project,
        env: { ...inherited, ...environment, CI: 'true', WRANGLER_SEND_METRICS: 'false', HOME: project },
      },
      (error, out, err) => done({ code: error === null ? 0 : Number(error.code), output: out + err }),
    );
    child.stdin?.end();
  });
}

function deploy(environment: Record<string, string>): Promise<Ended> {
  return node(['--import', 'tsx', 'src/cli/deploy.ts'], environment);
}

const MIGRATIONS = (await readdir('migrations')).sort().map((file) => `migration ${file}`);

test('deploying with no Cloudflare account at hand: fails, saying what is needed', async () => {
  const { code, output } = await deploy({});
  expect(output).toContain('CLOUDFLARE_API_TOKEN');
  expect(code).toBe(1);
});

test('a migration that fails: no Worker is deployed', async () => {
  api.failure = 'no such column: x';
  const { code, output } = await deploy(api.environment);
  api.failure = undefined;
  expect(output).toContain('no such column: x');
  expect(code).toBe(1);
  expect(api.changes).toEqual(['database lindero', 'store lindero-snapshots']);
});

test('an upload that fails: keys are left nowhere', async () => {
  api.uploadFailure = 'internal';
  const { code } = await deploy({ ...api.environment, TMPDIR: project });
  api.uploadFailure = undefined;
  expect(code).toBe(1);
  expect(api.changes.slice(2)).toEqual(MIGRATIONS);
  expect((await readdir(project)).filter((name) => name.startsWith('lindero-deploy-'))).toEqual([]);
});

test('the first deployment, done again after it failed twice: the Worker with its keys', async () => {
  const { code, output } = await deploy(api.environment);
  expect(output).toContain('lindero -- account create');
  expect(code).toBe(0);
  expect(api.changes).toEqual([
    'database lindero',
    'store lindero-snapshots',
    ...MIGRATIONS,
    'Worker with SIGNING_KEYS',
  ]);
});

test('the next deployment: the Worker alone, and its keys stay', async () => {
  const before = api.changes.length;
  expect((await deploy(api.environment)).code).toBe(0);
  expect(api.changes.slice(before)).toEqual(['Worker']);
});

test('account list --remote with no Cloudflare account at hand: fails, saying what is needed', async () => {
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
  expect(JSON.parse(output)).toEqual({
    error: { code: 'not_deployed', message: 'The account has no database lindero. Deploy first: npm run deploy' },
  });
  expect(code).toBe(1);
});

test('account list --remote: reaches for the database and the store that are deployed', async () => {
  const before = api.changes.length;
  const { code } = await node(['src/cli/lindero.mjs', 'account', 'list', '--remote'], api.environment);
  expect(api.changes.slice(before)).toEqual(['preview with DB with SNAPSHOTS']);
  // There is no such preview to talk to here.
  expect(code).toBe(1);
});
