import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { deliverAll } from '../../../src/changes/webhooks/deliver.ts';
import { invalidateReaders } from '../../../src/feed/access/callers.ts';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { recentSnapshots } from '../../../src/feed/snapshots/store.ts';
import { changeImportNames } from '../../../src/imports/runs/sources.ts';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { SOMEBODY } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { openWebhook, withTasks } from '../../support/accounts/webhooks.ts';
import { feedUrl } from '../../support/documents/feed.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { noUsage, type Usage } from '../../support/platform/usage.ts';
import { ask } from '../../support/worker/ask.ts';

/** What a request and its background tasks use; D1 bills rows of indexes, too. */
async function usageOf(url: string, init?: RequestInit): Promise<Usage> {
  const { status, usage } = await ask(url, init, env, new Invocation(here, true));
  expect([200, 304]).toContain(status);
  return usage;
}

describe.each([1, 20])(
  'a feed of %i segments, at an isolate with nothing in memory',
  (segments) => {
    const code = `COSTS${segments}`;
    const url = feedUrl(`U=OWNPROPERTIES@${code}&P=secret`);
    let account: number;

    async function usageWithoutMemory(init?: RequestInit): Promise<Usage> {
      invalidateManifests(account);
      recentSnapshots.clear();
      return usageOf(url, init);
    }

    beforeAll(async () => {
      const numbers = Array.from({ length: segments }, (_, segment) => segment * 500 + 1);
      account = (await sparseAccount(code, numbers)).id;
      await ask(url);
    });

    test('GET, cached: one statement, a row per segment and one for the account, a KV read per segment', async () => {
      expect(await usageWithoutMemory()).toEqual({
        ...noUsage(),
        roundTrips: 1,
        statements: 1,
        rowsRead: segments + 1,
        kvReads: segments,
      });
    });

    test('GET with its ETag: 304, one round trip, and KV is not read', async () => {
      const { headers } = await ask(url);
      const usage = await usageWithoutMemory({
        headers: { 'If-None-Match': headers.get('ETag')! },
      });
      expect(usage).toEqual({ ...noUsage(), roundTrips: 1, statements: 1, rowsRead: segments + 1 });
    });

    test('GET with a key: two rows more, for the key and its reader; with its ETag: 304 at the same cost', async () => {
      const byKey = feedUrl(`U=OWNPROPERTIES@${code}&P=${await openReader(account, 'portal')}`);
      const usageOfKey = (init?: RequestInit) => {
        invalidateManifests(account);
        recentSnapshots.clear();
        invalidateReaders(account);
        return usageOf(byKey, init);
      };
      const ledger = await usageOfKey();
      expect(ledger).toMatchObject({ roundTrips: 2, rowsWritten: 1, kvReads: segments });
      const expected = { ...noUsage(), roundTrips: 1, statements: 1, rowsRead: segments + 3 };
      expect(await usageOfKey()).toEqual({ ...expected, kvReads: segments });
      const { headers } = await ask(byKey);
      expect(await usageOfKey({ headers: { 'If-None-Match': headers.get('ETag')! } })).toEqual(
        expected,
      );
    });

    test('GET after a change: one segment is built and written, the others are read from KV', async () => {
      await setPrice(account, 1, 77);
      const { roundTrips, ...others } = await usageWithoutMemory();
      expect(roundTrips).toBeLessThanOrEqual(4);
      expect(others).toMatchObject({
        rowsWritten: 1,
        kvReads: segments - 1,
        kvWrites: 1,
        kvDeletes: 1,
      });
    });

    test('GET again, with all in memory: neither D1 nor KV is read', async () => {
      vi.setSystemTime(Date.now());
      try {
        await ask(url);
        expect(await usageOf(url)).toEqual(noUsage());
      } finally {
        vi.useRealTimers();
      }
    });
  },
);

test('GET of a feed of 400 parts, of which none is cached: complete, within the limits of an invocation; later ones cache all', async () => {
  const { id, login } = await sparseAccount('PARTS', [1]);
  const names = JSON.stringify(Array.from({ length: 399 }, (_, index) => index));
  await env.DB.prepare(
    `INSERT INTO developments (account_id, identifier, document) SELECT ?1, value, '{"name":"D"}' FROM json_each(?2)`,
  )
    .bind(id, names)
    .run();
  const cached: string[] = [];
  for (let request = 0; request < 6; request++) {
    invalidateManifests(id);
    const { status, text, headers } = await ask(
      `/idealista.json?${login}&CustomerCode=ilc${'a1'.repeat(20)}`,
    );
    expect([status, JSON.parse(text).customerProperties]).toEqual([200, []]);
    cached.push(headers.get('Cache-Status')!.split('"')[1]!);
  }
  expect(cached).toEqual(
    [0, 90, 180, 270, 360, 400].map((parts) => `${parts} of 400 parts cached`),
  );
});

describe('writes of properties', () => {
  const VILLA = {
    ref: 'R',
    type: 'villa',
    status: 'Available',
    town: 'Nerja',
    province: 'Málaga',
    features: ['Sea'],
  };
  const texts = { uk: { description: 'A' }, es: { description: 'B' }, de: { description: 'C' } };
  const full = { ...VILLA, offers: { sale: { price: 1 } }, texts, channels: ['coast'] };
  const inLanguages = (languages: number) => ({
    ...full,
    texts: Object.fromEntries(
      LANGUAGES.slice(0, languages).map(({ element }) => [element, { description: element }]),
    ),
    channels: [],
  });
  let headers: Record<string, string>;

  async function put(document: object, id = 'p'): Promise<Usage> {
    const init = { method: 'PUT', headers, body: JSON.stringify(document) };
    const { usage } = await ask(`/v1/properties/${id}`, init, env, new Invocation(here, true));
    return usage;
  }

  beforeAll(async () => {
    const agency = await openAgency('PUTS', [], ['properties:write']);
    headers = withToken(await obtainToken(agency));
    await put({ ...full, features: ['Sea', 'Communal pool'] }, 'first');
    await changeImportNames(env.DB, agency.accountId, {
      types: { Casita: 'villa' },
      features: { 'Alberca grande': 'Pool: Communal' },
    });
  });

  test.each<[string, object, number]>([
    ['without texts', { ...full, texts: {}, channels: [] }, 8],
    ['with three texts, in a channel', full, 8],
    ['with three texts, in a new channel', { ...full, channels: ['new'] }, 10],
    ['with ten texts', inLanguages(10), 8],
    ['with mapped names', { ...full, type: 'casita', features: ['alberca grande'] }, 8],
  ])(
    'PUT of a new one %s: three round trips at most, as many rows written as stated',
    async (id, document, rows) => {
      const { roundTrips, rowsWritten } = await put(document, id.replaceAll(' ', '-'));
      expect([roundTrips <= 3, rowsWritten]).toEqual([true, rows]);
    },
  );

  test('POST batch of 20 new ones with three texts, in a channel: seven rows for each, and one', async () => {
    const operations = Array.from({ length: 20 }, (_, index) => ({
      op: 'put',
      id: `batch-${index}`,
      property: full,
    }));
    const init = { method: 'POST', headers, body: JSON.stringify({ operations }) };
    const { usage } = await ask('/v1/properties/batch', init, env, new Invocation(here, true));
    expect(usage).toMatchObject({ roundTrips: 3, rowsWritten: 20 * 7 + 1 });
  });

  test.each<[string, object, number]>([
    ['that is created with a text', { ...full, texts: { uk: texts.uk }, channels: [] }, 8],
    ['with two more texts', { ...full, channels: [] }, 5],
    ['in another channel', full, 5],
    ['with another price', { ...full, offers: { sale: { price: 2 } } }, 5],
    [
      'with another text',
      { ...full, offers: { sale: { price: 2 } }, texts: { ...texts, uk: { description: 'D' } } },
      5,
    ],
    [
      'that is the same',
      { ...full, offers: { sale: { price: 2 } }, texts: { ...texts, uk: { description: 'D' } } },
      0,
    ],
  ])(
    'PUT of one %s: three round trips at most, as many rows written as stated',
    async (_, document, rows) => {
      const { roundTrips, rowsWritten } = await put(document);
      expect([roundTrips <= 3, rowsWritten]).toEqual([true, rows]);
    },
  );
});

describe('updates of units', () => {
  const names = Array.from({ length: 100 }, (_, index) => `U-${index}`);
  let agency: Agency;
  let headers: Record<string, string>;

  function post(operation: string, body: unknown): Promise<Usage> {
    const url = `/v1/developments/${DEVELOPMENT}/units/${operation}`;
    return usageOf(url, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  function values(UntName: string, UntPrice: number) {
    return { UntName, UntStatus: 1, UntPrice, UntDirections: ['N'] };
  }

  beforeAll(async () => {
    agency = await openAgency('COSTS', names);
    headers = withToken(await obtainToken(agency));
    // The isolate then knows the client.
    await post('update-by-name', values('U-1', 1));
  });

  test('POST /oauth/token: one round trip, two rows read', async () => {
    const usage = await usageOf('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: agency.clientId,
        client_secret: agency.secret,
      }),
    });
    expect(usage).toMatchObject({ roundTrips: 1, rowsRead: 2, rowsWritten: 0 });
  });

  describe.each([
    ['without cached feeds', 0],
    ['with a cached feed, which it makes stale', 1],
  ])('%s', (_, stale) => {
    beforeAll(async () => {
      if (stale === 1)
        expect((await ask(feedUrl('U=OWNPROPERTIES@COSTS&P=demo'))).status).toBe(200);
    });

    test('POST update-by-name: two round trips, seven rows written and one per stale snapshot', async () => {
      const usage = await post('update-by-name', values('U-1', 2 + stale));
      expect(usage).toMatchObject({
        roundTrips: 2,
        statements: 4,
        rowsWritten: 7 + stale,
        kvDeletes: stale,
      });
    });
  });

  test('POST update-by-name that changes nothing: nothing is written', async () => {
    const { rowsWritten, kvDeletes } = await post('update-by-name', values('U-1', 3));
    expect([rowsWritten, kvDeletes]).toEqual([0, 0]);
  });

  test('POST update-many with one update: the other 99 units are not read', async () => {
    const { rowsRead } = await post('update-many', [values('U-1', 3)]);
    expect(rowsRead).toBeLessThan(names.length);
  });

  test('POST update-many with 100 updates: two round trips, seven rows written for each, and one', async () => {
    expect((await ask(feedUrl('U=OWNPROPERTIES@COSTS&P=demo'))).status).toBe(200);
    const usage = await post(
      'update-many',
      names.map((name) => values(name, 9)),
    );
    expect(usage).toMatchObject({ roundTrips: 2, rowsWritten: 701, kvDeletes: 1 });
  });

  test('POST update-many with 500 updates of one unit: at most 900 statements', async () => {
    const { statements } = await post(
      'update-many',
      Array.from({ length: 500 }, (_, price) => values('U-2', price)),
    );
    expect(statements).toBeLessThanOrEqual(900);
  });

  test('polls of changes, and the call of a webhook, after a change: with 100 units no more rows are read than with one', async () => {
    const rowsRead: number[][] = [];
    const scopes = ['units:read', 'units:write', 'properties:read'];
    for (const units of [['U-1'], names]) {
      const { accountId, ...client } = await openAgency(`FOLLOWED${units.length}`, units, scopes);
      headers = withToken(await obtainToken(client));
      const paths = ['/v1/changes', '/v1/units/changes'];
      const first = await Promise.all(paths.map((path) => ask(`${path}?limit=500`, { headers })));
      await openWebhook(accountId, 'crm');
      await post('update-by-name', values('U-1', 2));
      const polls = paths.map(
        (path, index) => `${path}?after=${JSON.parse(first[index]!.text).next}`,
      );
      const polled = await Promise.all(polls.map((poll) => usageOf(poll, { headers })));
      vi.stubGlobal('fetch', async () => new Response('ok'));
      const invocation = new Invocation(here, true);
      await invocation.run(() => deliverAll(invocation.bindings(withTasks().env), [accountId]));
      vi.unstubAllGlobals();
      rowsRead.push([...polled.map((usage) => usage.rowsRead), invocation.usage.rowsRead]);
    }
    const more = rowsRead[1]!.map((rows, index) => rows - rowsRead[0]![index]!);
    expect(Math.max(...more)).toBeLessThan(5);
  });

  let rowsRead: number | undefined;

  describe.each([0, 1, 1_000])('with %i webhooks', (webhooks) => {
    const code = `HOOKED${webhooks}`;
    const { env: bindings, tasks } = withTasks();
    let hooked: Agency;

    beforeAll(async () => {
      hooked = await openAgency(code, ['U-1']);
      headers = withToken(await obtainToken(hooked));
      if (webhooks > 0) {
        await openWebhook(hooked.accountId, 'first');
        await env.DB.prepare(
          `INSERT INTO webhooks (account_id, name, url, events, origin, secret, confirmed_number)
           WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
           SELECT account_id, 'w' || i, url, events, origin, secret, confirmed_number FROM webhooks, n WHERE account_id = ?1 AND i < ?2`,
        )
          .bind(hooked.accountId, webhooks)
          .run();
      }
    });

    test('POST update-by-name: two round trips, seven rows written, and one message if there are any', async () => {
      const url = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
      const update = (price: number) =>
        ask(
          url,
          { method: 'POST', headers, body: JSON.stringify(values('U-1', price)) },
          bindings,
          new Invocation(here, true),
        );
      await update(1);
      tasks.length = 0;
      const { usage } = await update(2);
      expect(usage).toMatchObject({ roundTrips: 2, statements: 4, rowsWritten: 7 });
      rowsRead ??= usage.rowsRead;
      expect(usage.rowsRead - rowsRead).toBeLessThanOrEqual(1);
      const { accountId } = hooked;
      expect(tasks).toEqual(
        webhooks === 0 ? [] : [{ task: { kind: 'webhooks', accountId }, delay: 0 }],
      );
    });

    test.runIf(webhooks === 1)(
      'the task: one call, by five round trips and six rows written',
      async () => {
        vi.stubGlobal('fetch', async () => new Response('ok'));
        const invocation = new Invocation(here, true);
        await invocation.run(() => deliverAll(invocation.bindings(bindings), [hooked.accountId]));
        vi.unstubAllGlobals();
        expect(invocation.usage).toMatchObject({ roundTrips: 5, rowsWritten: 6 });
      },
    );
  });
});

describe('imports', () => {
  const OPTIONS = {
    actor: SOMEBODY,
    now: READ_AT,
    replace: false,
    maxWithdrawn: 100,
    strict: false,
    dryRun: false,
  };
  let account: number;

  /** What is used for a property with 20 pictures and 15 features. */
  async function usageFor(id: string, price: number): Promise<Usage> {
    const many = (count: number, of: (index: number) => string) =>
      Array.from({ length: count }, (_, n) => of(n)).join('');
    const record = kyeroRecord(id, {
      price: `${price}`,
      date: `2026-03-0${price} 05:06:07`,
      desc: '<en>A house.</en><es>Una casa.</es>',
      features: many(15, (n) => `<feature>Feature ${n}</feature>`),
      images: many(20, (n) => `<image id="${n + 1}"><url>https://p.example/${n}</url></image>`),
    });
    const invocation = new Invocation(here, true);
    await importPortfolio(invocation.bindings(env), account, inputOf(kyeroFeed([record])), OPTIONS);
    return invocation.usage;
  }

  beforeAll(async () => {
    account = await openAccount(env.DB, 'IMPORTS');
    // Creates the vocabulary entries that the properties use.
    await usageFor('first', 1);
  });

  test('of a new property, and of a changed one: at most 20 rows written; of an unchanged one: none', async () => {
    expect((await usageFor('new', 1)).rowsWritten).toBeLessThanOrEqual(20);
    expect((await usageFor('new', 2)).rowsWritten).toBeLessThanOrEqual(20);
    expect((await usageFor('new', 2)).rowsWritten).toBe(0);
  });

  test('of a new property: with 500 other properties no more rows are read than with two', async () => {
    const few = await usageFor('before', 1);
    const others = Array.from({ length: 500 }, (_, index) => kyeroRecord(`other-${index}`));
    await importPortfolio(env, account, inputOf(kyeroFeed(others), 50_000), OPTIONS);
    expect((await usageFor('after', 1)).rowsRead - few.rowsRead).toBeLessThan(10);
  });
});
