import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('a service that keeps the program waiting', () => {
  const PATIENCE_MS = 200;
  const PROBLEM = { 'Content-Type': 'application/problem+json' };
  const failure = {
    code: 'no_answer',
    exit: 1,
    message: expect.stringMatching(/^http.* has not answered for 0.2 seconds\.$/),
  };
  let chunks: number;

  /** 10 MB and, unless it ends before, as much as the network takes. */
  async function* file(pauseMs = 0): AsyncGenerator<Uint8Array> {
    for (chunks = 0; chunks < 160; chunks++) {
      await sleep(pauseMs);
      yield new Uint8Array(64 * 1024);
    }
  }

  async function upload(answer: RequestListener, pauseMs = 0) {
    const { origin, stop } = await listen(answer);
    const client = new ServiceClient({ origin, key: 'secret', isLocal: true }, 'DEMO', PATIENCE_MS);
    try {
      return await client.post('/v1/imports', { stream: file(pauseMs), type: 'application/xml' });
    } finally {
      await stop();
    }
  }

  test('since it never answers: a failure', async () => {
    const { origin, stop } = await listen(() => {});
    const client = new ServiceClient(
      { origin, key: 'secret', isLocal: true },
      undefined,
      PATIENCE_MS,
    );
    await expect(client.get('/v1/operator/accounts')).rejects.toMatchObject(failure);
    await stop();
  });

  test('since it does not answer an upload that it has taken: a failure', async () => {
    await expect(upload((request) => request.resume())).rejects.toMatchObject(failure);
    expect(chunks).toBe(160);
  });

  test('since it takes no more of an upload: a failure, and what it does not take is not read', async () => {
    await expect(upload(() => {})).rejects.toMatchObject(failure);
    expect(chunks).toBeLessThan(160);
  });

  test('for less than that with each chunk: no failure', async () => {
    const slow: RequestListener = async (request, response) => {
      for await (const _ of request) await sleep(1);
      await sleep(PATIENCE_MS / 2);
      response.end('{"id":1}');
    };
    expect(await upload(slow, 2)).toEqual({ id: 1 });
  });

  test('not at all, but it answers before the end of an upload: its answer, and the rest is not read', async () => {
    const refusing: RequestListener = (_, response) => {
      response.writeHead(413, PROBLEM).end('{"code":"body_too_large","detail":"Too large."}');
    };
    await expect(upload(refusing)).rejects.toMatchObject({
      code: 'body_too_large',
      message: 'Too large.',
    });
    expect(chunks).toBeLessThan(160);
  });

  test('since it ends the connection of an upload: another failure, at once', async () => {
    await expect(upload((request) => request.socket.destroy())).rejects.toMatchObject({
      code: 'no_service',
    });
  });
});
