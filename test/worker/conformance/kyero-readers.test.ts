import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, seedDemo } from '../../support/demo.ts';
import { fetchKyero } from '../../support/kyero-feed.ts';
import { expectedKyeroRecords } from '../../support/kyero-oracle.ts';
import type { FeedNode } from '../../support/oracle.ts';
import { type KyeroListing, numberOf } from './kyero-listing.ts';
import { importValidated } from './kyero-strict-reader.ts';
import { importPosts } from './kyero-wordpress-reader.ts';

beforeAll(async () => {
  await seedDemo(env.DB);
});

describe.each([{ ShortTerm: 'TRUE' }, { T: 'RENT', Language: '1,2', IC: '5' }])(
  'kyero.xml with %j',
  (query: Record<string, string>) => {
    const expected = expectedKyeroRecords(DEMO.documents, query).map(listingOf);
    let xml: string;

    beforeAll(async () => {
      ({ xml } = await fetchKyero({ U: 'OWNPROPERTIES@DEMO', P: 'demo', ...query }));
    });

    test('reader like an importer for WordPress, with SimpleXML: every record, complete', () => {
      const posts = importPosts(xml);
      expect(posts.map((post) => ({ ...post, date: '' }))).toEqual(expected);
    });

    test('reader that validates first: every record, complete', async () => {
      const { listings } = (await importValidated(xml)) as { listings: KyeroListing[] };
      expect(listings.map((listing) => ({ ...listing, date: '' }))).toEqual(expected);
    });

    test('reader that validates first, of a document with one wrong record: nothing', async () => {
      const broken = xml.replace(/<price>\d+<\/price>(?![\s\S]*<price>\d)/, '<price>1.5</price>');
      expect(broken).not.toBe(xml);
      expect(await importValidated(broken)).toMatchObject({ rejected: [expect.stringContaining('price')] });
    });
  },
);

test('the demo agency has listings with and without each feature that readers distinguish', () => {
  const listings = expectedKyeroRecords(DEMO.documents, { ShortTerm: 'TRUE' }).map(listingOf);
  for (const distinguishes of [
    (listing: KyeroListing) => listing.frequency === 'sale',
    (listing: KyeroListing) => listing.frequency === 'week',
    (listing: KyeroListing) => listing.price === 0,
    (listing: KyeroListing) => listing.pictures.length === 50,
    (listing: KyeroListing) => listing.features.includes('Sale Agreed'),
    (listing: KyeroListing) => listing.built !== null,
    (listing: KyeroListing) => /[<&]/.test(listing.description),
  ]) {
    expect(listings.some(distinguishes), String(distinguishes)).toBe(true);
    expect(listings.every(distinguishes), String(distinguishes)).toBe(false);
  }
});

/** The listing that readers must import from a record, according to the oracle; without its date. */
function listingOf(record: readonly FeedNode[]): KyeroListing {
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
    id: text('id'),
    ref: text('ref'),
    date: '',
    price: numberOf(text('price')),
    frequency: text('price_freq'),
    type: text('type'),
    town: text('town'),
    province: text('province'),
    beds: Number(text('beds')),
    baths: Number(text('baths')),
    pool: text('pool') === '1',
    built: numberOf(text('surface_area/built')),
    description: text('desc/en'),
    features: all('features/feature'),
    pictures: all('images/image/url'),
  };
}
