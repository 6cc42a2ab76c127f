import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { formatNumber } from '../../../src/console/format.ts';
import { createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';
import { fieldsOf, page, send, signIn, signInViewer, textOf } from './visitor.ts';

/** The identifiers of the properties that a page has links to. */
function propertiesIn(text: string): string[] {
  return [...text.matchAll(/href="\/property\?id=(\w+)"/g)].map(([, id]) => id!).sort();
}

test('properties that the feed of a portal leaves out: each page says why, and the page of the portal leads to all of them', async () => {
  const { accountId } = await createAgency(env.DB, 'LEFTOUT', []);
  const sold = ['S1', 'S2', 'S3', 'S4', 'S5'];
  const toRent = property('RENT', { offers: { long_term: { rent: 900 } } });
  await store(env.DB, accountId, [...sold.map((id) => property(id, { status: 'Sold' })), toRent]);
  const key = await openReader(accountId, 'sales', 'T=SALE');
  const owner = await signIn('LEFTOUT');
  const shown = async (path: string) => textOf(await page(path, owner));
  expect(await shown('/property?id=S1')).toContain('id="switch-sales-why">Sold ');
  await fetchFeed(`U=OWNPROPERTIES@LEFTOUT&P=${key}`);
  expect(await shown('/property?id=S1')).toContain('id="switch-sales-why">Sold ');
  expect(await shown('/property?id=RENT')).toContain(
    'id="switch-sales-why">Kind of offer not included ',
  );
  expect(await shown('/portal?name=sales')).toMatch(
    /Sold: 5.*href="\/properties\?portal=sales%3Asold">See 5 listings/,
  );
  const list = await shown('/properties?portal=sales%3Asold');
  expect(propertiesIn(list)).toEqual(sold);
  expect(list).toContain(
    'aria-label="Remove the filter: Not in the feed of sales: Sold" href="/properties"',
  );
  expect(propertiesIn(await shown('/properties?portal=sales%3Ano+offer'))).toEqual(['RENT']);
});

test('a property that no portal was sent: the portals last fetched before the last change, not that they have an earlier state', async () => {
  const { accountId } = await createAgency(env.DB, 'ADDED', []);
  await store(env.DB, accountId, [property('OLD')]);
  const key = await openReader(accountId, 'portal');
  await fetchFeed(`U=OWNPROPERTIES@ADDED&P=${key}`);
  await store(env.DB, accountId, [property('NEW')]);
  expect(textOf(await page('/property?id=NEW', await signIn('ADDED')))).toMatch(
    /Last fetched [^<]*, before the last change/,
  );
});

test('the property of a unit that was sold: its history has the change of the unit, and not those of others', async () => {
  await createAgency(env.DB, 'HISTORIC', ['A-1', 'A-2']);
  const owner = await signIn('HISTORIC');
  const shown = async (path: string) => textOf(await page(path, owner));
  const none = 'Price and status have not changed';
  expect(await shown('/property?id=P1')).toContain(none);
  const unit = `/unit?development=${DEVELOPMENT}&name=A-1`;
  const fields = new Map([
    ...fieldsOf(await page(unit, owner)),
    ['status', '4'],
    ['reviewed', '1'],
  ]);
  await send(unit, [...fields], owner);
  expect(await shown('/property?id=P1')).toMatch(/History.*Available → <b>Sold<\/b>/s);
  expect(await shown('/property?id=P2')).toContain(none);
  expect(await shown(unit)).toMatch(/changed <time [^>]*>just now/);
});

test('more changes than the home page shows: it leads to all of the last 30 days', async () => {
  const { accountId } = await createAgency(env.DB, 'BUSY', []);
  const ids = Array.from({ length: 15 }, (_, index) => `B${index}`);
  for (const price of [100_000, 110_000]) {
    const priced = ids.map((id, index) =>
      property(id, { offers: { sale: { price: price + index } } }),
    );
    await store(env.DB, accountId, priced);
  }
  const owner = await signIn('BUSY');
  const shown = async (path: string) => textOf(await page(path, owner));
  const home = await shown('/');
  expect([propertiesIn(home).length, home.includes('href="/?changes=all#changes"')]).toEqual([
    12,
    true,
  ]);
  expect(propertiesIn(await shown('/?changes=all'))).toEqual(ids.toSorted());
});

test('the visits of a portal: newest first, page by page, for a viewer as well; not for its key, and not for another agency', async () => {
  const { accountId } = await createAgency(env.DB, 'VISITED', []);
  await createAgency(env.DB, 'UNVISITED', []);
  await store(env.DB, accountId, [property('V1')]);
  const key = await openReader(accountId, 'portal', 'T=SALE', true);
  const feed = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@VISITED&P=${key}`;
  await ask(feed, { headers: { 'User-Agent': 'loader/1.0 <b>' } });
  await ask(`${feed}&T=RENT`);
  const owner = await signIn('VISITED');
  const shown = async (path: string, cookie = owner) => textOf(await page(path, cookie));
  expect(await shown('/portal?name=portal')).toContain('href="/portal/visits?name=portal"');
  const visits = await shown('/portal/visits?name=portal');
  expect(visits).toMatch(/Refused: error 400/);
  expect(visits).toMatch(/The whole feed.*data-column="Listings">1<.*loader\/1.0 &lt;b&gt;/s);
  const old = Array.from({ length: 60 }, (_, index) => {
    const at = Math.floor(Date.now() / 1_000) - 3_600 - 60 * index;
    return { at, records: 1_000 + index };
  });
  const stored = old.map(({ at, records }) => [at, at, 1, ['full', 200, records, 5, '']]);
  await env.DB.prepare(
    `INSERT INTO earlier_visits (reader_id, written_at, feed, visits)
     SELECT id, unixepoch(), 'resales?', ? FROM readers WHERE account_id = ?`,
  )
    .bind(JSON.stringify(stored.toReversed()), accountId)
    .run();
  const counts = (text: string) =>
    [...text.matchAll(/data-column="Listings">(1,0\d\d)</g)].map(([, count]) => count);
  const first = await shown('/portal/visits?name=portal');
  const [, next] = /href="([^"]*after=[^"]*)"/.exec(first)!;
  const second = await shown(next!.replaceAll('&amp;', '&'));
  expect([...counts(first), ...counts(second)]).toEqual(
    old.map(({ records }) => formatNumber(records, 'en')),
  );
  expect(second).not.toMatch(/href="[^"]*after=/);
  const viewer = await signInViewer(accountId, 'VISITED');
  expect((await page('/portal/visits?name=portal', viewer)).status).toBe(200);
  expect((await page('/portal/visits?name=portal', await signIn('VISITED', key))).status).toBe(404);
  expect((await page('/portal/visits?name=portal', await signIn('UNVISITED'))).status).toBe(404);
});
