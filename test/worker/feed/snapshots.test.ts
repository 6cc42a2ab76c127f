import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { app, housekeep } from '../../../src/app.ts';
import { setPassword } from '../../../src/db/accounts.ts';
import { SNAPSHOT_LIFETIME } from '../../../src/db/snapshots.ts';
import { Backlog } from '../../../src/feed/backlog.ts';
import { feedsChanged } from '../../../src/feed/changed.ts';
import { DOCUMENT_FORMAT } from '../../../src/feed/document.ts';
import { forgetHeads, freshHead, noteKept, readHead } from '../../../src/feed/head.ts';
import { sameRevisions } from '../../../src/feed/plan.ts';
import { MAX_SNAPSHOTS } from '../../../src/feed/snapshots.ts';
import { hashPassword } from '../../../src/lib/secrets.ts';
import { type Answer, ask, type Use, watched } from '../../support/ask.ts';
import { checkFeedAnswer } from '../../support/feed.ts';
import {
  addProperties,
  keptInStore,
  keptInTable,
  type SparseAccount,
  setPrice,
  setRent,
  sparseAccount,
} from '../../support/sparse.ts';

let account: SparseAccount;
let accounts = 0;
const lines: string[] = [];

beforeEach(async () => {
  account = await sparseAccount(`S${++accounts}`, [1, 2, 501, 502, 1001]);
  lines.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(line));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function feed(query = '', init: RequestInit = {}, bindings = env): Promise<Answer> {
  const answer = await ask(`/CreateXMLFeedV3.asp?${account.login}&${query}`, init, bindings);
  await checkFeedAnswer(answer);
  return answer;
}

/** As another isolate would, or this one a second later. */
async function feedAfresh(query = '', init: RequestInit = {}, bindings = env): Promise<Answer> {
  forgetHeads(account.id);
  return feed(query, init, bindings);
}

async function changed(): Promise<void> {
  const context = createExecutionContext();
  feedsChanged(env, context, account.id, Date.now());
  await waitOnExecutionContext(context);
}

/** Tells of changes whose drop hangs until it is released: what is outdated stays in KV meanwhile. */
function hangingDrop() {
  const context = createExecutionContext();
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow = watched(({ of }) => of === 'KV delete' && held);
  return {
    tell: () => feedsChanged(slow, context, account.id, Date.now()),
    release: () => {
      go();
      return waitOnExecutionContext(context);
    },
  };
}

function text(answer: Answer): string {
  const { bytes, headers } = answer;
  return new TextDecoder().decode(headers.get('Content-Encoding') === 'gzip' ? gunzipSync(bytes) : bytes);
}

function pricesIn(answer: Answer): string[] {
  return [...text(answer).matchAll(/<price>(.*?)<\/price>/g)].map(([, price]) => price!);
}

function recorder(): { uses: Use[]; bindings: typeof env } {
  const uses: Use[] = [];
  return { uses, bindings: watched((use) => uses.push(use)) };
}

function failuresLogged(): string[] {
  return lines.filter((line) => !line.includes('"event":"request"'));
}

describe('serving', () => {
  test('a feed asked for twice → built, then all from KV by one statement, and the same bytes', async () => {
    const first = await feedAfresh();
    const { uses, bindings } = recorder();
    const second = await feedAfresh('', {}, bindings);
    expect(first.headers.get('Cache-Status')).toBe('Lindero; fwd=miss; detail="none of 3 parts kept at this revision"');
    expect(second.headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts kept"');
    expect(second.bytes).toEqual(first.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
    expect(await keptInStore(account.id)).toEqual(await keptInTable(account.id));
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    'a feed (%s) asked for again at once → a hit, without D1',
    async (query) => {
      const first = await feed(query);
      const { uses, bindings } = recorder();
      const second = await feed(query, {}, bindings);
      expect(second.headers.get('Cache-Status')).toContain('; hit;');
      expect(second.bytes).toEqual(first.bytes);
      expect(uses.map((use) => use.of).filter((of) => of !== 'KV get')).toEqual([]);
    },
  );

  test.each(['', 'DisplayListingDate=TRUE'])(
    'a feed (%s) → gzip and identity have the same document',
    async (query) => {
      const fresh = await feedAfresh(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const kept = await feedAfresh(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await feedAfresh(query);
      expect(kept.bytes).toEqual(fresh.bytes);
      expect(text(kept)).toBe(text(plain));
      expect(kept.headers.get('Content-Encoding')).toBe('gzip');
      expect(plain.headers.get('Content-Encoding')).toBe(null);
      for (const answer of [fresh, kept, plain]) expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
    },
  );

  test('parameter sets that are equal share their snapshots; others do not', async () => {
    await feedAfresh('FV=3&Language=2,1&VT=2&T=SALE');
    expect((await feedAfresh('language=1,2&fv=3&t=sale&AR=TRUE&ST=FALSE')).headers.get('Cache-Status')).toContain(
      'hit',
    );
    expect((await feedAfresh('FV=3&T=SALE&IC=9')).headers.get('Cache-Status')).toContain('miss');
  });

  test('a name that was never written → KV is not asked for it', async () => {
    const { uses, bindings } = recorder();
    await feedAfresh('', {}, bindings);
    await env.DB.prepare('UPDATE snapshots SET format = format - 1 WHERE account_id = ?').bind(account.id).run();
    await feedAfresh('', {}, bindings);
    expect(uses.filter((use) => use.of === 'KV get')).toEqual([]);
  });

  test('what is kept → falls to expiry a week later, an hour after it is asked for last', async () => {
    await feedAfresh();
    const { keys } = await env.SNAPSHOTS.list({ prefix: (await keptInStore(account.id))[0]! });
    const seconds = keys[0]!.expiration! - Date.now() / 1000;
    expect(Math.round(seconds / 60)).toBe((SNAPSHOT_LIFETIME + 3_600) / 60);
  });

  test.each(['gzip', 'identity'])(
    'a feed that is built with %s → what waits to be kept is counted',
    async (encoding) => {
      const add = vi.spyOn(Backlog.prototype, 'add');
      await feedAfresh('', { headers: { 'Accept-Encoding': encoding } });
      expect(add.mock.calls.filter(([, holds = 0]) => holds > 0)).toHaveLength(3);
    },
  );

  test('a feed of two parts by listing date → newest first, those of one date by their numbers, newest first', async () => {
    const numbers = Array.from({ length: 502 }, (_, index) => index + 1);
    account = await sparseAccount(`S${++accounts}`, numbers);
    const answer = await feedAfresh('DisplayListingDate=TRUE');
    const ids = [...text(answer).matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(numbers.toSorted((a, b) => (b % 7) - (a % 7) || b - a));
  });

  test('an empty segment → noted, neither in KV nor asked of it, and a hit', async () => {
    await env.DB.prepare("UPDATE properties SET status = 'Withdrawn' WHERE account_id = ? AND number > 1000")
      .bind(account.id)
      .run();
    await feedAfresh();
    const asked: string[] = [];
    const counting = watched(({ of, what }) => of === 'KV get' && asked.push(what));
    expect((await feedAfresh('', {}, counting)).headers.get('Cache-Status')).toContain('3 of 3 parts kept');
    expect(asked.map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
    expect((await keptInStore(account.id)).map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
  });

  test('a feed with no property → a whole document, each time', async () => {
    account = await sparseAccount(`S${++accounts}`, []);
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      for (const query of ['', 'DisplayListingDate=TRUE']) {
        for (const _ of [1, 2]) expect(text(await feedAfresh(query, { headers }))).toMatch(/<root>[\s\S]*<\/root>\n$/);
      }
    }
  });
});

describe('a change', () => {
  test('while the drop of the one before hangs → the very next feed shows it', async () => {
    await feedAfresh();
    const { tell, release } = hangingDrop();
    for (const price of [71, 72]) {
      await setPrice(account.id, 1, price);
      tell();
      for (const _ of [1, 2, 3]) expect(pricesIn(await feed())).toContain(String(price));
    }
    await release();
  });

  test('after a stranger has asked → the very next feed shows it', async () => {
    await feedAfresh();
    forgetHeads(account.id);
    const stranger = `/CreateXMLFeedV3.asp?${account.login.replace('secret', 'guess')}`;
    expect((await ask(stranger)).status).toBe(401);
    await setPrice(account.id, 1, 73);
    const { tell, release } = hangingDrop();
    tell();
    expect(pricesIn(await feed())).toContain('73');
    await release();
  });

  test('in one segment → that segment built, the others from KV, and their entries untouched', async () => {
    await feedAfresh();
    const before = await keptInStore(account.id);
    await setPrice(account.id, 501, 777);
    await changed();
    expect(await keptInStore(account.id)).toEqual(before.filter((name) => !name.includes('/part1/')));
    const after = await feedAfresh();
    expect(after.headers.get('Cache-Status')).toBe('Lindero; fwd=partial; detail="2 of 3 parts kept at this revision"');
    expect(pricesIn(after)).toEqual(['1', '1', '777', '1', '1']);
    expect((await keptInStore(account.id)).length).toBe(3);
    expect(await keptInStore(account.id)).toEqual(await keptInTable(account.id));
  });

  test('of a rent → sale feeds stay kept, rental and whole feeds lose one segment each', async () => {
    for (const category of ['SALE', 'RENT', 'All']) await feedAfresh(`T=${category}`);
    await setRent(account.id, 1, 950);
    await changed();
    const kept = await keptInStore(account.id);
    expect(
      ['SALE', 'RENT', 'All'].map((category) => kept.filter((name) => name.includes(`T=${category}`)).length),
    ).toEqual([3, 2, 2]);
    expect((await feedAfresh('T=SALE')).headers.get('Cache-Status')).toContain('hit');
  });

  test('of a sale price → rental feeds stay kept', async () => {
    for (const category of ['SALE', 'RENT', 'All']) await feedAfresh(`T=${category}`);
    await setPrice(account.id, 1, 950);
    await changed();
    const kept = await keptInStore(account.id);
    expect(
      ['SALE', 'RENT', 'All'].map((category) => kept.filter((name) => name.includes(`T=${category}`)).length),
    ).toEqual([2, 3, 2]);
  });

  test('anywhere → all parts of a feed ordered by listing date are dropped and built again', async () => {
    await feedAfresh('DisplayListingDate=TRUE');
    expect((await feedAfresh('DisplayListingDate=TRUE')).headers.get('Cache-Status')).toContain('hit');
    await setPrice(account.id, 1, 5);
    await changed();
    expect(await keptInStore(account.id)).toEqual([]);
    expect(pricesIn(await feedAfresh('DisplayListingDate=TRUE'))).toContain('5');
  });

  test('anywhere, of an account without its first segment → the same', async () => {
    account = await sparseAccount(`S${++accounts}`, [501]);
    await feedAfresh('DisplayListingDate=TRUE');
    expect((await keptInStore(account.id)).length).toBe(1);
    await setPrice(account.id, 501, 3);
    await changed();
    expect([await keptInStore(account.id), await keptInTable(account.id)]).toEqual([[], []]);
  });

  test.each(['', 'DisplayListingDate=TRUE'])('of nothing → nothing of a feed (%s) is dropped', async (query) => {
    await feedAfresh(query);
    const before = await keptInStore(account.id);
    await setPrice(account.id, 501, 1);
    await changed();
    expect(await keptInStore(account.id)).toEqual(before);
  });

  test.each([
    ['rent', setRent],
    ['sale price', setPrice],
  ])('of a %s whose drop never comes → every property once, in the feeds after it', async (_, change) => {
    await feedAfresh();
    await change(account.id, 1, 23);
    for (const status of ['2 of 3', '3 of 3']) {
      const answer = await feedAfresh();
      expect(answer.headers.get('Cache-Status')).toContain(status);
      expect(text(answer).match(/<id>1</g)).toHaveLength(1);
    }
  });

  test('that outdates 250 snapshots → all of them are dropped', async () => {
    await env.DB.prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, kept_at, used_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       SELECT ?1, 1, 'set' || i, 0, 0, 0, 0, 0, unixepoch(), unixepoch() FROM n`,
    )
      .bind(account.id)
      .run();
    await changed();
    const left = env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ?').bind(account.id);
    expect(await left.first('n')).toBe(0);
  });

  test('in a burst → a drop at once, and one for all the rest', async () => {
    await feedAfresh();
    const { uses, bindings } = recorder();
    const context = createExecutionContext();
    for (const price of [5, 6, 7, 8]) {
      await setPrice(account.id, 1, price);
      feedsChanged(bindings, context, account.id, 1_000);
    }
    await waitOnExecutionContext(context);
    expect(uses.filter(({ what }) => what.includes('DELETE FROM snapshots')).length).toBe(2);
    expect((await keptInStore(account.id)).map((name) => name.split('/')[2])).toEqual(['part1', 'part2']);
  });

  test('while a drop is under way → it drops what that outdates, too', async () => {
    await feedAfresh();
    let reached = () => {};
    let go = () => {};
    const atStore = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = watched(({ of }) => {
      if (of !== 'KV delete') return undefined;
      reached();
      return held;
    });
    const context = createExecutionContext();
    await setPrice(account.id, 1, 5);
    feedsChanged(slow, context, account.id, 1_000);
    await atStore;
    await setPrice(account.id, 501, 5);
    feedsChanged(slow, context, account.id, 1_000);
    go();
    await waitOnExecutionContext(context);
    expect((await keptInStore(account.id)).map((name) => name.split('/')[2])).toEqual(['part2']);
  });

  test('once a drop has not ended for ten seconds → a drop of its own', async () => {
    await feedAfresh();
    await setPrice(account.id, 1, 5);
    const endless = watched(({ what }) => (what.includes('DELETE FROM snapshots') ? new Promise(() => {}) : undefined));
    feedsChanged(endless, { waitUntil: () => {} }, account.id, 1_000);
    const { uses, bindings } = recorder();
    const context = createExecutionContext();
    feedsChanged(bindings, context, account.id, 10_999);
    expect(uses).toEqual([]);
    feedsChanged(bindings, context, account.id, 11_000);
    await waitOnExecutionContext(context);
    expect((await keptInStore(account.id)).map((name) => name.split('/')[2])).toEqual(['part1', 'part2']);
  });

  test('that adds a segment → it is in the next feed', async () => {
    await feedAfresh();
    await addProperties(account.id, [1700]);
    await changed();
    const after = await feedAfresh();
    expect(after.headers.get('Cache-Status')).toContain('3 of 4');
    expect(text(after)).toContain('<id>1700</id>');
  });
});

describe('what is kept, in a head in memory', () => {
  test('of one segment → that segment stands at its place in the feed after it, too', async () => {
    await feedAfresh();
    await setPrice(account.id, 1, 777);
    await changed();
    await feedAfresh();
    expect(pricesIn(await feed())).toEqual(['777', '1', '1', '1', '1']);
  });

  test('→ the head is as old as it was', async () => {
    const set = { format: 1, parameters: 'p', dependsOn: { sale: true, rental: true }, byListing: false };
    const code = `S${accounts}`;
    const readAt = Date.now() - 900;
    const { head } = await readHead(env.DB, code, set, readAt);
    const { sale: saleRevision, rental: rentalRevision } = head!.parts[0]!.revisions;
    const name = { accountId: account.id, format: 1, parameters: 'p', part: 0, saleRevision, rentalRevision };
    noteKept(code, set, name, { bytes: 1, crc: 0, length: 1, cut: null });
    expect(freshHead(code, set, readAt + 999)?.head?.parts[0]?.kept).toMatchObject({ bytes: 1 });
    expect(freshHead(code, set, readAt + 1_000)).toBeNull();
  });

  test.each([
    ['sale', 1, 0],
    ['rental', 0, 1],
  ])('at another %s revision → the head does not have it', async (_, sale, rental) => {
    const set = { format: 1, parameters: 'p', dependsOn: { sale: true, rental: true }, byListing: false };
    const code = `S${accounts}`;
    const { head } = await readHead(env.DB, code, set, Date.now());
    const { revisions } = head!.parts[0]!;
    const at = { saleRevision: revisions.sale + sale, rentalRevision: revisions.rental + rental };
    const name = { accountId: account.id, format: 1, parameters: 'p', part: 0, ...at };
    noteKept(code, set, name, { bytes: 1, crc: 0, length: 1, cut: null });
    expect(freshHead(code, set, Date.now())?.head?.parts[0]?.kept).toBeNull();
  });
});

test('revisions are the same where those are that the parameters depend on', () => {
  const set = (sale: boolean, rental: boolean) => ({
    format: 1,
    parameters: 'p',
    dependsOn: { sale, rental },
    byListing: true,
  });
  const same = (sale: boolean, rental: boolean) =>
    sameRevisions({ sale: 1, rental: 1 }, { sale: 1, rental: 2 }, set(sale, rental));
  expect([same(true, true), same(false, true), same(true, false)]).toEqual([false, false, true]);
});

describe('a feed that a change overtakes', () => {
  /** Runs a feed with a change before its n-th use of D1 or KV; tells whether there was an n-th. */
  async function overtaken(query: string, n: number, price: number, init: RequestInit): Promise<boolean> {
    let uses = 0;
    const bindings = watched(async () => {
      if (++uses !== n) return;
      await setPrice(account.id, 501, price);
      await changed();
    });
    await feed(query, init, bindings).catch((error) => {
      if (!String(error).includes('The feed broke off')) throw error;
    });
    return uses >= n;
  }

  test.each([
    ['', 'identity'],
    ['', 'gzip'],
    ['T=SALE', 'gzip'],
    ['DisplayListingDate=TRUE', 'gzip'],
  ])('(%s, %s) at each of its steps → no feed asked for afterwards shows the older price', async (query, encoding) => {
    const init = { headers: { 'Accept-Encoding': encoding } };
    let price = 1_000;
    for (const prepared of ['none kept', 'all kept', 'one changed']) {
      for (let n = 1; ; n++) {
        await setPrice(account.id, 501, ++price);
        await changed();
        if (prepared !== 'none kept') await feed(query, init);
        if (prepared === 'one changed') {
          await setRent(account.id, 1, price);
          await setPrice(account.id, 1, 2 + n / 100);
          await changed();
        }
        const reached = await overtaken(query, n, ++price, init);
        if (!reached) {
          expect(n).toBeGreaterThan(prepared === 'all kept' ? 1 : 2);
          break;
        }
        for (const answer of [await feed(query, init), await feedAfresh(query, init), await feedAfresh(query, init)]) {
          expect(pricesIn(answer)).toContain(String(price));
          expect(pricesIn(answer)).not.toContain(String(price - 1));
        }
      }
    }
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    '(%s), its writes to KV held back beyond the change → the same',
    async (query) => {
      const held: (() => void)[] = [];
      const bindings = watched(({ of }) => of === 'KV put' && new Promise<void>((resolve) => held.push(resolve)));
      const waiting = feedAfresh(query, {}, bindings);
      await vi.waitFor(() => expect(held.length).toBe(query === '' ? 3 : 1));
      await setPrice(account.id, 501, 42);
      await changed();
      expect(pricesIn(await feedAfresh(query))).toContain('42');
      for (const release of held) release();
      await waiting;
      for (const _ of [1, 2]) expect(pricesIn(await feedAfresh(query))).toContain('42');
      await housekeep(env);
      expect(await keptInStore(account.id)).toEqual(await keptInTable(account.id));
      expect(pricesIn(await feedAfresh(query))).toContain('42');
    },
  );

  test.each(['', 'DisplayListingDate=TRUE'])(
    '(%s) after its head was read, and unheard of here → KV is asked for no older name',
    async (query) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      let statements = 0;
      const overtaken = watched(async ({ of }) => {
        if (of === 'D1' && ++statements === 2) await setPrice(account.id, 1, 4_242);
      });
      await feedAfresh(query, {}, overtaken);
      const { uses, bindings } = recorder();
      expect(text(await feed(query, {}, bindings))).toContain('4242');
      const asked = uses.flatMap(({ of, what }) => (of === 'KV get' ? [what] : []));
      expect(await keptInTable(account.id)).toEqual(expect.arrayContaining(asked));
    },
  );

  test('with a label at each of its steps → no feed asked for afterwards shows the older label', async () => {
    let label = 0;
    const rename = async () => {
      await env.DB.prepare(
        `UPDATE property_type_labels SET older_type = 'label ' || ?2
          WHERE type_id IN (SELECT id FROM property_types WHERE account_id = ?1)`,
      )
        .bind(account.id, ++label)
        .run();
      await changed();
    };
    for (let n = 1; ; n++) {
      await rename();
      let uses = 0;
      const bindings = watched(async () => {
        if (++uses === n) await rename();
      });
      await feedAfresh('', {}, bindings);
      if (uses < n) break;
      for (const _ of ['built or kept', 'kept']) {
        expect(new Set(text(await feedAfresh()).match(/label \d+/g))).toEqual(new Set([`label ${label}`]));
      }
    }
    expect(label).toBeGreaterThan(10);
  });

  test('with a label, between its properties and their labels → not kept', async () => {
    account = await sparseAccount(`S${++accounts}`, [1]);
    let renamed = false;
    const bindings = watched(async ({ what }) => {
      if (renamed || !what.includes('property_type_labels')) return;
      renamed = true;
      await env.DB.prepare(
        "UPDATE property_type_labels SET type = 'New' WHERE type_id IN (SELECT id FROM property_types WHERE account_id = ?)",
      )
        .bind(account.id)
        .run();
    });
    await feedAfresh('', {}, bindings);
    expect(renamed).toBe(true);
    expect(await keptInTable(account.id)).toEqual([]);
  });

  test('of two parts by listing date, at each of its steps → every property once, in it and in those after it', async () => {
    const numbers = Array.from({ length: 502 }, (_, index) => index + 1);
    account = await sparseAccount(`S${++accounts}`, numbers);
    const idsIn = (answer: Answer) =>
      [...text(answer).matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id)).sort((a, b) => a - b);
    const forgetPart = (part: number) =>
      env.DB.prepare('DELETE FROM snapshots WHERE account_id = ? AND part = ?').bind(account.id, part).run();
    let last = 1_800_000_000;
    for (const missing of [0, 1, 2]) {
      for (let n = 1; ; n++) {
        await feedAfresh('DisplayListingDate=TRUE');
        await forgetPart(missing);
        let uses = 0;
        const bindings = watched(async () => {
          if (++uses !== n) return;
          await env.DB.prepare(
            `UPDATE properties SET listed_at = ?2
              WHERE id = (SELECT id FROM properties WHERE account_id = ?1 ORDER BY listed_at, number LIMIT 1)`,
          )
            .bind(account.id, ++last)
            .run();
          forgetHeads(account.id);
        });
        const overtaken = await feedAfresh('DisplayListingDate=TRUE', {}, bindings);
        if (uses < n) break;
        for (const answer of [
          overtaken,
          await feedAfresh('DisplayListingDate=TRUE'),
          await feedAfresh('DisplayListingDate=TRUE'),
        ]) {
          expect(idsIn(answer)).toEqual(numbers);
        }
      }
    }
  });

  test('(ordered by listing date) that lists a property anew → every property is there, each once', async () => {
    for (let n = 1; n <= 4; n++) {
      let uses = 0;
      const bindings = watched(async () => {
        if (++uses !== n) return;
        await env.DB.prepare('UPDATE properties SET listed_at = listed_at + 1000 WHERE account_id = ? AND number = 502')
          .bind(account.id)
          .run();
      });
      const answer = await feedAfresh('DisplayListingDate=TRUE', {}, bindings);
      const ids = [...text(answer).matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id));
      expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 501, 502, 1001]);
    }
  });
});

describe('KV', () => {
  test.each(['', 'T=SALE', 'T=RENT'])(
    'that has lost an entry of a feed (%s) → built, served and kept again, in the place of the lost one',
    async (query) => {
      const first = await feedAfresh(query);
      const names = await keptInStore(account.id);
      await env.SNAPSHOTS.delete(names[1]!);
      expect((await feedAfresh(query)).bytes).toEqual(first.bytes);
      expect(await keptInStore(account.id)).toEqual(names);
      expect(await keptInTable(account.id)).toEqual(names);
      expect((await feedAfresh(query)).bytes).toEqual(first.bytes);
    },
  );

  test('that has lost a part of a feed ordered by listing date → the same', async () => {
    const first = await feedAfresh('DisplayListingDate=TRUE');
    const [lost] = await keptInStore(account.id);
    await env.SNAPSHOTS.delete(lost!);
    expect((await feedAfresh('DisplayListingDate=TRUE')).bytes).toEqual(first.bytes);
    expect(await keptInStore(account.id)).toEqual([lost]);
  });

  test('that has other bytes under a name → built, served and kept again', async () => {
    const first = await feedAfresh();
    const [name] = await keptInStore(account.id);
    const bytes = new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!);
    for (const others of [bytes.slice(0, 5), bytes.slice().reverse()]) {
      await env.SNAPSHOTS.put(name!, others);
      expect((await feedAfresh()).bytes).toEqual(first.bytes);
      expect(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!)).toEqual(bytes);
    }
  });

  test('that has bytes of another length or another checksum beside its label → built, served and kept again', async () => {
    const first = await feedAfresh();
    const [name] = await keptInStore(account.id);
    const { value, metadata } = await env.SNAPSHOTS.getWithMetadata<{ bytes: number; crc: number }>(
      name!,
      'arrayBuffer',
    );
    await env.SNAPSHOTS.put(name!, value!.slice(0, value!.byteLength / 2), { metadata });
    expect((await feedAfresh()).bytes).toEqual(first.bytes);
    await env.SNAPSHOTS.put(name!, new Uint8Array(value!).reverse(), { metadata: { ...metadata, crc: 1 } });
    expect((await feedAfresh()).bytes).toEqual(first.bytes);
    expect(await env.SNAPSHOTS.get(name!, 'arrayBuffer')).toEqual(value);
  });

  test('that has other bytes than were noted → built, kept and noted anew', async () => {
    const built = await feedAfresh();
    const spoilt = 'UPDATE snapshots SET bytes = 400, crc = 1, length = 1 WHERE account_id = ? AND part = 1';
    await env.DB.prepare(spoilt).bind(account.id).run();
    expect((await feedAfresh()).bytes).toEqual(built.bytes);
    const { uses, bindings } = recorder();
    expect((await feedAfresh('', {}, bindings)).bytes).toEqual(built.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
  });

  test('that loses entries at random while readers read → every reader has the whole feed', async () => {
    const whole = text(await feedAfresh());
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        if (random() < 0.4)
          for (const name of await keptInStore(account.id)) if (random() < 0.5) await env.SNAPSHOTS.delete(name);
        const answer = random() < 0.5 ? await feed() : await feedAfresh('', { headers: { 'Accept-Encoding': 'gzip' } });
        expect(text(answer)).toBe(whole);
      }),
    );
  });

  test.each(['KV get', 'KV put', 'KV delete'] as const)(
    'whose %s fails → a right feed, and one line in the log',
    async (of) => {
      const whole = await feedAfresh();
      if (of === 'KV put') await setPrice(account.id, 1, 1.5);
      lines.length = 0;
      const failing = watched((use) => {
        if (use.of === of) throw new Error('KV is down');
      });
      const answer = await feedAfresh('', {}, failing);
      expect(answer.status).toBe(200);
      if (of !== 'KV put') expect(answer.bytes).toEqual(whole.bytes);
      if (of === 'KV delete') {
        await setPrice(account.id, 1, 2.5);
        const context = createExecutionContext();
        feedsChanged(failing, context, account.id, Date.now());
        await waitOnExecutionContext(context);
      }
      expect(failuresLogged()).toEqual([expect.stringContaining('KV is down')]);
      // No name is noted that KV was not given.
      expect(await keptInStore(account.id)).toEqual(expect.arrayContaining(await keptInTable(account.id)));
      expect(pricesIn(await feedAfresh()).length).toBe(5);
    },
  );

  test('whose get does not answer → D1 does', async () => {
    const whole = await feedAfresh();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let gets = 0;
    const hanging = watched(({ of }) => of === 'KV get' && ++gets && held);
    const answer = await feedAfresh('', {}, hanging);
    release();
    expect(answer.bytes).toEqual(whole.bytes);
    expect(gets).toBe(1);
    expect(failuresLogged()).toEqual([expect.stringContaining('KV has not answered')]);
  });

  test('that answers in time → no wait for it is left pending', async () => {
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const calledOff = vi.spyOn(globalThis, 'clearTimeout');
    await feedAfresh();
    await feedAfresh();
    const waits = begun.mock.results.filter((_, index) => [1_000, 10_000].includes(begun.mock.calls[index]![1]!));
    expect(waits).toHaveLength(6);
    const ended = new Set(calledOff.mock.calls.map(([timer]) => timer));
    expect(waits.filter(({ value }) => !ended.has(value))).toEqual([]);
  });

  test('whose put takes longer than a get may → the feed is kept all the same', async () => {
    const slow = watched(({ of }) => of === 'KV put' && new Promise((resolve) => setTimeout(resolve, 1_100)));
    await feedAfresh('', {}, slow);
    expect(failuresLogged()).toEqual([]);
    expect((await feedAfresh()).headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts kept"');
  });
});

describe('a feed of one part', () => {
  const gzip = { headers: { 'Accept-Encoding': 'gzip' } };

  beforeEach(async () => {
    account = await sparseAccount(`O${++accounts}`, [1, 2]);
  });

  test('that is kept → its entry in KV is the answer', async () => {
    const built = await feedAfresh('', gzip);
    const { uses, bindings } = recorder();
    const kept = await feedAfresh('', gzip, bindings);
    const [name] = await keptInStore(account.id);
    expect(kept.bytes).toEqual(built.bytes);
    expect(kept.bytes).toEqual(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!));
    expect(kept.headers.get('Cache-Status')).toContain('; hit;');
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get']);
    expect(text(await feedAfresh())).toBe(text(kept));
  });

  test('that is kept, HEAD → its facts, and KV is not asked for it', async () => {
    const { headers } = await feedAfresh('', gzip);
    const { uses, bindings } = recorder();
    const head = await feedAfresh('', { ...gzip, method: 'HEAD' }, bindings);
    expect(head.headers.get('ETag')).toBe(headers.get('ETag'));
    expect(uses.map((use) => use.of)).toEqual(['D1']);
  });

  test('that gets a second one → made of both, the first from KV', async () => {
    await feedAfresh('', gzip);
    await addProperties(account.id, [501]);
    const answer = await feedAfresh('', gzip);
    expect(answer.headers.get('Cache-Status')).toContain('1 of 2 parts kept');
    expect(pricesIn(answer).length).toBe(3);
  });

  test.each([
    ['has lost', (name: string) => env.SNAPSHOTS.delete(name)],
    ['has other bytes of', (name: string, bytes: Uint8Array) => env.SNAPSHOTS.put(name, bytes.slice().reverse())],
  ])('that KV %s → built, served and kept again', async (_, spoil) => {
    const built = await feedAfresh('', gzip);
    const [name] = await keptInStore(account.id);
    await spoil(name!, built.bytes);
    const { uses, bindings } = recorder();
    lines.length = 0;
    const answer = await feedAfresh('', gzip, bindings);
    expect(answer.bytes).toEqual(built.bytes);
    expect(answer.headers.get('Cache-Status')).toContain('fwd=miss');
    expect(lines).toEqual([expect.stringContaining('"event":"request"')]);
    expect(uses.filter((use) => use.of === 'KV get').length).toBe(1);
    expect(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!)).toEqual(built.bytes);
  });

  test('whose KV fails → D1 answers, and one line in the log', async () => {
    const built = await feedAfresh('', gzip);
    lines.length = 0;
    const failing = watched(({ of }) => {
      if (of === 'KV get') throw new Error('KV is down');
    });
    expect((await feedAfresh('', gzip, failing)).bytes).toEqual(built.bytes);
    expect(failuresLogged()).toEqual([expect.stringContaining('KV is down')]);
  });

  test('that KV breaks off amid its bytes → a broken connection', async () => {
    await feedAfresh('', gzip);
    const SNAPSHOTS = new Proxy(env.SNAPSHOTS, {
      get: (store, property) =>
        property !== 'getWithMetadata'
          ? Reflect.get(store, property)
          : async (key: string) => {
              const { value, metadata } = await store.getWithMetadata(key, 'arrayBuffer');
              let pulls = 0;
              const broken = new ReadableStream({
                pull(controller) {
                  if (++pulls === 1) controller.enqueue(new Uint8Array(value!).subarray(0, 100));
                  else controller.error(new Error('KV broke off'));
                },
              });
              return { value: broken, metadata };
            },
    });
    await expect(feedAfresh('', gzip, { ...env, SNAPSHOTS })).rejects.toThrow('KV broke off');
  });
});

describe('D1', () => {
  test('that fails on the third segment → a broken connection, not a closed document', async () => {
    let reads = 0;
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties') && ++reads === 3) throw new Error('D1 is down');
    });
    forgetHeads(account.id);
    const context = createExecutionContext();
    const response = await app.fetch(
      new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`),
      failing,
      context,
    );
    const reader = response.body!.getReader();
    let received = '';
    await expect(
      (async () => {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
          received += new TextDecoder().decode(chunk.value);
        }
      })(),
    ).rejects.toThrow('The feed broke off');
    expect(failuresLogged()).toEqual([expect.stringContaining('D1 is down')]);
    expect(received).toContain('<id>502</id>');
    expect(received).not.toContain('</root>');
  });

  test('that fails before anything is sent → 503 with Retry-After', async () => {
    forgetHeads(account.id);
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    const answer = await feed('', {}, failing);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(text(answer)).toContain('<code>unavailable</code>');
  });

  test('that fails at the one part to be built → 503, and the log says why', async () => {
    await feedAfresh();
    await setPrice(account.id, 501, 4);
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties')) throw new Error('D1 is down');
    });
    const answer = await feedAfresh('', {}, failing);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(failuresLogged()).toEqual([expect.stringContaining('D1 is down')]);
  });

  test('that fails → known readers are served for ten minutes from what is kept, and nobody else', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const whole = await feed();
    await feed();
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    const wrong = () =>
      ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'guess')}`, {}, failing).then(({ status }) => status);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await feed('', {}, failing)).bytes).toEqual(whole.bytes);
    expect(await wrong()).toBe(503);
    vi.setSystemTime(Date.now() + 539_000);
    expect((await feed('', {}, failing)).bytes).toEqual(whole.bytes);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await feed('', {}, failing)).status).toBe(503);
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    'that fails after a feed (%s) was built, and asked for no more → it is served to its reader',
    async (query) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const whole = await feed(query);
      const failing = watched(({ of }) => {
        if (of === 'D1') throw new Error('D1 is down');
      });
      vi.setSystemTime(Date.now() + 60_000);
      expect((await feed(query, {}, failing)).bytes).toEqual(whole.bytes);
    },
  );

  test('that fails, after strangers have asked → known readers are served still', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    const whole = await feed();
    const stranger = { DB: { prepare: () => nobody } as unknown as D1Database };
    const nobody = { bind: () => nobody, all: async () => ({ results: [] }) };
    vi.setSystemTime(Date.now() + 2_000);
    for (let asked = 0; asked < 501; asked++) {
      const { status } = await ask(
        `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@NOBODY${asked}&P=x`,
        {},
        {
          ...env,
          ...stranger,
          CREDENTIAL_CHECKS: { limit: async () => ({ success: false }) },
        },
      );
      expect(status).toBe(429);
    }
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    expect((await feed('', {}, failing)).bytes).toEqual(whole.bytes);
  });

  test('that fails after the password was changed and asked for in another feed → the old one is 503 in every feed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const version of [1, 2]) for (let time = 0; time < 2; time++) await feed(`&FV=${version}`);
    await setPassword(env.DB, account.id, 'new');
    vi.setSystemTime(Date.now() + 2_000);
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    expect((await feed('&FV=2', {}, failing)).status).toBe(200);
    expect((await feed('&FV=1')).status).toBe(401);
    expect((await feed('&FV=1', {}, failing)).status).not.toBe(200);
    expect((await feed('&FV=2', {}, failing)).status).toBe(503);
  });

  test('that fails, after an account was read whose code begins alike → known readers are served still', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const whole = await feed();
    const other = await sparseAccount(`S${accounts}X`, [1]);
    for (const { login } of [other, account]) {
      vi.setSystemTime(Date.now() + 2_000);
      expect((await ask(`/CreateXMLFeedV3.asp?${login}`)).status).toBe(200);
    }
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    vi.setSystemTime(Date.now() + 2_000);
    expect((await feed('', {}, failing)).bytes).toEqual(whole.bytes);
    expect((await ask(`/CreateXMLFeedV3.asp?${other.login}`, {}, failing)).status).toBe(200);
  });

  test('that fails after a change → 503, since the copy is outdated', async () => {
    await feed();
    await feed();
    await setPrice(account.id, 1, 3);
    await changed();
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    expect((await feed('', {}, failing)).status).toBe(503);
  });
});

describe('the head', () => {
  test('after the clock has gone back → read again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await setPrice(account.id, 1, 4_242);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(text(await feed())).toContain('4242');
  });

  test('of a feed asked for often → read once a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    const { uses, bindings } = recorder();
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1')).toEqual([]);
    vi.setSystemTime(Date.now() + 1_000);
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('that took long to read → is as old as its reading', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    forgetHeads(account.id);
    const slow = watched(({ of }) => {
      if (of === 'D1') vi.setSystemTime(Date.now() + 900);
    });
    await feed('', {}, slow);
    vi.setSystemTime(Date.now() + 200);
    const { uses, bindings } = recorder();
    await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('after a change that another isolate made → at the latest a second later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    await setPrice(account.id, 1, 99);
    vi.setSystemTime(Date.now() + 1_000);
    expect(pricesIn(await feed())).toContain('99');
  });

  test('that was being read while a change came → is not remembered', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await feed();
    await feedAfresh();
    forgetHeads(account.id);
    let read = 0;
    const late = watched(
      () => {},
      ({ of }) => of === 'D1' && ++read === 1 && held,
    );
    const waiting = feed('', {}, late);
    await vi.waitFor(() => expect(read).toBe(1));
    await setPrice(account.id, 1, 88);
    forgetHeads(account.id);
    release();
    await waiting;
    expect(pricesIn(await feed())).toContain('88');
  });

  test('after a changed password → the old one is refused, the new one welcome, within a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await env.DB.prepare('UPDATE accounts SET password = ? WHERE id = ?')
      .bind(await hashPassword('new'), account.id)
      .run();
    vi.setSystemTime(Date.now() + 1_000);
    expect((await feed()).status).toBe(401);
    expect((await ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'new')}`)).status).toBe(200);
  });
});

describe('housekeeping', () => {
  test('an entry past its lifetime → not asked for, but built anew', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET kept_at = kept_at - ?2 WHERE account_id = ?1 AND part = 1')
      .bind(account.id, SNAPSHOT_LIFETIME)
      .run();
    expect((await feedAfresh()).headers.get('Cache-Status')).toContain('2 of 3 parts kept');
    expect((await feedAfresh()).headers.get('Cache-Status')).toContain('3 of 3 parts kept');
  });

  test('once a day → outdated and expired entries go, those in use stay', async () => {
    await feedAfresh('FV=2');
    await feedAfresh('FV=3');
    await setPrice(account.id, 1, 12);
    await env.DB.prepare(
      "UPDATE snapshots SET kept_at = 1 WHERE account_id = ? AND part = 2 AND parameters LIKE 'FV=2%'",
    )
      .bind(account.id)
      .run();
    await env.DB.prepare(
      "UPDATE snapshots SET format = 0 WHERE account_id = ? AND part = 1 AND parameters LIKE 'FV=2%'",
    )
      .bind(account.id)
      .run();
    await housekeep(env);
    const left = await keptInTable(account.id);
    expect(left.map((name) => name.replace(/.*(part\d).*(FV=\d).*/, '$1 $2'))).toEqual(['part1 FV=3', 'part2 FV=3']);
  });

  /** Notes so many snapshots of a current form as kept, the first kept the last and used the longest ago. */
  async function noteMany(accountId: number, count: number): Promise<void> {
    await env.DB.prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, kept_at, used_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, ?3, 'old', 10000 + i, 1, 0, 0, 0, unixepoch() - i, i FROM n`,
    )
      .bind(accountId, count, DOCUMENT_FORMAT)
      .run();
  }

  test.each([50, 250])('once a day, with %i snapshots too many → the longest unused go', async (excess) => {
    await noteMany(account.id, MAX_SNAPSHOTS + excess);
    await housekeep(env);
    const left = env.DB.prepare('SELECT count(*) AS n, min(used_at) AS oldest FROM snapshots WHERE account_id = ?');
    expect(await left.bind(account.id).first()).toEqual({ n: MAX_SNAPSHOTS, oldest: excess + 1 });
  });

  test('once a day, with more snapshots too many than are dropped in one go → the longest unused of them go', async () => {
    await noteMany(account.id, MAX_SNAPSHOTS + 500);
    await housekeep(env);
    const left = env.DB.prepare('SELECT count(*) AS n, min(used_at) AS oldest FROM snapshots WHERE account_id = ?');
    expect(await left.bind(account.id).first()).toEqual({ n: MAX_SNAPSHOTS + 100, oldest: 401 });
  });

  test('once a day, where KV fails for one account → the others are swept, and the failure is told', async () => {
    const failed = account;
    const other = await sparseAccount(`S${++accounts}`, [1]);
    for (account of [failed, other]) {
      await feedAfresh();
      await setPrice(account.id, 1, 31);
    }
    const failing = watched(({ of, what }) => {
      if (of === 'KV delete' && what.includes(`/account${failed.id}/`)) throw new Error('KV is down');
    });
    await expect(housekeep(failing)).rejects.toThrow(/^The sweep failed for 1 of \d+ accounts$/);
    expect(failuresLogged()).toEqual([
      JSON.stringify({ event: 'sweep', accountId: failed.id, error: 'Error: KV is down' }),
    ]);
    expect(await keptInTable(other.id)).toEqual([]);
    expect(await keptInStore(other.id)).toEqual([]);
  });

  test('an account with too many snapshots → the longest unused go at the next build', async () => {
    await noteMany(account.id, MAX_SNAPSHOTS + 50);
    await feedAfresh();
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS count, min(used_at) AS oldest FROM snapshots WHERE account_id = ? AND parameters = 'old'",
    )
      .bind(account.id)
      .all();
    await feedAfresh('FV=2');
    const rest = await env.DB.prepare('SELECT count(*) AS count FROM snapshots WHERE account_id = ?')
      .bind(account.id)
      .first('count');
    expect(results).toEqual([{ count: MAX_SNAPSHOTS, oldest: 51 }]);
    expect(rest).toBeLessThanOrEqual(MAX_SNAPSHOTS + 3);
  });

  test('a feed in use → the use of another parameter set is not noted', async () => {
    await feedAfresh();
    await feedAfresh('FV=2');
    await env.DB.prepare('UPDATE snapshots SET used_at = 1 WHERE account_id = ?').bind(account.id).run();
    await feedAfresh();
    const unused = env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ? AND used_at = 1');
    expect(await unused.bind(account.id).first('n')).toBe(3);
  });

  test('a feed in use → the use of it by another account is not noted', async () => {
    const idle = account;
    await feedAfresh();
    account = await sparseAccount(`S${++accounts}`, [1]);
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET used_at = 1 WHERE account_id IN (?, ?)').bind(idle.id, account.id).run();
    await feedAfresh();
    const unused = env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ? AND used_at = 1');
    expect([await unused.bind(idle.id).first('n'), await unused.bind(account.id).first('n')]).toEqual([3, 0]);
  });

  test('a feed in use for long → its use is noted at most once an hour', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET used_at = used_at - 7200 WHERE account_id = ?').bind(account.id).run();
    await feedAfresh();
    const { uses, bindings } = recorder();
    await feedAfresh('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
    const used = await env.DB.prepare('SELECT min(used_at) AS used FROM snapshots WHERE account_id = ?')
      .bind(account.id)
      .first<number>('used');
    expect(Date.now() / 1000 - used!).toBeLessThan(60);
  });
});

describe('validators', () => {
  const second = 1_000;

  async function settled(): Promise<void> {
    await env.DB.prepare(
      'UPDATE accounts SET sale_changed_at = sale_changed_at - 60, rental_changed_at = rental_changed_at - 60 WHERE id = ?',
    )
      .bind(account.id)
      .run();
    forgetHeads(account.id);
  }

  test.each(['gzip', 'identity'])(
    'GET and HEAD with %s → equal facts, and a length once all is kept',
    async (encoding) => {
      await settled();
      const init = { headers: { 'Accept-Encoding': encoding } };
      const before = await feed('', { ...init, method: 'HEAD' });
      expect(before.headers.get('Content-Length')).toBe(null);
      expect(await keptInStore(account.id)).toEqual([]);
      const whole = await feed('', init);
      const head = await feed('', { ...init, method: 'HEAD' });
      const get = await feed('', init);
      expect(head.bytes.length).toBe(0);
      expect(head.headers.get('Content-Length')).toBe(String(whole.bytes.length));
      expect(head.headers.get('Last-Modified')).toMatch(/ GMT$/);
      for (const name of [
        'ETag',
        'Last-Modified',
        'Vary',
        'Content-Type',
        'Content-Encoding',
        'Cache-Control',
        'Cache-Status',
      ]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    },
  );

  test('a feed and its 304 → kept by their reader alone, and asked for again each time', async () => {
    const first = await feed();
    expect([first.status, first.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
    const again = await feed('', { headers: { 'If-None-Match': first.headers.get('ETag')! } });
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'private, no-cache']);
  });

  test('accounts at the same revisions, whom Basic has ask at one address → tags of their own', async () => {
    const first = await feed();
    account = await sparseAccount(`S${++accounts}`, [1, 2, 501, 502, 1001]);
    expect((await feed()).headers.get('ETag')).not.toBe(first.headers.get('ETag'));
  });

  test('encodings → tags of their own', async () => {
    const gzip = await feed('', { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await feed();
    expect(gzip.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
  });

  test.each(['gzip', 'identity'])(
    'If-None-Match with %s → 304 without KV until something changes',
    async (encoding) => {
      const first = await feed('', { headers: { 'Accept-Encoding': encoding } });
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': `"x", W/${first.headers.get('ETag')}` };
      const { uses, bindings } = recorder();
      for (const method of ['GET', 'HEAD']) {
        const again = await feedAfresh('', { method, headers }, bindings);
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        for (const name of ['ETag', 'Vary', 'Cache-Control'])
          expect(again.headers.get(name)).toBe(first.headers.get(name));
        expect(again.headers.get('Cache-Status')).toBe('Lindero; hit; detail="not modified"');
      }
      expect(uses.map((use) => use.of)).toEqual(['D1', 'D1']);
      await setPrice(account.id, 1, 17);
      expect((await feedAfresh('', { headers })).status).toBe(200);
    },
  );

  test('If-None-Match of a sale feed → 304 still, once a rent has changed', async () => {
    const first = await feed('T=SALE');
    await setRent(account.id, 1, 17);
    const headers = { 'If-None-Match': first.headers.get('ETag')! };
    expect((await feedAfresh('T=SALE', { headers })).status).toBe(304);
    expect((await feedAfresh('T=RENT', { headers })).status).toBe(200);
  });

  test.each([
    ['', setPrice, 200],
    ['', setRent, 200],
    ['T=SALE', setPrice, 200],
    ['T=SALE', setRent, 304],
    ['T=RENT', setPrice, 304],
    ['T=RENT', setRent, 200],
  ])('If-Modified-Since (%s) → 304 until %o; then %i', async (query, change, status) => {
    await settled();
    const first = await feed(query);
    const headers = { 'If-Modified-Since': first.headers.get('Last-Modified')! };
    expect((await feedAfresh(query, { headers })).status).toBe(304);
    await change(account.id, 1, 18);
    expect((await feedAfresh(query, { headers })).status).toBe(status);
  });

  test.each([
    ['sale', setPrice],
    ['rental', setRent],
  ])('a date that the clock has gone back behind (%s) → moved on by a change', async (kind, change) => {
    const column = `${kind}_changed_at`;
    await env.DB.prepare(`UPDATE accounts SET ${column} = 4000000000 WHERE id = ?`).bind(account.id).run();
    await change(account.id, 1, 19);
    const found = env.DB.prepare(`SELECT ${column} AS at FROM accounts WHERE id = ?`).bind(account.id);
    expect(await found.first('at')).toBe(4_000_000_001);
  });

  test('If-Modified-Since with the second of a change, or the next, whose answers may lack it → 200; with the one after → 304', async () => {
    const changed = Math.floor(Date.now() / second) - 60;
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = ?2, rental_changed_at = ?2 - 9 WHERE id = ?1')
      .bind(account.id, changed)
      .run();
    const since = (seconds: number) => ({ headers: { 'If-Modified-Since': new Date(seconds * second).toUTCString() } });
    expect((await feedAfresh('', since(changed))).status).toBe(200);
    expect((await feedAfresh('', since(changed + 1))).status).toBe(200);
    expect((await feedAfresh('', since(changed + 2))).status).toBe(304);
  });

  test('in the second of a change → no Last-Modified, which could hide a second change', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const answer = await feedAfresh();
    expect(answer.headers.get('Last-Modified')).toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = 1, rental_changed_at = 1 WHERE id = ?')
      .bind(account.id)
      .run();
    expect((await feedAfresh()).headers.get('Last-Modified')).not.toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const headers = { 'If-Modified-Since': new Date(Date.now() + 60 * second).toUTCString() };
    expect((await feedAfresh('', { headers })).status).toBe(200);
  });
});

describe('a reader that hangs up', () => {
  test('in the middle → what was built is kept, and no more is read', async () => {
    const { uses, bindings } = recorder();
    forgetHeads(account.id);
    const context = createExecutionContext();
    const response = await app.fetch(
      new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`),
      bindings,
      context,
    );
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    await waitOnExecutionContext(context);
    expect((await keptInStore(account.id)).map((name) => name.split('/')[2])).toEqual(['part0']);
    expect(uses.filter((use) => use.what.includes('LEFT JOIN properties')).length).toBe(2);
  });

  test('in the middle, while the next part fails → nobody is told', async () => {
    const unheard = vi.fn((event: PromiseRejectionEvent) => event.preventDefault());
    addEventListener('unhandledrejection', unheard);
    let reads = 0;
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties') && ++reads === 2) throw new Error('D1 is down');
    });
    forgetHeads(account.id);
    const context = createExecutionContext();
    const url = `https://feeds.example/CreateXMLFeedV3.asp?${account.login}`;
    const response = await app.fetch(new Request(url), failing, context);
    const reader = response.body!.getReader();
    for (let chunk = 0; chunk < 2; chunk++) await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await reader.cancel();
    await waitOnExecutionContext(context);
    removeEventListener('unhandledrejection', unheard);
    expect([reads, unheard.mock.calls.length]).toEqual([2, 0]);
  });

  test('or reads slowly → no segment is read more than two ahead', async () => {
    const { uses, bindings } = recorder();
    forgetHeads(account.id);
    const context = createExecutionContext();
    const response = await app.fetch(
      new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`),
      bindings,
      context,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(uses.filter((use) => use.what.includes('LEFT JOIN properties')).length).toBeLessThanOrEqual(2);
    await response.body!.cancel();
    await waitOnExecutionContext(context);
  });
});
