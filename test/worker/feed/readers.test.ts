import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, seedDemo } from '../../support/accounts/demo.ts';
import { fetchFeed, fetchKyero } from '../../support/documents/feed.ts';
import { expectedRecords } from '../../support/documents/oracle.ts';
import type { XmlElement } from '../../support/documents/xml.ts';

const LOGIN = { U: 'OWNPROPERTIES@DEMO', P: 'demo' };

beforeAll(async () => {
  await seedDemo(env.DB);
});

function idsExpected(query: Readonly<Record<string, string>>, firstKeepsId = false): unknown[] {
  return expectedRecords(DEMO.documents, query, firstKeepsId).map(([id]) => id![1]);
}

describe.each(
  ['1', '2', '3'].flatMap((FV) => [
    { FV },
    { FV, AR: 'TRUE', ARP: 'TRUE', ST: 'TRUE', NPT: 'TRUE', IC: '0' },
  ]),
)('a feed with %j, read as existing programs do', (query: Readonly<Record<string, string>>) => {
  let xml: string;
  let records: readonly XmlElement[];

  beforeAll(async () => {
    const feed = await fetchFeed({ ...LOGIN, ...query });
    xml = feed.xml;
    records = feed.document.all('property');
  });

  test('without a parser, by cutting the text at <property> and matching names in any case: every record', () => {
    const pieces = xml.split('<property>').slice(1);
    expect(pieces.map((piece) => /<ID>(.*?)<\/ID>/i.exec(piece)?.[1])).toEqual(idsExpected(query));
    expect(pieces.filter((piece) => piece.match(/<PRICE>/gi)?.length !== 1)).toEqual([]);
  });

  test('by an importer that rejects a record without a required node, or without a numeric price: every record', () => {
    const isRejected = (record: XmlElement) =>
      ['id', 'ref', 'town', 'province', 'type/uk'].some((path) => !record.textOf(path)) ||
      !/^\d+(\.\d+)?$/.test(record.textOf('price') ?? '');
    expect(records.filter(isRejected)).toEqual([]);
    expect(records.map((record) => record.textOf('id'))).toEqual(idsExpected(query));
  });

  test('by a program that orders pictures by their ids: the order of the document', () => {
    for (const images of records.map((record) => record.all('images/image'))) {
      expect(images.map(({ attributes }) => attributes.id)).toEqual(
        images.map((_, index) => String(index + 1)),
      );
    }
  });
});

test.each<[string, string, number, number]>([
  ['N', 'more than there are', 1_000, 1],
  ['P_PageSize', 'of one', 1, 2],
  ['P_PageSize', 'of fifty', 50, 2],
])(
  'a reader that requests pages with %s %s: every record once, and it stops',
  async (parameter, _, size, requests) => {
    const ids: string[] = [];
    for (let page = 1; page <= requests; page++) {
      const { document } = await fetchFeed({
        ...LOGIN,
        FV: '3',
        [parameter]: String(size),
        P_PageNo: String(page),
      });
      const found = document.texts('property/id');
      ids.push(...found);
      expect(found.length < size).toBe(page === requests);
    }
    expect(ids).toEqual(idsExpected({ FV: '3' }));
  },
);

/** Kyero's own names of types. Existing readers skip or misread others. */
const TYPES = [
  ...[
    'Apartment',
    'Duplex',
    'Penthouse',
    'Studio',
    'Triplex',
    'Bungalow',
    'Villa',
    'Terraced House',
    'Town House',
  ],
  ...[
    'Village House',
    'Farm',
    'Cortijo',
    'Country House',
    'Finca',
    'Land',
    'Ruin',
    'Cave House',
    'Garage',
  ],
  ...['Commercial Property', 'Wooden Home'],
].map((type) => type.toLowerCase());

describe.each([{ ShortTerm: 'TRUE' }, { T: 'RENT', Language: '1,2', IC: '5', ShortTerm: 'TRUE' }])(
  'kyero.xml with %j, read as existing programs do',
  ({ ShortTerm, ...query }: Readonly<Record<string, string>>) => {
    let records: readonly XmlElement[];

    beforeAll(async () => {
      records = (await fetchKyero({ ...LOGIN, ...query, ShortTerm: ShortTerm! })).document.all(
        'property',
      );
    });

    test.each(['id', 'ref'])(
      'by a program that keeps one record for each %s: every record',
      (key) => {
        const keys = records.map((record) => record.textOf(key));
        expect(new Set(keys).size).toBe(keys.length);
        expect(records.map((record) => record.textOf('id'))).toEqual(
          idsExpected({ ...query, FV: '3', AR: 'TRUE' }, true),
        );
      },
    );

    test('by a program that calculates with prices, and knows three periods: every record', () => {
      expect(records.filter((record) => !/^\d+$/.test(record.textOf('price')!))).toEqual([]);
      expect(new Set(records.map((record) => record.textOf('price_freq')))).toEqual(
        new Set(query.T === 'RENT' ? ['month', 'week'] : ['sale', 'month', 'week']),
      );
    });

    test('by a program that looks types up, and names downloaded pictures after their URL: every record', () => {
      expect(
        records
          .map((record) => record.textOf('type')!)
          .filter((type) => !TYPES.includes(type.toLowerCase())),
      ).toEqual([]);
      const urls = records.flatMap((record) => record.texts('images/image/url'));
      expect(urls.filter((url) => !/\.(jpe?g|png|gif)$/i.test(url))).toEqual([]);
    });
  },
);
