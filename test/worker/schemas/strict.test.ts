import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import { escapeXml } from '../../../src/lib/xml.ts';
import { type PortfolioDocument, parseDocument } from '../../../src/portfolio/documents.ts';
import { fetchFeed } from '../../support/feed.ts';
import { property } from '../../support/portfolio.ts';
import { validate } from '../../support/schema.ts';
import { parseXml, XmlElement } from '../../support/xml.ts';

/** Every parameter that adds a node. */
const EVERYTHING = {
  U: 'OWNPROPERTIES@FULL',
  P: 'secret',
  DisplayListingDate: 'TRUE',
  ...{ ST: 'TRUE', ARP: 'TRUE', NPT: 'TRUE', ER_ShowAll: 'TRUE', ShowRTA: 'TRUE', VT: '2' },
  Language: '1,2,3,4,5,6,7,8,9,10',
};

const inEveryLanguage = <T>(value: T) => Object.fromEntries(LANGUAGES.map(({ element }) => [element, value]));

/** A property with a value in every node, and another property. */
const PORTFOLIO: readonly PortfolioDocument[] = [
  {
    kind: 'type',
    code: 'villa',
    labels: inEveryLanguage({ older_type: 'Villa', older_subtype: null, type: 'House', subtype: 'Detached' }),
  },
  ...['Views', 'Setting'].map((code) => parseDocument({ kind: 'category', code, labels: inEveryLanguage(code) })),
  ...['Sea', 'Golf'].map((code) =>
    parseDocument({ kind: 'feature', code, category: 'Views', labels: inEveryLanguage(code) }),
  ),
  parseDocument({ kind: 'feature', code: 'Beach', category: 'Setting', labels: inEveryLanguage('Beach') }),
  parseDocument({ kind: 'development', id: 'd', name: 'Sol' }),
  parseDocument({ kind: 'unit', development: 'd', name: 'A-1', status: 1, price: 250_000.5, directions: ['N'] }),
  property('full', {
    unit: { development: 'd', name: 'A-1' },
    ...{ area: 'Centro', country: 'Spain', postcode: '29600', location: { latitude: 36.5, longitude: -4.9 } },
    ...{ beds: 3, bath: 2.5, built_area: 100, plot_area: 200, terrace_area: 30, living_area: 90, built_year: 2004 },
    ...{ community_fees: 90.5, garbage_tax: 120, ibi_fees: 800, cadastral_ref: '1234567AB', has_pool: true },
    ...{ virtual_tour_url: 'https://tours.example/1', video_url: 'https://videos.example/1' },
    offers: {
      sale: { price: 1, minimum_price: 200_000 },
      long_term: { rent: 1_500 },
      short_term: { low: 700, high: 1_400, license: 'VFT' },
    },
    texts: inEveryLanguage({ description: 'A house.' }),
    pictures: ['https://pictures.example/1.jpg', 'https://pictures.example/2.jpg'],
    features: ['Sea', 'Golf', 'Beach'],
  }),
  property('least'),
];

/** The mandatory nodes of a record; all others are optional. */
const ALWAYS = [
  ...[
    'id',
    'ref',
    'last_updated',
    'currency',
    'price',
    'price_freq',
    'type',
    'town',
    'province',
    'beds',
    'baths',
    'Bath',
  ],
  ...['has_pool', 'has_garden', 'has_garage'],
  ...['characteristics/category/name', 'images/image/url', 'energy_rating/emissions'],
];
const ALWAYS_IN_VERSION_3 = [
  ...['status', 'availability', 'price_minimum', 'energy_rating', 'energy_rating/consumption'],
  ...['location/latitude', 'location/longitude'],
];
const ONLY_IN_VERSION_3 = [
  ...['status', 'availability', 'price_minimum', 'location', 'terrace', 'living_area', 'built_year'],
  ...['community_fees', 'garbage_tax', 'ibi_fees', 'cadastral_ref'],
];
/** Nodes whose text may be empty, because XML may be unable to represent any stored character. */
const MAY_BE_EMPTY = ['ref', 'town', 'province'];
/** The nodes that may be repeated. */
const SEVERAL = ['characteristics/category', 'characteristics/category/value', 'images/image'];

const feeds = new Map<number, XmlElement>();

beforeAll(async () => {
  const account = await createAccount(env.DB, { code: 'FULL', name: 'Full', password: 'secret' });
  await writePortfolio(env.DB, account, PORTFOLIO);
  for (const FV of [1, 2, 3]) {
    const { status, document } = await fetchFeed({ ...EVERYTHING, FV });
    expect(status).toBe(200);
    feeds.set(FV, document);
  }
});

describe.each([1, 2, 3] as const)('the schema of version %i', (version) => {
  const isValid = async (feed: XmlElement) => (await validate(written(feed), `feed-v${version}.xsd`)).length === 0;

  /** The feed with its fullest record changed; valid or not? */
  async function changed(change: (record: XmlElement) => void): Promise<boolean> {
    const feed = copy(feeds.get(version)!);
    change(fullest(feed));
    return isValid(feed);
  }

  /** Every node of the fullest record by its path and position, with only the first and last language. */
  function nodes(): { path: string; at: number[] }[] {
    const found: { path: string; at: number[] }[] = [];
    const visit = (element: XmlElement, path: string[], at: number[]) => {
      for (const [index, child] of element.children.entries()) {
        if (['es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl'].includes(child.name)) continue;
        found.push({ path: [...path, child.name].join('/'), at: [...at, index] });
        visit(child, [...path, child.name], [...at, index]);
      }
    };
    visit(fullest(feeds.get(version)!), [], []);
    return found;
  }

  test('accepts the feed, and no feed of another version', async () => {
    for (const [other, feed] of feeds) expect(await isValid(feed)).toBe(other === version);
  });

  test('every node of this version and no other is in the fullest record', () => {
    const names = fullest(feeds.get(version)!).names();
    expect(names.length).toBe(version === 3 ? 44 : 33);
    for (const name of ONLY_IN_VERSION_3) expect(names.includes(name), name).toBe(version === 3);
  });

  test('a record without a node: invalid if the node is mandatory', async () => {
    const always = version === 3 ? [...ALWAYS, ...ALWAYS_IN_VERSION_3] : ALWAYS;
    for (const { path, at } of nodes()) {
      const valid = await changed((record) => parentOf(record, at).children.splice(at.at(-1)!, 1));
      const optional = !always.includes(path) && !isOnlyOne(feeds.get(version)!, path, at);
      expect([path, valid]).toEqual([path, optional]);
    }
  });

  test('a repeated node: invalid unless there may be several', async () => {
    for (const { path, at } of nodes()) {
      const valid = await changed((record) => {
        const { children } = parentOf(record, at);
        children.splice(at.at(-1)!, 0, copy(children[at.at(-1)!]!));
      });
      // The same picture twice has the same id twice.
      expect([path, valid]).toEqual([path, SEVERAL.includes(path) && path !== 'images/image']);
    }
  });

  test('two nodes in the wrong order: invalid', async () => {
    for (const { path, at } of nodes()) {
      const last = at.at(-1)!;
      if (last === 0) continue;
      let sameName = false;
      const valid = await changed((record) => {
        const { children } = parentOf(record, at);
        sameName = children[last]!.name === children[last - 1]!.name;
        children.splice(last - 1, 2, children[last]!, children[last - 1]!);
      });
      expect([path, valid]).toEqual([path, sameName]);
    }
  });

  test('an unknown node or attribute anywhere: invalid', async () => {
    expect(await changed((record) => record.children.push(new XmlElement('extra', {})))).toBe(false);
    for (const { path, at } of nodes()) {
      const insideUnknown = await changed((record) => nodeAt(record, at).children.push(new XmlElement('extra', {})));
      const attributed = await changed((record) => {
        const { children } = parentOf(record, at);
        const node = children[at.at(-1)!]!;
        children[at.at(-1)!] = withAttribute(node);
      });
      expect([path, insideUnknown, attributed]).toEqual([path, false, false]);
    }
  });

  test('an empty text or number: invalid, except for texts that XML may be unable to represent', async () => {
    for (const { path, at } of nodes()) {
      if (nodeAt(fullest(feeds.get(version)!), at).children.length > 0) continue;
      const valid = await changed((record) => {
        nodeAt(record, at).text = '';
      });
      expect([path, valid]).toEqual([path, MAY_BE_EMPTY.includes(path)]);
    }
  });

  const NOT_A_NUMBER = ['1e5', '1.0', '1.50', '01', '1,000', '+1', '-0', '.5', '1.', 'NaN', 'INF', 'x'];
  const NOT_A_COUNT = [...NOT_A_NUMBER, '1.5', '-1'];
  test.each<[string, string[], string[]]>([
    [
      'last_updated',
      ['2026-02-28 23:59:59'],
      ['2026-02-28T23:59:59', '2026-13-01 00:00:00', '2026-02-28 24:00:00', ''],
    ],
    ['listing_date', ['1970-01-01 00:00:00'], ['2026-02-28', '2026-02-28 23:59:59Z']],
    ['currency', ['GBP'], ['eur', 'EURO', '€']],
    ['price', ['0', '-1', '0.30000000000000004', `1${'0'.repeat(300)}`, `-0.${'0'.repeat(323)}5`], NOT_A_NUMBER],
    ['price_freq', ['sale', 'month', 'week'], ['Sale', 'year', 'rent']],
    ['longterm', ['0.5'], NOT_A_NUMBER],
    ['beds', ['0', '10000'], NOT_A_COUNT],
    ['baths', ['0'], NOT_A_COUNT],
    ['Bath', ['4', ...(version === 1 ? [] : ['4.5'])], [...NOT_A_NUMBER, '-1', ...(version === 1 ? ['4.5'] : [])]],
    ['surface_area/built', ['0'], NOT_A_COUNT],
    ['has_pool', ['0', '1'], ['true', '2', ' 1']],
    ['energy_rating/emissions', [...'ABCDEFGX'], ['H', 'a', 'AB']],
    ['type/uk', [' ', '\n'], ['']],
    ...(version === 3
      ? ([
          ['status', ['Available', 'Under Offer', 'Sale Agreed'], ['Sold', 'available', 'Under offer']],
          ['price_minimum', ['0', '-5.5'], NOT_A_NUMBER],
          ['location/latitude', ['-90', '90'], ['90.1', '-91', ...NOT_A_NUMBER]],
          ['location/longitude', ['-180', '180'], ['180.5', ...NOT_A_NUMBER]],
          ['built_year', ['1', '9999'], ['0', '10000', '1999.5', ...NOT_A_NUMBER]],
          ['ibi_fees', ['-0.1'], NOT_A_NUMBER],
        ] as [string, string[], string[]][])
      : []),
  ])('%s: %j are valid, %j are not', async (path, right, wrong) => {
    for (const [values, valid] of [
      [right, true],
      [wrong, false],
    ] as const) {
      for (const value of values) {
        const taken = await changed((record) => {
          record.find(path)!.text = value;
        });
        expect([value, taken]).toEqual([value, valid]);
      }
    }
  });

  test('repeated record ids, and repeated or missing picture ids: invalid', async () => {
    const feed = copy(feeds.get(version)!);
    for (const record of feed.all('property')) record.find('id')!.text = 'same';
    expect(await isValid(feed)).toBe(false);
    for (const attributes of [{ id: '2' }, { id: '0' }, { id: 'x' }, {}]) {
      const valid = await changed((record) => {
        const { children } = record.find('images')!;
        children[0] = Object.assign(new XmlElement('image', attributes), { children: children[0]!.children });
      });
      expect([attributes, valid]).toEqual([attributes, false]);
    }
  });

  test('a missing or empty feed_version: invalid; no records: valid', async () => {
    const emptied = copy(feeds.get(version)!);
    emptied.children.splice(1);
    expect(await isValid(emptied)).toBe(true);
    emptied.find('resalesonline/feed_version')!.text = '';
    expect(await isValid(emptied)).toBe(false);
    emptied.find('resalesonline')!.children.splice(0);
    expect(await isValid(emptied)).toBe(false);
    emptied.children.splice(0);
    expect(await isValid(emptied)).toBe(false);
  });
});

describe('the schema of errors', () => {
  test.each([
    ['<root><error><code>bad_parameter</code><message>x</message></error></root>', true],
    ['<root><error><code>unheard_of</code><message>x</message></error></root>', false],
    ['<root><error><code>bad_parameter</code><message></message></error></root>', false],
    ['<root><error><message>x</message><code>bad_parameter</code></error></root>', false],
    ['<root><error><code>bad_parameter</code></error></root>', false],
    ['<root/>', false],
    ['<root><error><code>bad_parameter</code><message>x</message></error>', false],
  ])('%s: valid is %s', async (xml, valid) => {
    expect((await validate(xml, 'error.xsd')).length === 0).toBe(valid);
  });
});

/** The record that has every node. */
function fullest(feed: XmlElement): XmlElement {
  return feed.all('property').find((record) => record.textOf('id') === 'full')!;
}

/** Whether a node is the only one of its kind where at least one is required. */
function isOnlyOne(feed: XmlElement, path: string, at: readonly number[]): boolean {
  const siblings = parentOf(fullest(feed), at).all(path.split('/').at(-1)!);
  return SEVERAL.includes(path) && siblings.length === 1;
}

function nodeAt(record: XmlElement, at: readonly number[]): XmlElement {
  return at.reduce((node, index) => node.children[index]!, record);
}

function parentOf(record: XmlElement, at: readonly number[]): XmlElement {
  return nodeAt(record, at.slice(0, -1));
}

function withAttribute(node: XmlElement): XmlElement {
  const attributed = new XmlElement(node.name, { ...node.attributes, extra: '1' });
  attributed.text = node.text;
  attributed.children.push(...node.children);
  return attributed;
}

function copy(element: XmlElement): XmlElement {
  return parseXml(written(element));
}

function written({ name, attributes, text, children }: XmlElement): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const content = children.length > 0 ? children.map(written).join('') : escapeXml(text);
  return `<${name}${given.join('')}>${content}</${name}>`;
}
