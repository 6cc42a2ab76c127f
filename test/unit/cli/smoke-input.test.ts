import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/cli/smoke/checks.ts';
import { readSecrets } from '../../../src/cli/smoke/command.ts';
import { Service, Skipped } from '../../../src/cli/smoke/service.ts';
import { listen } from '../../support/network/listen.ts';
import { runOffline } from '../../support/processes/command-line.ts';

test.each([
  [[]],
  [['http://localhost:8787']],
  [['--account', 'demo']],
  [['localhost:8787', '--account', 'demo']],
  [['http://a', 'http://b', '--account', 'demo']],
  [['http://a', '--account', 'demo', '--first-byte', 'soon']],
  [['http://a', '--account', 'demo', '--password', 'demo']],
])('smoke %j: usage', async (args) => {
  expect((await runOffline(['smoke', ...args])).exit).toBe(2);
});

test('smoke of a service that accepts the tokens of another issuer: the check of tokens is skipped', async () => {
  const { origin, stop } = await listen((_, response) => response.writeHead(404).end());
  const client = { id: 'i', secret: 's' };
  const target = {
    origin: new URL(origin),
    account: 'A',
    password: 'p',
    client,
    firstByteMs: 1,
    cachedWithinMs: 1,
  };
  const service = new Service(target, new AbortController().signal);
  await expect(CHECKS.get('token')!(service)).rejects.toBeInstanceOf(Skipped);
  await stop();
});

describe('the secrets of smoke', () => {
  const none = () => Readable.from([]);

  test('from the environment', async () => {
    const environment = {
      LINDERO_PASSWORD: 'p',
      LINDERO_CLIENT_ID: 'i',
      LINDERO_CLIENT_SECRET: 's',
    };
    expect(await readSecrets(environment, none())).toEqual({
      password: 'p',
      client: { id: 'i', secret: 's' },
    });
    expect(await readSecrets({ LINDERO_PASSWORD: 'p' }, none())).toEqual({
      password: 'p',
      client: undefined,
    });
  });

  test.each([
    ['p\n', { password: 'p', client: undefined }],
    ['p\ni\ns\n', { password: 'p', client: { id: 'i', secret: 's' } }],
    ['p\r\ni\r\ns', { password: 'p', client: { id: 'i', secret: 's' } }],
  ])('from the standard input %j', async (text, secrets) => {
    expect(await readSecrets({}, Readable.from([text]))).toEqual(secrets);
  });

  test('typed on a terminal: they are not shown', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const terminal = new PassThrough();
    const reading = readSecrets({}, input, terminal);
    for (const line of ['hidden-password', 'hidden-client', 'hidden-secret']) {
      await new Promise(setImmediate);
      input.write(`${line}\r`);
    }
    expect(await reading).toEqual({
      password: 'hidden-password',
      client: { id: 'hidden-client', secret: 'hidden-secret' },
    });
    expect(String(terminal.read())).not.toContain('hidden-');
  });

  test.each([[''], ['\n']])('the standard input %j: usage', async (text) => {
    await expect(readSecrets({}, Readable.from([text]))).rejects.toMatchObject({ code: 'usage' });
  });
});
