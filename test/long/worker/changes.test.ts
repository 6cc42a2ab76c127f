import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { setPrice, setRent } from '../../support/accounts/sparse.ts';
import { type CompleteResponse, watched } from '../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  invalidate,
  openAccount,
  pricesIn,
  useAccount,
} from '../../worker/feed/snapshots/account.ts';

useAccount();

describe('GET during a change', () => {
  /** The digest of the body that each strong ETag of an account was sent with. */
  const bodies = new Map<string, string>();

  function note({ status, headers, bytes }: CompleteResponse): void {
    const etag = headers.get('ETag');
    if (status !== 200 || etag === null || etag.startsWith('W/')) return;
    const body = createHash('sha256').update(bytes).digest('hex');
    expect(bodies.get(etag) ?? body, 'two bodies under one strong ETag').toBe(body);
    bodies.set(etag, body);
  }

  /** Requests a feed with a change before its n-th use of D1 or KV. Returns whether there was an n-th use. */
  async function requestDuringChange(
    n: number,
    change: () => Promise<void>,
    ...request: [string, RequestInit]
  ) {
    let uses = 0;
    const bindings = watched(() => (++uses === n ? change() : undefined));
    await feed(...request, bindings).then(note, (error) => {
      if (!String(error).includes('The feed was aborted')) throw error;
    });
    return uses >= n;
  }

  test.each([
    ['one part', '', 'gzip', [1, 2]],
    ['one part', 'DisplayListingDate=TRUE', 'identity', [1, 2]],
    ['three parts', 'T=SALE', 'identity', [1, 2, 501, 502, 1001]],
    ['three parts', 'DisplayListingDate=TRUE', 'gzip', [1, 2, 501, 502, 1001]],
  ])(
    'of %s ?%s with %s, at each of its steps: no later feed shows the older price, and a strong ETag names one body',
    async (_, query, encoding, numbers) => {
      await openAccount(numbers);
      const init = { headers: { 'Accept-Encoding': encoding } };
      let price = 1_000;
      const change = async () => {
        await setPrice(account.id, numbers.at(-1)!, ++price);
        await invalidate();
      };
      for (const prepared of ['none cached', 'all cached', 'one changed']) {
        for (let n = 1; ; n++) {
          await change();
          if (prepared !== 'none cached') note(await feed(query, init));
          if (prepared === 'one changed') {
            await setRent(account.id, 1, price);
            await setPrice(account.id, 1, 2 + n / 100);
            await invalidate();
          }
          if (!(await requestDuringChange(n, change, query, init))) {
            expect(n).toBeGreaterThan(prepared === 'all cached' ? 1 : 2);
            break;
          }
          for (const isFresh of [false, true, true]) {
            const response = await (isFresh ? feedWithFreshManifest : feed)(query, init);
            note(response);
            expect(pricesIn(response)).toContain(String(price));
            expect(pricesIn(response)).not.toContain(String(price - 1));
          }
        }
      }
      expect(bodies.size).toBeGreaterThan(2);
    },
  );

  test('of a label, at each of its steps: no later feed shows the older label', async () => {
    let label = 0;
    const rename = async () => {
      await env.DB.prepare(
        `UPDATE vocabulary SET document = json_set(document, '$.labels.uk.older_type', 'label ' || ?2)
          WHERE account_id = ?1 AND kind = 'type'`,
      )
        .bind(account.id, ++label)
        .run();
      await invalidate();
    };
    for (let n = 1; ; n++) {
      await rename();
      let uses = 0;
      const bindings = watched(async () => {
        if (++uses === n) await rename();
      });
      await feedWithFreshManifest('', {}, bindings);
      if (uses < n) break;
      for (const _ of ['built or cached', 'cached']) {
        expect(new Set((await feedWithFreshManifest()).text.match(/label \d+/g))).toEqual(
          new Set([`label ${label}`]),
        );
      }
    }
    expect(label).toBeGreaterThan(10);
  });

  test('of the order of a feed of two parts, at each of its steps: every property once, in this feed and in later ones', async () => {
    const numbers = Array.from({ length: 502 }, (_, index) => index + 1);
    await openAccount(numbers);
    const idsIn = (response: CompleteResponse) =>
      [...response.text.matchAll(/<id>(\d+)<\/id>/g)]
        .map(([, id]) => Number(id))
        .sort((a, b) => a - b);
    const deleteSnapshot = (part: number) =>
      env.DB.prepare('DELETE FROM snapshots WHERE account_id = ? AND part = ?')
        .bind(account.id, part)
        .run();
    let last = 1_800_000_000;
    for (const missing of [0, 1, 2]) {
      for (let n = 1; ; n++) {
        await feedWithFreshManifest('DisplayListingDate=TRUE');
        await deleteSnapshot(missing);
        let uses = 0;
        const bindings = watched(async () => {
          if (++uses !== n) return;
          await env.DB.prepare(
            `UPDATE properties SET document = json_set(document, '$.listed_at', strftime('%Y-%m-%dT%H:%M:%SZ', ?2, 'unixepoch'))
              WHERE id = (SELECT id FROM properties WHERE account_id = ?1 ORDER BY listed_at, number LIMIT 1)`,
          )
            .bind(account.id, ++last)
            .run();
          invalidateManifests(account.id);
        });
        const current = await feedWithFreshManifest('DisplayListingDate=TRUE', {}, bindings);
        if (uses < n) break;
        for (const response of [
          current,
          await feedWithFreshManifest('DisplayListingDate=TRUE'),
          await feedWithFreshManifest('DisplayListingDate=TRUE'),
        ]) {
          expect(idsIn(response)).toEqual(numbers);
        }
      }
    }
  });
});
