import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { updateAccount } from '../../../src/accounts/accounts.ts';
import type { Env } from '../../../src/env.ts';
import { invalidateReaders } from '../../../src/feed/access/callers.ts';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { newReaderKey } from '../../../src/feed/request/credentials.ts';
import { sha256Hex, unmatchablePassword } from '../../../src/lib/secrets/secrets.ts';
import { deleteReader, rotateKey, setReaderDisabled } from '../../../src/readers/readers.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import { checkFeedResponse } from '../../support/documents/feed.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { ask, failingWhen, watched } from '../../support/worker/ask.ts';

let accounts = 0;
let code: string;
let account: number;

beforeEach(async () => {
  code = `KEYS${++accounts}`;
  account = (await sparseAccount(code, [1, 501])).id;
  vi.setSystemTime(Date.now());
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function feed(
  password: string,
  query = '',
  init: RequestInit = {},
  bindings: Env = env,
  user = code,
) {
  const url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${user}&P=${password}${query}`;
  return checkFeedResponse(await ask(url, init, bindings));
}

async function statusOf(...request: Parameters<typeof feed>): Promise<number> {
  return (await feed(...request)).status;
}

/** Lets a second pass, after which every isolate sees a change. */
function aSecondLater(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

/** Bindings whose limiter of credentials allows this number of checks, and the keys of its calls. */
function limited(allowed: number): { bindings: Env; keys: string[] } {
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) <= allowed });
  return { bindings: { ...env, CREDENTIAL_CHECKS: { limit } }, keys };
}

describe('a reader with a key', () => {
  test('GET with the key as P, and as the password of Basic: 200, the same feed as with the password; the log names the reader', async () => {
    const key = await openReader(account, 'idealista');
    const lines: string[] = [];
    vi.spyOn(console, 'info').mockImplementation((line) => void lines.push(String(line)));
    await feed('secret');
    const [byPassword, byKey] = [await feed('secret'), await feed(key)];
    expect([byKey.status, byKey.xml, byKey.headers.get('ETag')]).toEqual([
      200,
      byPassword.xml,
      byPassword.headers.get('ETag'),
    ]);
    const headers = { Authorization: `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}` };
    expect((await ask('/CreateXMLFeedV3.asp', { headers })).status).toBe(200);
    expect((await ask('/CreateXMLFeedV3.asp?FV=3', { headers })).status).toBe(200);
    expect(lines.join()).toContain('"reader":"idealista"');
    expect(lines.join()).not.toContain('lindero_');
  });

  test('GET: the key is found by the statement of the manifest, without PBKDF2, and two rows more are read', async () => {
    const key = await openReader(account, 'idealista');
    await feed('secret');
    // The ledger is then written, and not due again.
    await feed(key);
    const derive = vi.spyOn(crypto.subtle, 'deriveBits');
    const usage = async (password: string) => {
      invalidateManifests(account);
      invalidateReaders(account);
      const url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${password}`;
      return (await ask(url, {}, env, new Invocation(here, true))).usage;
    };
    const [withPassword, withKey] = [await usage('secret'), await usage(key)];
    expect(withKey.roundTrips).toBe(1);
    expect(withKey.rowsRead - withPassword.rowsRead).toBeLessThanOrEqual(2);
    expect(derive).not.toHaveBeenCalled();
  });

  test('the stored form is a digest of the key', async () => {
    const key = await openReader(account, 'idealista');
    const stored = await env.DB.prepare('SELECT * FROM reader_keys').all();
    expect(JSON.stringify(stored.results)).not.toContain(key.slice('lindero_'.length));
    expect(stored.results).toContainEqual(expect.objectContaining({ digest: sha256Hex(key) }));
    expect(
      Buffer.from(key.slice('lindero_'.length), 'base64url').length * 8,
    ).toBeGreaterThanOrEqual(128);
  });

  test('other interfaces: 401 with the key', async () => {
    const key = await openReader(account, 'idealista');
    for (const path of ['/v1/developments', '/v1/developments/a/units/b']) {
      expect((await ask(path, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(401);
    }
    const basic = { Authorization: `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}` };
    expect((await ask('/v1/report', { headers: basic })).status).toBe(401);
    const grant = { grant_type: 'client_credentials', client_id: 'idealista', client_secret: key };
    expect(
      (await ask('/oauth/token', { method: 'POST', body: new URLSearchParams(grant) })).status,
    ).toBe(401);
  });
});

describe('a key that is not valid: 401 within a second', () => {
  async function deniedAfter(change: (key: string) => Promise<unknown>): Promise<void> {
    const key = await openReader(account, 'idealista');
    expect(await statusOf(key)).toBe(200);
    await change(key);
    aSecondLater();
    expect(await statusOf(key)).toBe(401);
  }

  test('deleted', () =>
    deniedAfter(() => deleteReader(env.DB, { accountId: account, name: 'idealista' })));

  test('of a disabled account', () =>
    deniedAfter(() =>
      env.DB.prepare('UPDATE accounts SET disabled = 1 WHERE id = ?').bind(account).run(),
    ));

  test('disabled, while the requests of another reader keep the feed in memory', async () => {
    const [disabled, other] = [
      await openReader(account, 'idealista'),
      await openReader(account, 'other'),
    ];
    expect([await statusOf(disabled), await statusOf(other)]).toEqual([200, 200]);
    await setReaderDisabled(env.DB, { accountId: account, name: 'idealista' }, true);
    aSecondLater();
    expect([await statusOf(other), await statusOf(disabled)]).toEqual([200, 401]);
  });

  test('disabled while its request is under way: at once in this isolate, also if another reader keeps the feed in memory', async () => {
    const [disabled, other] = [
      await openReader(account, 'idealista'),
      await openReader(account, 'other'),
    ];
    let uses = 0;
    const bindings = watched(
      () => {},
      async () => {
        if (++uses > 1) return;
        await setReaderDisabled(env.DB, { accountId: account, name: 'idealista' }, true);
        invalidateReaders(account);
      },
    );
    expect(await statusOf(disabled, '', {}, bindings)).toBe(200);
    expect([await statusOf(other), await statusOf(disabled)]).toEqual([200, 401]);
  });

  test('rotated, with no time for the old one', async () => {
    const address = { accountId: account, name: 'idealista' };
    const old = await openReader(account, 'idealista');
    const key = newReaderKey();
    await rotateKey(env.DB, address, sha256Hex(key), 0);
    expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
  });

  test('rotated again, with more time: a key that expires earlier still does', async () => {
    const address = { accountId: account, name: 'idealista' };
    const first = sha256Hex(await openReader(account, 'idealista'));
    const expiries: unknown[] = [];
    for (const oldKeySeconds of [60, 3_600]) {
      await rotateKey(env.DB, address, sha256Hex(newReaderKey()), oldKeySeconds);
      const row = env.DB.prepare('SELECT expires_at FROM reader_keys WHERE digest = ?').bind(first);
      expiries.push(await row.first('expires_at'));
    }
    expect(expiries[1]).toBe(expiries[0]);
  });

  test('of another account, unknown, and a wrong password: the same 401', async () => {
    const other = await sparseAccount(`${code}-B`, [1]);
    const foreign = await openReader(other.id, 'idealista');
    await openReader(account, 'idealista');
    const responses = await Promise.all(
      [foreign, newReaderKey(), 'wrong'].map(async (password) => {
        const { status, headers, text } = await ask(
          `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${password}`,
        );
        const kept = [...headers].filter(
          ([name]) => !['x-request-id', 'server-timing'].includes(name),
        );
        return { status, kept, text };
      }),
    );
    expect(responses[0]?.status).toBe(401);
    expect([responses[1], responses[2]]).toEqual([responses[0], responses[0]]);
    expect(await statusOf(foreign, '', {}, env, `${code}-B`)).toBe(200);
  });
});

describe('wrong keys', () => {
  test('are limited as passwords are: 429, and D1 is not read', async () => {
    const { bindings, keys } = limited(2);
    const statuses: number[] = [];
    const headers = { 'CF-Connecting-IP': '192.0.2.1' };
    for (let i = 0; i < 3; i++)
      statuses.push(await statusOf(newReaderKey(), '', { headers }, bindings));
    expect(statuses).toEqual([401, 401, 429]);
    expect(new Set(keys)).toEqual(new Set([`feed:${code}:192.0.2.1`]));
    let reads = 0;
    const { DB } = watched(({ of }) => of === 'D1' && reads++);
    expect(await statusOf(newReaderKey(), '', { headers }, { ...bindings, DB })).toBe(429);
    expect(reads).toBe(0);
  });

  test('do not evict what valid readers need while D1 fails; a valid key is never limited again', async () => {
    const key = await openReader(account, 'idealista');
    await feed(key);
    for (let i = 0; i < 20; i++) await statusOf(newReaderKey());
    aSecondLater();
    const { DB } = failingWhen(({ of }) => of === 'D1', 'D1 fails');
    const { bindings, keys } = limited(0);
    expect(await statusOf(key, '', {}, { ...bindings, DB })).toBe(200);
    expect(await statusOf(key, '', {}, bindings)).toBe(200);
    expect(keys).toEqual([]);
  });
});

describe('while D1 fails', () => {
  const failing = () => failingWhen(({ of }) => of === 'D1', 'D1 fails');

  test('GET with a key that this isolate has not verified: 503', async () => {
    const key = await openReader(account, 'idealista');
    expect(await statusOf(key, '', {}, failing())).toBe(503);
    await feed('secret');
    expect(await statusOf(key, '', {}, failing())).toBe(503);
  });

  test('GET with a key that was verified a minute ago: 200 with Age and Warning', async () => {
    const key = await openReader(account, 'idealista');
    await feed(key);
    vi.setSystemTime(Date.now() + 60_000);
    const { status, headers } = await feed(key, '', {}, failing());
    expect([status, headers.get('Age'), headers.get('Warning')]).toEqual([
      200,
      '60',
      '110 - "Response is Stale"',
    ]);
  });

  test('GET with a key that was verified more than ten minutes ago: 503, even if the feed has been read for another reader', async () => {
    const [key, other] = [
      await openReader(account, 'idealista'),
      await openReader(account, 'other'),
    ];
    await feed(key);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    await feed(other);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect([
      await statusOf(key, '', {}, failing()),
      await statusOf(other, '', {}, failing()),
    ]).toEqual([503, 200]);
  });

  test('GET of a feed that was read more than ten minutes ago: 503, even if the key has been verified since', async () => {
    const key = await openReader(account, 'idealista');
    await feed(key);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    await feed(key, '&T=SALE');
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect([
      await statusOf(key, '', {}, failing()),
      await statusOf(key, '&T=SALE', {}, failing()),
    ]).toEqual([503, 200]);
  });

  test('GET with a key that has expired in the meantime: 401', async () => {
    const key = await openReader(account, 'idealista');
    await rotateKey(
      env.DB,
      { accountId: account, name: 'idealista' },
      sha256Hex(newReaderKey()),
      5,
    );
    expect(await statusOf(key)).toBe(200);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await statusOf(key, '', {}, failing())).toBe(401);
  });
});

test('an account without a password: 401 with the old one within a second, 200 with a key', async () => {
  const key = await openReader(account, 'idealista');
  expect(await statusOf('secret')).toBe(200);
  await updateAccount(env.DB, account, { password: unmatchablePassword() });
  aSecondLater();
  expect([await statusOf('secret'), await statusOf(key)]).toEqual([401, 200]);
  vi.useRealTimers();
});
