import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, purge, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { obtainToken, withToken } from '../../support/accounts/units.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { ask } from '../../support/worker/ask.ts';
import { emptyCaches } from '../../support/worker/caches.ts';
import { BROWSER, fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

/** Pages that show what an isolate keeps of an account: its rows, and what the rules find. */
const PAGES = [
  '/properties',
  '/properties?order=price&town=Nerja',
  '/properties?portal=dear',
  '/properties?q=nerja',
  '/',
  '/portal?name=dear',
  '/portal?name=kyero',
  '/report',
];

async function openAgency(code: string, count: number): Promise<Agency> {
  const agency = await createAgency(env.DB, code, ['A-1']);
  const ids = Array.from({ length: count }, (_, index) => `P-${index}`);
  const offers = (index: number) => ({ sale: { price: 150_000 + index } });
  await store(env.DB, agency.accountId, [
    ...VOCABULARY,
    ...ids.map((id, index) => property(id, { offers: offers(index), beds: index % 5 })),
  ]);
  await openReader(agency.accountId, 'kyero', '');
  await openReader(agency.accountId, 'dear', '', false, null, 'selection={"price":{"min":150003}}');
  return agency;
}

describe('after a change, pages of an isolate that knows the account are those of one that does not', () => {
  let agency: Agency;
  let cookie: string;
  let undo: string;

  beforeAll(async () => {
    agency = await openAgency('KEPT', 6);
    cookie = await signIn('KEPT');
  });

  const write = (id: string, given: Parameters<typeof property>[1]) =>
    store(env.DB, agency.accountId, [property(id, given)]);

  const CHANGES: readonly [string, () => Promise<unknown>][] = [
    ['a new property', () => write('NEW', { town: 'Nerja' })],
    ['a price that rules look at', () => write('P-0', { offers: { sale: { price: 400_000 } } })],
    ['a withdrawal', () => write('P-1', { status: 'Withdrawn' })],
    ['a deletion', () => purge(env.DB, agency.accountId, ['P-1'])],
    [
      'an update of a unit',
      async () => {
        const headers = withToken(await obtainToken(agency));
        const body = JSON.stringify({
          UntName: 'A-1',
          UntStatus: 4,
          UntPrice: 9,
          UntDirections: ['N'],
        });
        const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
        expect((await ask(path, { method: 'POST', headers, body })).status).toBe(200);
      },
    ],
    [
      'a change of several',
      async () => {
        const path = '/properties/change?id=P-2&id=P-3&kind=status&to=Sold';
        const saved = await send(path, fieldsOf(await page(path, cookie)), cookie);
        [undo = ''] = /\/undo\?batch=[^"]*/.exec(textOf(await follow(saved, cookie)))!;
      },
    ],
    ['its undoing', () => send(undo, { do: 'save' }, cookie)],
    [
      'an import',
      () =>
        importPortfolio(env, agency.accountId, inputOf(kyeroFeed([kyeroRecord('IMPORTED')])), {
          ...{ actor: SOMEBODY, now: READ_AT, replace: true, maxWithdrawn: 100 },
          ...{ strict: false, dryRun: false },
        }),
    ],
    ['the rules of a portal', () => openReader(agency.accountId, 'other', 'T=RENT')],
  ];

  test.each(CHANGES)('%s', async (_, change) => {
    const shown = async () => {
      const texts: string[] = [];
      for (const path of PAGES) texts.push(textOf(await page(path, cookie)));
      return texts;
    };
    const before = await shown();
    await change();
    const kept = await shown();
    emptyCaches();
    expect(kept).toEqual(await shown());
    expect(kept).not.toEqual(before);
  });
});

describe('what pages ask of the database does not grow with the account', () => {
  const SIZES = [150, 450];
  const cookies: string[] = [];

  beforeAll(async () => {
    for (const size of SIZES) {
      await openAgency(`SIZE${size}`, size);
      cookies.push(await signIn(`SIZE${size}`));
    }
  });

  /** What each agency's page costs, once it is known. */
  const usages = async (path: string, change?: (code: string) => Promise<unknown>) => {
    const all: [statements: number, rows: number][] = [];
    for (const [index, cookie] of cookies.entries()) {
      const init = { headers: { ...BROWSER, Cookie: cookie } };
      await ask(path, init);
      await change?.(`SIZE${SIZES[index]}`);
      const { status, usage } = await ask(path, init, env, new Invocation(here, true));
      expect(status).toBe(200);
      all.push([usage.statements, usage.rowsRead]);
    }
    return all;
  };

  test.each([
    '/properties',
    '/properties?town=Marbella&beds=3&price=100000-200000',
    '/properties?portal=dear',
    '/properties?finding=no_pictures',
    '/properties?page=2&order=price',
    '/portals',
    '/portal?name=kyero',
    '/portal?name=dear',
    '/report',
  ])('GET %s', async (path) => {
    const [few, many] = await usages(path);
    expect(many![0]).toBe(few![0]);
    expect(many![0]).toBeLessThanOrEqual(25);
    expect(many![1] - few![1]).toBeLessThan(10);
  });

  test.each(['/', '/properties?q=marbella'])(
    'GET %s: a few small rows a property',
    async (path) => {
      const [few, many] = await usages(path);
      expect(many![0]).toBe(few![0]);
      expect((many![1] - few![1]) / (SIZES[1]! - SIZES[0]!)).toBeLessThanOrEqual(3);
    },
  );

  test('GET /properties after a change: what has changed is read, and its part of the report', async () => {
    const [[statements] = [], [, rows] = []] = await usages('/properties', (code) =>
      env.DB.prepare(
        `UPDATE units SET price = price + 1 WHERE account_id = (SELECT id FROM accounts WHERE code = ?)`,
      )
        .bind(code)
        .run(),
    );
    expect(statements).toBeLessThanOrEqual(28);
    expect(rows).toBeLessThan(2 * SIZES[1]!);
  });
});
