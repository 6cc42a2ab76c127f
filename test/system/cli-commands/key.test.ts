import { generateKeyPairSync } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listen } from '../../support/network/listen.ts';
import { failureOf, operator, SIGNING_KEYS, useOperator } from '../operator.ts';

useOperator();

describe('key', () => {
  const settings = () => readFile(join(operator.directory, '.dev.vars'), 'utf8');
  const localKeys = async () => JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(await settings())![1]!).keys;

  test('rotate before there is a key: exit code 1', async () => {
    expect(await failureOf(['key', 'rotate'])).toEqual({ exit: 1, code: 'no_keys' });
  });

  test('new: a private key in addition to the other settings, readable only by the owner', async () => {
    await writeFile(join(operator.directory, '.dev.vars'), 'DEMO=true');
    const { kid } = await operator.json<{ kid: string }>(['key', 'new']);
    expect(await localKeys()).toEqual([expect.objectContaining({ kid, kty: 'EC', d: expect.any(String) })]);
    expect(await settings()).toMatch(/^DEMO=true\n/);
    expect((await stat(join(operator.directory, '.dev.vars'))).mode & 0o777).toBe(0o600);
  });

  test('new with an existing key: exit code 1, and it stays; with --force it is replaced', async () => {
    const before = await settings();
    expect(await failureOf(['key', 'new'])).toEqual({ exit: 1, code: 'keys_exist' });
    expect(await settings()).toBe(before);
    expect((await operator.run(['key', 'new', '--force'])).exit).toBe(0);
    expect(await settings()).not.toBe(before);
  });

  test('rotate: a new key signs, and the public half of the old one verifies', async () => {
    const [before] = await localKeys();
    const { kid, verify } = await operator.json<{ kid: string; verify: string[] }>(['key', 'rotate']);
    const { d: _, ...half } = before;
    expect(verify).toEqual([before.kid]);
    expect(await localKeys()).toEqual([expect.objectContaining({ kid, d: expect.any(String) }), half]);
    await operator.run(['key', 'rotate', '--keep', '2']);
    expect((await localKeys()).map((key: { kid: string }) => key.kid)).toEqual([expect.any(String), kid, before.kid]);
    await operator.run(['key', 'rotate', '--keep', '0']);
    expect(await localKeys()).toHaveLength(1);
  });

  test('new --remote: a secret of the Worker, unless it has one', async () => {
    operator.wranglerPrints = '[]';
    const { kid } = await operator.json<{ kid: string }>(['key', 'new', '--remote']);
    const put = operator.wrangler.at(-1)!;
    expect(put.args).toEqual(['secret', 'put', 'SIGNING_KEYS']);
    expect(JSON.parse(put.input!).keys).toEqual([expect.objectContaining({ kid, d: expect.any(String) })]);
    operator.wranglerPrints = '[{"name":"SIGNING_KEYS","type":"secret_text"}]';
    expect((await operator.run(['key', 'new', '--remote'])).exit).toBe(1);
    expect(operator.wrangler.at(-1)?.args).toEqual(['secret', 'list', '--format', 'json']);
  });

  test('rotate --remote: the keys that the Worker publishes still verify', async () => {
    const [published] = JSON.parse(SIGNING_KEYS).keys;
    const { kid } = await operator.json<{ kid: string }>(['key', 'rotate', '--remote']);
    const put = operator.wrangler.at(-1)!;
    expect(put.args).toEqual(['secret', 'put', 'SIGNING_KEYS']);
    expect(
      JSON.parse(put.input!).keys.map((key: { kid: string; d?: string }) => [key.kid, key.d !== undefined]),
    ).toEqual([
      [kid, true],
      [published.kid, false],
    ]);
  });

  test.each(['{"keys":[{}]}', '[]', '{"keys":[null]}'])('rotate of %s: exit code 1, and it stays', async (value) => {
    const before = await settings();
    await writeFile(join(operator.directory, '.dev.vars'), `SIGNING_KEYS='${value}'`);
    expect(await failureOf(['key', 'rotate'])).toEqual({ exit: 1, code: 'bad_keys' });
    expect(await settings()).toBe(`SIGNING_KEYS='${value}'`);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  test('new with an empty setting, then rotate with an exported one: the file has the setting once', async () => {
    const file = join(operator.directory, '.dev.vars');
    const before = await settings();
    await writeFile(file, 'SIGNING_KEYS=\n');
    expect((await operator.run(['key', 'new'])).exit).toBe(0);
    await writeFile(file, `export ${(await settings()).trim()}\nA=1\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect((await settings()).match(/SIGNING_KEYS/g)).toHaveLength(1);
    await writeFile(file, before);
  });

  test('rotate of a set on several lines: it is replaced, and the other settings stay', async () => {
    const before = await settings();
    const set = JSON.stringify(JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(before)![1]!), null, 2);
    await writeFile(join(operator.directory, '.dev.vars'), `A=1\nSIGNING_KEYS='${set}'\nB=2\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect(parseEnv(await settings())).toEqual({ A: '1', B: '2', SIGNING_KEYS: expect.stringContaining('"d"') });
    expect(await settings()).toMatch(/^A=1\nB=2\nSIGNING_KEYS='.*'\n$/);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  const rsa = () => ({
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
    kid: 'rsa',
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    [
      'redirects to the Worker',
      (response) => response.writeHead(302, { Location: `${operator.server.url}.well-known/jwks.json` }).end(),
      'no_published_keys',
    ],
    ['publishes keys of another kind', (response) => response.end(JSON.stringify({ keys: [rsa()] })), 'bad_keys'],
    ['publishes no keys', (response) => response.end('<html>'), 'no_published_keys'],
  ])('rotate with an origin that %s: exit code 1, and nothing is set', async (_, respond, code) => {
    const { origin, stop } = await listen((_, response) => respond(response));
    const calls = operator.wrangler.length;
    expect(await failureOf(['key', 'rotate', '--remote', '--origin', origin])).toEqual({ exit: 1, code });
    await stop();
    expect(operator.wrangler).toHaveLength(calls);
  });

  test.each([
    ['an origin without --remote', ['--origin', 'https://a.example'], 2, 'usage'],
    ['an invalid origin', ['--remote', '--origin', 'feeds'], 2, 'usage'],
    ['an origin that does not respond', ['--remote', '--origin', 'http://127.0.0.1:1'], 1, 'no_published_keys'],
    ['--keep of half a key', ['--keep', '0.5'], 2, 'usage'],
  ])('rotate with %s: fails, and nothing is set', async (_, args, exit, code) => {
    const calls = operator.wrangler.length;
    const before = await settings();
    expect(await failureOf(['key', 'rotate', ...args])).toEqual({ exit, code });
    expect([operator.wrangler.length, await settings()]).toEqual([calls, before]);
  });
});
