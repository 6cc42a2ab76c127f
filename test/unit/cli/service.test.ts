import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceClient } from '../../../src/cli/service/client.ts';
import { findService, rememberService } from '../../../src/cli/service/find.ts';
import { listen } from '../../support/network/listen.ts';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lindero-service-'));
  writeFileSync(join(directory, '.dev.vars'), "OPERATOR_KEY='local'\n");
  await rememberService(directory, 'production', {
    url: 'https://feeds.example',
    key: 'of-production',
  });
  await rememberService(directory, 'staging', {
    url: 'https://staging.example',
    key: 'of-staging',
  });
});

afterAll(() => rmSync(directory, { recursive: true }));

test.each<[string, { url?: string; env?: string }, Record<string, string>, string, string]>([
  ['nothing', {}, {}, 'http://localhost:8787', 'local'],
  [
    '--url of this machine',
    { url: 'http://127.0.0.1:9000/' },
    {},
    'http://127.0.0.1:9000',
    'local',
  ],
  ['--env', { env: 'staging' }, {}, 'https://staging.example', 'of-staging'],
  [
    '--env, whatever the environment',
    { env: 'staging' },
    { LINDERO_OPERATOR_KEY: 'x' },
    'https://staging.example',
    'of-staging',
  ],
  [
    '--url of a deployed one',
    { url: 'https://feeds.example' },
    {},
    'https://feeds.example',
    'of-production',
  ],
  [
    'LINDERO_URL and LINDERO_OPERATOR_KEY',
    {},
    { LINDERO_URL: 'https://other.example', LINDERO_OPERATOR_KEY: 'given' },
    'https://other.example',
    'given',
  ],
  [
    '--url beside a LINDERO_OPERATOR_KEY for all',
    { url: 'https://other.example' },
    { LINDERO_OPERATOR_KEY: 'given' },
    'https://other.example',
    'given',
  ],
])('%s: the service and its key', async (_, args, variables, origin, key) => {
  expect(await findService(directory, args, variables)).toMatchObject({ origin, key });
});

test.each<[string, { url?: string; env?: string }, Record<string, string>, string]>([
  [
    '--url of another service than the key is for',
    { url: 'https://x.example' },
    { LINDERO_URL: 'https://y.example', LINDERO_OPERATOR_KEY: 'k' },
    'no_key',
  ],
  ['--url of a service without a key', { url: 'https://x.example' }, {}, 'no_key'],
  ['--env that was not deployed', { env: 'test' }, {}, 'not_deployed'],
  ['--env and --url', { env: 'staging', url: 'https://x.example' }, {}, 'usage'],
  ['--url that is no address', { url: 'feeds' }, {}, 'usage'],
])('%s: refused', async (_, args, variables, code) => {
  await expect(findService(directory, args, variables)).rejects.toMatchObject({ code });
});

test('what deployments have written: only their owner can read it', () => {
  expect(statSync(join(directory, '.lindero.json')).mode & 0o777).toBe(0o600);
});

test('a service that redirects: the key is not sent to the other address', async () => {
  const asked: unknown[] = [];
  const other = await listen((request, response) => {
    asked.push(request.headers.authorization);
    response.end('{}');
  });
  const { origin, stop } = await listen((_, response) =>
    response.writeHead(302, { Location: other.origin }).end(),
  );
  const client = new ServiceClient({ origin, key: 'secret', isLocal: true });
  await expect(client.get('/v1/operator/accounts')).rejects.toMatchObject({ code: 'refused' });
  expect(asked).toEqual([]);
  await Promise.all([stop(), other.stop()]);
});
