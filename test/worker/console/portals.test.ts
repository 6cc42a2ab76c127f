import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { fieldsOf, page, send, signIn, textOf } from './visitor.ts';

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
