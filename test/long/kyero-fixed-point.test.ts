import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEMO } from '../support/accounts/demo.ts';
import { lines } from '../support/accounts/imported.ts';
import { property } from '../support/accounts/portfolio.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { type Agency, documents, load, openAgency } from '../system/cli-import/agency.ts';
import { operator, useOperator } from '../system/operator.ts';

useOperator();

/** With short-term rentals, which a feed leaves out by default. */
const feedOf = ({ code, password }: Agency, query = '') =>
  operator.feed(`U=OWNPROPERTIES@${code}&P=${password}&ShortTerm=TRUE&${query}`, 'kyero.xml');

/** The properties, without the date of the file that each was imported from. */
async function properties(agency: Agency) {
  const all = await documents(agency);
  return all
    .filter((document) => document.kind === 'property')
    .map((one) => ({ ...one, source_changed_at: null }));
}

/** Imports a file into a new account, its feed into another, and expects the same feed there. */
async function expectFixedPoint(
  file: string,
  query = '',
): Promise<{ first: Agency; second: Agency }> {
  const first = await openAgency();
  await load(first, file);
  const feed = await feedOf(first, query);
  const second = await openAgency();
  expect(await load(second, feed)).toMatchObject({ rejected_records: [], ignored: [] });
  expect(await feedOf(second, query)).toBe(feed);
  return { first, second };
}

/** A record with every node, and with what programs add. */
const FULL: KyeroNodes = {
  part_ownership: '1',
  leasehold: '1',
  new_build: '1',
  country: 'Spain',
  location: '<latitude>36.7213</latitude><longitude>-4.4214</longitude>',
  location_detail: 'Nueva Andalucía',
  beds: '3',
  baths: '2.5',
  pool: 'Private',
  surface_area: '<built>120</built><plot>500</plot><terrace>30</terrace>',
  energy_rating: '<consumption>C</consumption><emissions>Processing</emissions>',
  url: '<en>https://costa.example/1?a=1&amp;b=2</en><ca>https://costa.example/ca/1</ca>',
  desc: '<en>A &lt;b&gt;house&lt;/b&gt;&#13;\nby the sea</en><es><![CDATA[Una casa <b>junto</b> al mar]]></es><fi>Talo</fi>',
  features: [
    ...[
      'Sea View',
      'Communal',
      'Piscina comunitaria',
      'South Orientation',
      'Private',
      'Lift',
      'Helipad',
      'Under Offer',
    ],
    ...['Heating', 'Urbanisation', 'Excellent', 'Golf', 'Port', 'Country'],
  ]
    .map((name) => `<feature>${name}</feature>`)
    .join(''),
  images:
    '<image id="1"><url>https://p.example/1?v=2</url></image><image id="2"><url>https://p.example/2.png</url></image>',
  notes: 'Keys: ask Ana',
  catastral: '9872023VH5797S0006XS',
  video_url: 'https://video.example/1',
  virtual_tour_url: 'https://tour.example/1',
  postcode: '29660',
  community_fees: '120.5',
  address: 'Calle Real 1',
  floor: '2',
  email: 'ana@costa.example',
  title: '<en>House</en>',
  prime: '1',
  commission: '<value>5.0</value><split>50</split>',
};

const FILES: readonly (readonly [string, string])[] = [
  ['every node', kyeroFeed([kyeroRecord('a', FULL)])],
  [
    'records with little',
    kyeroFeed([
      kyeroRecord('a', { date: null, currency: null }),
      kyeroRecord('b', { price: 'x', town: '', province: '', ref: null }),
      kyeroRecord('c', { type: 'Casa Mata', price: '1250.5', currency: 'USD' }),
      kyeroRecord('d', { type: null, price_freq: null }),
    ]),
  ],
  [
    'types that say more than Kyero knows, and types of the agency',
    kyeroFeed([
      kyeroRecord('a', { type: 'Ground Floor Apartment', features: '<feature>Lift</feature>' }),
      kyeroRecord('b', { type: 'Commercial', subtype: 'Bar', features: '<feature>Bar</feature>' }),
      kyeroRecord('c', { type: 'Penthouse Duplex' }),
      kyeroRecord('d', { type: 'Luxury Apartment' }),
      kyeroRecord('e', { type: 'Apartment', subtype: 'Corner Flat' }),
      kyeroRecord('f', { type: 'Вилла у моря' }),
      kyeroRecord('g', { type: 'House' }),
    ]),
  ],
  [
    'several offers',
    kyeroFeed([
      kyeroRecord('a', { ...FULL, price: '250000' }),
      kyeroRecord('a-LT', { ...FULL, ref: 'R-a', price: '900', price_freq: 'month' }),
      kyeroRecord('a-ST', { ...FULL, ref: 'R-a', price: 'x', price_freq: 'week' }),
      kyeroRecord('b-LT', { price: '900', price_freq: 'month' }),
      kyeroRecord('c', { price: '700', price_freq: 'week' }),
    ]),
  ],
];

describe('Kyero, imported, and its feed imported into another account: the same feed, byte for byte', () => {
  test.each(FILES)(
    '%s; with extensions every property; and into its own account: nothing changes',
    async (_, file) => {
      await expectFixedPoint(file);
      const { first, second } = await expectFixedPoint(file, 'Extended=TRUE');
      const [own, others] = [await properties(first), await properties(second)];
      for (const [index, one] of own.entries()) {
        const { email, floor, address, prime, commission, texts, bath, offers, features, ...rest } =
          one;
        const { listed_at, updated_at, ...shown } = rest;
        expect(others[index]).toMatchObject({
          ...shown,
          country: one.country ?? 'Spain',
          bath: Math.floor(bath),
        });
        expect(features.length).toBe(others[index]!.features.length);
      }
      await load(first, await feedOf(first));
      expect(await properties(first)).toEqual(own);
    },
  );

  test('property-based: any records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRecord, { minLength: 1, maxLength: 60, size: 'max' }),
        async (records) => {
          await expectFixedPoint(
            kyeroFeed(records.map((nodes, index) => kyeroRecord(`P${index}`, nodes))),
          );
        },
      ),
      { seed: 1, numRuns: 3, endOnFailure: true },
    );
  });
});

test('the feed of an account with values that Kyero cannot express, imported into it: nothing changes', async () => {
  const agency = await openAgency();
  const given = {
    area: `A long ${'name '.repeat(20)}`.trim(),
    bath: 4.5,
    currency: 'CHF',
    has_garden: true,
    has_garage: true,
    pictures: Array.from({ length: 60 }, (_, index) => `https://p.example/${index}.jpg`),
    offers: {
      sale: { price: 1250.5, minimum_price: 1 },
      long_term: { rent: 0 },
      short_term: { low: 0.4, high: 2, license: 'VFT' },
    },
  };
  await load(agency, kyeroFeed([kyeroRecord('a', { features: '<feature>Sea Views</feature>' })]));
  const [stored] = await properties(agency);
  await load(agency, lines({ ...stored, ...given }));
  const before = await properties(agency);
  await load(agency, await feedOf(agency));
  expect(await properties(agency)).toEqual(before);
});

test('an account that no Kyero file filled: its feed, imported twice, is a fixed point', async () => {
  const all = DEMO.documents;
  const some = new Set(all.filter(({ kind }) => kind === 'property').slice(0, 15));
  const agency = await openAgency();
  await load(agency, lines(...all.filter((one) => one.kind !== 'property' || some.has(one))));
  await expectFixedPoint(await feedOf(agency));
  const unit = await openAgency();
  await load(
    unit,
    lines(...DEMO.documents.filter(({ kind }) => kind !== 'property' && kind !== 'unit')),
  );
  await load(unit, lines({ kind: 'development', id: 'sol', name: 'Sol' }));
  await load(
    unit,
    lines({
      kind: 'unit',
      development: 'sol',
      name: 'A',
      status: 8,
      price: 5,
      directions: ['SE', 'sea'],
    }),
  );
  await load(unit, lines(property('u', { unit: { development: 'sol', name: 'A' }, features: [] })));
  expect(await feedOf(unit)).toContain(
    '<feature>Sale Agreed</feature><feature>South East Orientation</feature>',
  );
  await expectFixedPoint(await feedOf(unit));
});

/** Values of nodes as programs write them. */
const VALUES = {
  price: ['x', '0', '250000', '1.250.000', '99.5', '1', '8999999'],
  price_freq: ['sale', 'month', 'week', 'rent'],
  currency: ['EUR', 'GBP', 'USD', 'CHF', '€'],
  type: [
    'Villa',
    'Town House',
    'Finca',
    'Café',
    'Land',
    'Casa Mata 2',
    'Парковка',
    'Apartment',
    'Quad',
  ],
  town: ['Nerja', '', '-', 'San Pedro &amp; Sur', 'Peñíscola'],
  province: ['Málaga', '', 'Málaga (Province)', 'Cádiz'],
  beds: ['0', '3', '2.5', 'Studio', '---'],
  baths: ['0', '2', '2.5', '3 + 1 toilet'],
  pool: ['0', '1', 'Communal', 'Nee'],
  surface_area: ['', '<built>50 + 75 terrace</built>', '<built>120</built><plot>---</plot>'],
  energy_rating: ['', '<consumption>A</consumption>', '<emissions>Processing</emissions>'],
  new_build: ['0', '1', 'true', ''],
  url: ['', 'https://a.example/1', '<es>https://a.example/2</es>', '<en>www.a.example</en>'],
  catastral: ['', '9872023VH5797S0006XS'],
  video_url: ['', 'https://v.example/1'],
  status: ['', 'Available', 'Reserved', 'Under Offer'],
};

const FEATURES = [
  ...[
    'Sea',
    'Sea Views',
    'Communal',
    'Private',
    'Pool',
    'Garden',
    'Heating',
    'Lift',
    'Golf',
    'Country',
    'North',
  ],
  ...[
    'Sale Agreed',
    'Aire acondicionado',
    'Piscina',
    'Street',
    'Beachfront',
    'Helipad',
    'Communal Features',
    'A - B',
  ],
];

const PICTURES = [
  'https://p.example/1.jpg',
  'https://p.example/2?x=1',
  'http://p.example/3.PNG?y',
  'p/4.jpg',
];

const listOf = (values: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...values), { maxLength });

const DESCRIPTIONS = fc.dictionary(
  fc.constantFrom('en', 'es', 'it', 'ca', 'pl', 'ru'),
  fc.string({ maxLength: 60, unit: 'grapheme' }),
  { maxKeys: 4 },
);

/** One record as programs write it, its features and types known and unknown. */
const anyRecord: Arbitrary<KyeroNodes> = fc.record(
  {
    ...(Object.fromEntries(
      Object.entries(VALUES).map(([node, values]) => [node, fc.constantFrom(...values)]),
    ) as Record<keyof typeof VALUES, Arbitrary<string>>),
    location_detail: fc.string({ maxLength: 80, unit: fc.constantFrom(...'abc ñ&<') }).map(escaped),
    notes: fc.string({ maxLength: 30 }).map(escaped),
    desc: DESCRIPTIONS.map((texts) =>
      Object.entries(texts)
        .map(([name, text]) => node(name, escaped(text)))
        .join(''),
    ),
    features: listOf(FEATURES, 12).map((names) =>
      names.map((name) => node('feature', name)).join(''),
    ),
    images: listOf(PICTURES, 6).map((urls) =>
      urls.map((url) => node('image', node('url', url))).join(''),
    ),
  },
  { requiredKeys: [] },
);

function node(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

/** Text as XML, without characters that XML forbids. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n -\ud7ff\ue000-\ufffd]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
