import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, seedDemo } from '../../support/demo.ts';
import { fetchFeed } from '../../support/feed.ts';
import { expectedRecords, type FeedNode } from '../../support/oracle.ts';
import { readByCutting } from './cutting-reader.ts';
import { type Listing, plainFields } from './listing.ts';
import { importMapped } from './mapping-reader.ts';
import { importFeed } from './simple-reader.ts';
import { readTree } from './tree-reader.ts';

beforeAll(async () => {
  await seedDemo(env.DB);
});

const QUERIES = ['1', '2', '3'].flatMap((FV) => [
  { FV, ARP: 'TRUE', IC: '0' },
  { FV, ARP: 'TRUE', AR: 'TRUE', ST: 'TRUE', NPT: 'TRUE', Language: '1,2,3,4,5,6,7,8,9,10', IC: '0' },
]);

describe.each(QUERIES.map((query) => [new URLSearchParams(query).toString(), query] as const))('?%s', (_, query) => {
  const expected = expectedRecords(DEMO.documents, query).map(listingOf);
  let xml: string;

  beforeAll(async () => {
    ({ xml } = await fetchFeed({ U: 'OWNPROPERTIES@DEMO', P: 'demo', ...query }));
  });

  test('reader that cuts the text at <property> and extracts nodes case-insensitively: every record, complete', () => {
    expect(readByCutting(xml)).toEqual(expected);
  });

  test('reader that visits root/property in a tree of elements: every record, complete', () => {
    expect(readTree(xml)).toEqual(expected);
  });

  test('reader like SimpleXML that rejects records without a required node: every record', () => {
    expect(importFeed(xml)).toEqual(expected.map((listing) => ({ listing })));
  });

  test('reader that throws on a record without a numeric price and looks up joined types: every record', () => {
    const mapped = importMapped(xml);
    expect(mapped.map(({ id, price }) => ({ id, price }))).toEqual(expected.map(({ id, price }) => ({ id, price })));
    expect(mapped.filter(({ type }) => type === undefined)).toEqual([]);
  });
});

test('the demo agency has listings with and without each feature that readers distinguish', () => {
  const listings = expectedRecords(DEMO.documents, QUERIES.at(-1)!).map(listingOf);
  for (const distinguishes of [
    (listing: Listing) => listing.forRent,
    (listing: Listing) => listing.newBuild,
    (listing: Listing) => listing.price === 0,
    (listing: Listing) => listing.pictures.length > 50,
    (listing: Listing) => listing.features.length > 1,
    (listing: Listing) => /[<&]/.test(listing.description),
    (listing: Listing) => listing.terrace !== null,
  ]) {
    expect(listings.some(distinguishes), String(distinguishes)).toBe(true);
    expect(listings.every(distinguishes), String(distinguishes)).toBe(false);
  }
});

/** The listing that readers must import from a record, according to the oracle. */
function listingOf(record: readonly FeedNode[]): Listing {
  const all = (path: string) =>
    path
      .split('/')
      .reduce<readonly FeedNode[]>(
        (nodes, name) =>
          nodes.flatMap(([, content]) => (typeof content === 'object' ? content : [])).filter(([own]) => own === name),
        [['property', record]],
      )
      .map(([, content]) => String(content));
  const text = (path: string) => all(path)[0] ?? '';
  return {
    ...plainFields(text),
    features: all('characteristics/category/value/uk'),
    pictures: all('images/image/url'),
    forRent: text('shortterm_low') !== '',
    newBuild: text('development_name') !== '',
  };
}
