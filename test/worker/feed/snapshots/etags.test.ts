import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { type CompleteResponse, watched } from '../../../support/ask.ts';
import { setPrice, setRent } from '../../../support/sparse.ts';
import { account, feed, feedWithFreshManifest, invalidate, openAccount, text, useAccount } from './account.ts';

useAccount();

/** The bodies that each strong ETag was sent with. */
let bodies: Map<string, Set<string>>;

beforeEach(() => {
  bodies = new Map();
});

function note({ status, headers, bytes }: CompleteResponse): void {
  const etag = headers.get('ETag');
  if (status !== 200 || etag === null || etag.startsWith('W/')) return;
  const named = bodies.get(etag) ?? new Set();
  bodies.set(etag, named.add(createHash('sha256').update(bytes).digest('hex')));
}

function ambiguous(): string[] {
  return [...bodies].filter(([, named]) => named.size > 1).map(([etag]) => etag);
}

const ENCODINGS = ['gzip', 'identity'];
const QUERIES = ['', 'T=SALE', 'DisplayListingDate=TRUE'];
const CASES = ENCODINGS.flatMap((encoding) => QUERIES.map((query) => [query, encoding] as const));

describe.each([
  ['one part', [1, 2]],
  ['three parts', [1, 2, 501, 502, 1001]],
])('a feed of %s, changed before each of its steps', (_, numbers) => {
  test.each(CASES)('GET ?%s with %s: a strong ETag names one body', async (query, encoding) => {
    await openAccount(numbers);
    const init = { headers: { 'Accept-Encoding': encoding } };
    let price = 1_000;
    for (const cached of [true, false]) {
      for (let n = 1; ; n++) {
        await setPrice(account.id, numbers.at(-1)!, ++price);
        await invalidate();
        if (cached) note(await feedWithFreshManifest(query, init));
        let uses = 0;
        const bindings = watched(async () => {
          if (++uses !== n) return;
          await setPrice(account.id, 1, ++price);
          await invalidate();
        });
        await feedWithFreshManifest(query, init, bindings).then(note, (error) =>
          expect(String(error)).toContain('aborted'),
        );
        for (let again = 0; again < 2; again++) note(await feedWithFreshManifest(query, init));
        if (uses < n) break;
      }
    }
    expect(bodies.size).toBeGreaterThan(2);
    expect(ambiguous()).toEqual([]);
  });
});

test.each(CASES)('GET ?%s with %s under concurrent writers: a strong ETag names one body', async (query, encoding) => {
  const init = { headers: { 'Accept-Encoding': encoding } };
  let isDone = false;
  const writers = [1, 501, 1001].map(async (number, index) => {
    for (let price = 1; !isDone; price++) {
      await (price % 2 === 0 ? setRent : setPrice)(account.id, number, price * 10 + index);
      invalidateManifests(account.id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  const readers = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 6; round++) {
      const request = round % 3 === 0 ? feedWithFreshManifest(query, init) : feed(query, init);
      await request.then(note, (error) => expect(String(error)).toContain('aborted'));
    }
  });
  await Promise.all(readers).finally(() => {
    isDone = true;
    return Promise.all(writers);
  });
  note(await feedWithFreshManifest(query, init));
  note(await feedWithFreshManifest(query, init));
  expect(ambiguous()).toEqual([]);
});

test('GET of a part that a change came upon: the ETag of what was read, and no date', async () => {
  await openAccount([1, 2]);
  await env.DB.prepare('UPDATE accounts SET sale_changed_at = 1, rental_changed_at = 1 WHERE id = ?')
    .bind(account.id)
    .run();
  let isChanged = false;
  const bindings = watched(async ({ what }) => {
    if (isChanged || !what.includes('LEFT JOIN properties')) return;
    isChanged = true;
    await setPrice(account.id, 1, 4_711);
  });
  const overtaken = await feedWithFreshManifest('', {}, bindings);
  expect(text(overtaken)).toContain('4711');
  expect(overtaken.headers.get('Last-Modified')).toBeNull();
  const after = await feedWithFreshManifest();
  expect(overtaken.headers.get('ETag')).toBe(after.headers.get('ETag'));
  expect(overtaken.bytes).toEqual(after.bytes);
});

test('GET of a feed that is streamed while it is built: a weak ETag, which gets a 304 as long as nothing changes', async () => {
  const streamed = await feedWithFreshManifest();
  const etag = streamed.headers.get('ETag')!;
  expect(etag).toMatch(/^W\//);
  expect((await feedWithFreshManifest('', { method: 'HEAD' })).headers.get('ETag')).toBe(etag.slice(2));
  const headers = { 'If-None-Match': etag };
  expect((await feedWithFreshManifest('', { headers })).status).toBe(304);
  await setPrice(account.id, 1, 2);
  expect((await feedWithFreshManifest('', { headers })).status).toBe(200);
});

test('an ETag has the same form for every account, and reveals neither its id nor its revisions', async () => {
  const etags = new Set<string>();
  for (let change = 0; change < 3; change++) {
    await setPrice(account.id, 1, change);
    const etag = (await feedWithFreshManifest('', { method: 'HEAD' })).headers.get('ETag')!;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    etags.add(etag);
  }
  expect(etags.size).toBe(3);
});
