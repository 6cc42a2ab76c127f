import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { Failure } from '../../src/cli/command/failure.ts';
import { type Asked, deploy as deployWorker } from '../../src/cli/deploy/deploy.ts';
import type { CloudflareApi } from '../support/network/cloudflare-api.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** The npm scripts that a deployment runs before wrangler. Here they only note their names: `npm test` runs the real ones. */
export const SCRIPTS = ['types', 'build', 'bindings'];

/** The directory that the tests of a file deploy from: see {@link useProject}. */
export let project: string;

/** Gives the tests of a file a directory with the project, whose npm scripts only note that they ran. */
export function useProject(): void {
  beforeAll(async () => {
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
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));
}

/** Sets the environment variables of this test, without any of the machine's own that concern it. */
export function setEnvironment(environment: Record<string, string>): void {
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

/** What a deployment whose wrangler uploads nothing would upload. */
export interface WouldUpload {
  readonly output: string;
  readonly config: Record<string, unknown>;
  /** The names of the secrets. */
  readonly secrets: readonly string[];
}

export interface DeploymentTo {
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
export async function deployTo(
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
export async function remembered(directory: string): Promise<{ services: Services; mode: number }> {
  const file = join(directory, '.lindero.json');
  return {
    services: JSON.parse(await readFile(file, 'utf8')),
    mode: (await stat(file)).mode & 0o777,
  };
}

export type Services = Readonly<Record<string, { readonly url: string; readonly key: string }>>;
