import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findService } from '../../src/cli/service/find.ts';
import { newKeySet, parseKeySet } from '../../src/cli/setup/secrets.ts';
import { type CloudflareApi, startCloudflareApi } from '../support/network/cloudflare-api.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type DeploymentTo, deployTo, ROOT, remembered, useProject } from './deployment.ts';

useProject();

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
    await expect(first).rejects.toMatchObject({ code: 'wrangler' });
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
    await expect(rotated).rejects.toMatchObject({ code: 'no_published_keys' });
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
    await expect(findService(directory, { env: 'test' }, {})).rejects.toMatchObject({
      code: 'not_deployed',
    });
  });
});
