import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/lib/languages.ts';
import { type PortfolioDocumentInput, parseDocument } from '../../src/properties/documents.ts';
import { lines } from '../support/accounts/imported.ts';
import { FULL, property, VOCABULARY } from '../support/accounts/portfolio.ts';
import {
  type Agency,
  documents,
  load,
  openAgency,
  properties,
} from '../system/cli-import/agency.ts';
import { operator, useOperator } from '../system/operator.ts';

useOperator();

const feedOf = ({ code, password }: Agency, query: string) =>
  operator.feed(`U=OWNPROPERTIES@${code}&P=${password}&${query}`);

const labels = (uk: string, es: string) => ({ uk, es });

/** A document with labels in every language, so that a feed in any language shows them. */
function inAllLanguages<Document extends object>(document: Document): Document {
  if (!('labels' in document)) return document;
  const { uk, ...given } = document.labels as { uk: string | Record<string, string | null> };
  const of = (element: string) =>
    typeof uk === 'string'
      ? `${uk} ${element}`
      : Object.fromEntries(
          Object.entries(uk).map(([name, label]) => [name, label && `${label} ${element}`]),
        );
  const others = LANGUAGES.map(({ element }) => [element, of(element)] as const);
  return { ...document, labels: { ...Object.fromEntries(others), uk, ...given } };
}

/** Everything that a feed shows, including values that are hard to distinguish in it. */
const PORTFOLIO = [
  ...VOCABULARY,
  {
    kind: 'type',
    code: 'flat',
    labels: {
      uk: {
        older_type: 'Apartment',
        older_subtype: 'Penthouse',
        type: 'Apartment',
        subtype: 'Penthouse Duplex',
      },
      es: {
        older_type: 'Apartamento',
        older_subtype: 'Ático',
        type: 'Apartamento',
        subtype: 'Ático Dúplex',
      },
    },
  },
  { kind: 'category', code: 'Pool', labels: labels('Pool', 'Piscina') },
  { kind: 'category', code: 'Orientation', labels: labels('Orientation', 'Orientación') },
  { kind: 'category', code: 'Garden', labels: labels('Garden', 'Jardín') },
  {
    kind: 'feature',
    code: 'pool-communal',
    category: 'Pool',
    labels: labels('Communal', 'Comunitaria'),
  },
  {
    kind: 'feature',
    code: 'garden-communal',
    category: 'Garden',
    labels: labels('Communal', 'Comunitario'),
  },
  { kind: 'feature', code: 'south', category: 'Orientation', labels: labels('South', 'Sur') },
  {
    kind: 'feature',
    code: 'odd',
    category: 'Views',
    labels: labels('  Two  spaces & <more> ', 'Dos'),
  },
  { kind: 'feature', code: 'twin', category: 'Views', labels: labels('Sea', 'Mar') },
  { kind: 'development', id: 'D-1', name: 'Sol & Mar' },
  { kind: 'development', id: 'D-2', name: 'Sol & Mar' },
  {
    kind: 'unit',
    development: 'D-1',
    name: 'A-1',
    status: 8,
    price: 315_000.5,
    directions: [['S', 'SE'], 'sea side'],
  },
  { kind: 'unit', development: 'D-2', name: 'A-1', status: 2, price: 0, directions: [] },
  property('sale', {
    ...FULL,
    offers: { sale: { price: 1_250_000, minimum_price: 1_200_000 } },
    texts: {
      uk: { description: ' A & B\r\n<b>bold</b> ' },
      es: { description: 'Uno' },
      pl: { description: 'Willa' },
    },
    pictures: Array.from(
      { length: 12 },
      (_, index) => `https://p.example/${12 - index}.jpg?v=1&w=2`,
    ),
    features: ['garden-communal', 'Sea', 'pool-communal', 'twin', 'south', 'odd'],
  }),
  property('all', {
    type: 'flat',
    status: 'Under Offer',
    listed_at: '2026-02-02T03:04:05Z',
    offers: {
      sale: { price: 99.125, minimum_price: 0 },
      long_term: { rent: 1_200 },
      short_term: { low: 700, high: 1_400, license: 'VFT/1' },
    },
    features: ['Golf', 'garden-communal'],
  }),
  property('month', {
    offers: { long_term: { rent: 950 } },
    features: ['garden-communal', 'pool-communal'],
  }),
  property('week', {
    type: 'flat',
    offers: { short_term: { low: 400, high: null } },
    listed_at: '2025-01-02T03:04:05Z',
  }),
  property('license', { offers: { short_term: { low: null, high: 900, license: 'VFT/2' } } }),
  property('request', { offers: { sale: { price: null } } }),
  property('request-all', {
    offers: { sale: { price: null }, long_term: { rent: 5 }, short_term: { low: 6, high: 7 } },
  }),
  property('request-week', {
    offers: { sale: { price: null, minimum_price: 3 }, short_term: { low: 6, high: 7 } },
  }),
  property('request-low', { offers: { sale: { price: null }, short_term: { low: 6, high: 7 } } }),
  property('rents', { offers: { long_term: { rent: null }, short_term: { low: 300, high: 310 } } }),
  property('A 1/ñ', {
    ref: 'R & <1>',
    town: 'Peñíscola',
    currency: 'GBP',
    location: { latitude: 0, longitude: 0 },
  }),
  property('unit', { unit: { development: 'D-1', name: 'A-1' }, features: ['south', 'Golf'] }),
  property('unit-2', {
    unit: { development: 'D-2', name: 'A-1' },
    offers: { sale: { price: 1, minimum_price: 5 } },
  }),
  property('unplaced', { town: '', province: '' }),
].map((document) => parseDocument(inAllLanguages(document) as PortfolioDocumentInput));

let agency: Agency;

beforeAll(async () => {
  agency = await openAgency();
  await load(agency, lines(...PORTFOLIO));
});

const ALL_LANGUAGES = 'Language=1,2,3,4,5,6,7,8,9,10';

describe('import of a feed into a new account: its feed has the same bytes', () => {
  const versions = ['FV=1', 'FV=2', 'FV=3'];
  // The versions differ in nodes, the others in records and values: each in one version, and everything in all three.
  const sets = [
    'Language=2,9',
    'AR=TRUE&ARP=TRUE&ShowRTA=TRUE&IC=0',
    'ARP=TRUE&ShowRTA=TRUE&ST=TRUE&NPT=TRUE&ER_ShowAll=TRUE&VT=2&IC=0',
    `DisplayListingDate=TRUE&AR=TRUE&ARP=TRUE&NPT=TRUE&${ALL_LANGUAGES}`,
    'T=SALE&VT=1&ER_Show=TRUE&IC=3',
    'T=RENT&ARP=TRUE&ShowRTA=TRUE',
    'T=RENT&AR=TRUE',
    'OnlyAvailable=TRUE&NW=TRUE&ExRented=TRUE',
  ];

  const queries = [
    ...versions.flatMap((version) => [
      `${version}&`,
      `${version}&AR=TRUE&ARP=TRUE&IC=0&${ALL_LANGUAGES}`,
    ]),
    ...sets.map((set, index) => `${versions[index % versions.length]}&${set}`),
  ];

  test.each(queries)('%s', async (query) => {
    const feed = await feedOf(agency, query);
    const copy = await openAgency();
    const report = await load(copy, feed);
    expect(report).toMatchObject({ format: 'resales', rejected_records: [], ignored: [] });
    expect(await feedOf(copy, query)).toBe(feed);
    expect(await load(copy, feed)).toMatchObject({ written: 0 });
  });

  test('an empty feed: nothing is imported, exit code 3', async () => {
    const copy = await openAgency();
    const feed = await feedOf(copy, 'FV=3');
    expect(await load(copy, feed, [], 3)).toMatchObject({
      format: 'resales',
      properties: { read: 0 },
    });
  });
});

test('import of a feed into its own account: fields that it does not show stay the same', async () => {
  const own = await openAgency();
  await load(own, lines(...PORTFOLIO));
  const before = await properties(own);
  await load(own, await feedOf(own, 'FV=1&T=SALE&Language=1'));
  const after = await properties(own);
  const developments = (await documents(own)).filter(
    ({ kind }) => kind === 'development' || kind === 'unit',
  );
  expect(developments).toEqual(
    PORTFOLIO.filter(({ kind }) => kind === 'development' || kind === 'unit'),
  );
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  for (const [
    index,
    { id, offers, texts, pictures, location, unit, built_year },
  ] of after.entries()) {
    const { offers: own, texts: ownTexts, ...others } = before[index]!;
    expect({
      id,
      location,
      unit,
      built_year,
      long_term: offers.long_term,
      short_term: offers.short_term,
    }).toEqual({
      id,
      location: others.location,
      unit: others.unit,
      built_year: others.built_year,
      long_term: own.long_term,
      short_term: own.short_term,
    });
    expect([texts, pictures.length]).toEqual([ownTexts, Math.min(others.pictures.length, 10)]);
  }
});

test('import of a later record of a rental offer: merged into its property', async () => {
  const copy = await openAgency();
  const record = (id: string, more: string) =>
    `<property><id>${id}</id><ref>R</ref><currency>EUR</currency>${more}<type><uk>Villa</uk></type><town>Nerja</town><province>Málaga</province></property>`;
  const feed = `<root><resalesonline><feed_version>1</feed_version></resalesonline>${[
    record('1', '<price>5</price><price_freq>sale</price_freq>'),
    record('2', '<price>6</price><price_freq>sale</price_freq>'),
    record('1-LT', '<price>7</price><price_freq>month</price_freq><longterm>7</longterm>'),
    record('1-ST', '<price_freq>week</price_freq><shortterm_low>8</shortterm_low>'),
  ].join('')}</root>`;
  expect(await load(copy, feed)).toMatchObject({ properties: { read: 2, written: 2 } });
  expect(
    (await properties(copy)).map(({ id, offers }) => [
      id,
      offers.sale?.price,
      offers.long_term?.rent,
    ]),
  ).toEqual([
    ['1', 5, 7],
    ['2', 6, undefined],
  ]);
});

test('import of a later state: the minimum price, the high season and the licence are those of the feed, if it has them', async () => {
  const own = await openAgency();
  const state = async (more: string) => {
    await load(
      own,
      `<root><resalesonline><feed_version>3</feed_version></resalesonline><property><id>1</id><ref>R</ref><price>5</price>
      <price_freq>sale</price_freq><shortterm_low>7</shortterm_low>${more}<type><uk>Villa</uk></type></property></root>`,
    );
    const [{ offers } = { offers: undefined }] = await properties(own);
    return [offers?.sale?.minimum_price, offers?.short_term?.high, offers?.short_term?.license];
  };
  const season = (high: number) =>
    `<shortterm_high>${high}</shortterm_high><rental_license>L${high}</rental_license>`;
  expect(await state(`<price_minimum>0</price_minimum>${season(8)}`)).toEqual([0, 8, 'L8']);
  expect(await state(`<price_minimum>4</price_minimum>${season(9)}`)).toEqual([4, 9, 'L9']);
  expect(await state('')).toEqual([4, 9, 'L9']);
  expect(await state('<price_minimum>0</price_minimum>')).toEqual([0, 9, 'L9']);
});
