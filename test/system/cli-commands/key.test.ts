import { generateKeyPairSync } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operator, SIGNING_KEYS, useOperator } from './operator.ts';

useOperator();

describe('key', () => {
  const settings = () => readFile(join(operator.directory, '.dev.vars'), 'utf8');
  const localKeys = async () => JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(await settings())![1]!).keys;

  test('rotate before there is a key: exit code 1', async () => {
    const { exit, err } = await operator.run(['key', 'rotate']);
    expect([exit, err]).toEqual([1, '.dev.vars has no SIGNING_KEYS. Make them: key new\n']);
  });

  test('new: a private key beside the other settings, for its owner alone', async () => {
    await writeFile(join(operator.directory, '.dev.vars'), 'DEMO=true');
    const { kid } = await operator.json<{ kid: string }>(['key', 'new']);
    expect(await localKeys()).toEqual([expect.objectContaining({ kid, kty: 'EC', d: expect.any(String) })]);
    expect(await settings()).toMatch(/^DEMO=true\n/);
    expect((await stat(join(operator.directory, '.dev.vars'))).mode & 0o777).toBe(0o600);
  });

  test('new where there is a key: exit code 1, and it stays; with --force another', async () => {
    const before = await settings();
    expect((await operator.run(['key', 'new'])).exit).toBe(1);
    expect(await settings()).toBe(before);
    expect((await operator.run(['key', 'new', '--force'])).exit).toBe(0);
    expect(await settings()).not.toBe(before);
  });

  test('rotate: a new key signs, and the public half of the one before verifies', async () => {
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
    const { kid } = await operator.json<{ kid: string }>([
      'key',
      'rotate',
      '--remote',
      '--origin',
      operator.server.url.origin,
    ]);
    const put = operator.wrangler.at(-1)!;
    expect(put.args).toEqual(['secret', 'put', 'SIGNING_KEYS']);
    expect(
      JSON.parse(put.input!).keys.map((key: { kid: string; d?: string }) => [key.kid, key.d !== undefined]),
    ).toEqual([
      [kid, true],
      [published.kid, false],
    ]);
  });

  test.each([
    ['{"keys":[{}]}', 'The keys of .dev.vars are not this service'],
    ['[]', 'SIGNING_KEYS in .dev.vars is no JWK set'],
    ['{"keys":[null]}', 'SIGNING_KEYS in .dev.vars is no JWK set'],
  ])('rotate of %s: exit code 1, and it stays', async (value, message) => {
    const before = await settings();
    await writeFile(join(operator.directory, '.dev.vars'), `SIGNING_KEYS='${value}'`);
    const { exit, err } = await operator.run(['key', 'rotate']);
    expect([exit, await settings()]).toEqual([1, `SIGNING_KEYS='${value}'`]);
    expect(err).toContain(message);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  test('new, where the setting is empty: a key; rotate, where it is exported: it stands there once', async () => {
    const file = join(operator.directory, '.dev.vars');
    const before = await settings();
    await writeFile(file, 'SIGNING_KEYS=\n');
    expect((await operator.run(['key', 'new'])).exit).toBe(0);
    await writeFile(file, `export ${(await settings()).trim()}\nA=1\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect((await settings()).match(/SIGNING_KEYS/g)).toHaveLength(1);
    await writeFile(file, before);
  });

  test('rotate with an origin that redirects to another: it is not followed, and nothing is set', async () => {
    const location = new URL('/.well-known/jwks.json', operator.server.url).href;
    const other = createServer((_, response) => response.writeHead(302, { Location: location }).end());
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const calls = operator.wrangler.length;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect([exit, err, operator.wrangler.length]).toEqual([1, expect.stringContaining('does not answer'), calls]);
  });

  test.each([
    ['--remote without an origin', ['--remote'], 2, '--remote and --origin go together.'],
    ['an origin without --remote', ['--origin', 'https://a.example'], 2, '--remote and --origin go together.'],
    ['an origin that is none', ['--remote', '--origin', 'feeds'], 2, 'feeds is not an origin'],
    ['an origin that does not answer', ['--remote', '--origin', 'http://127.0.0.1:1'], 1, 'does not answer'],
    ['--keep of half a key', ['--keep', '0.5'], 2, '--keep must be a whole number'],
  ])('rotate with %s: fails, and nothing is set', async (_, args, exit, message) => {
    const calls = operator.wrangler.length;
    const before = await settings();
    const ran = await operator.run(['key', 'rotate', ...args]);
    expect(ran.err).toContain(message);
    expect([ran.exit, operator.wrangler.length, await settings()]).toEqual([exit, calls, before]);
  });

  test('rotate beside a set over several lines, and beside other settings: they stay, and it goes', async () => {
    const before = await settings();
    const set = JSON.stringify(JSON.parse(/^SIGNING_KEYS='(.*)'$/m.exec(before)![1]!), null, 2);
    await writeFile(join(operator.directory, '.dev.vars'), `A=1\nSIGNING_KEYS='${set}'\nB=2\n`);
    expect((await operator.run(['key', 'rotate'])).exit).toBe(0);
    expect(parseEnv(await settings())).toEqual({ A: '1', B: '2', SIGNING_KEYS: expect.stringContaining('"d"') });
    expect(await settings()).toMatch(/^A=1\nB=2\nSIGNING_KEYS='.*'\n$/);
    await writeFile(join(operator.directory, '.dev.vars'), before);
  });

  test('rotate with an origin that publishes keys of another kind: exit code 1, and nothing is set', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'rsa' }];
    const other = createServer((_, response) => response.end(JSON.stringify({ keys })));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const calls = operator.wrangler.length;
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect(err).toContain(`The keys of ${origin} are not this service`);
    expect([exit, operator.wrangler.length]).toEqual([1, calls]);
  });

  test('rotate with an origin that publishes no keys: exit code 1, and nothing is set', async () => {
    const other = createServer((_, response) => response.end('<html>'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const calls = operator.wrangler.length;
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, err } = await operator.run(['key', 'rotate', '--remote', '--origin', origin]);
    other.close();
    expect(err).toContain('gives no keys');
    expect([exit, operator.wrangler.length]).toEqual([1, calls]);
  });
});
