import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { escapeXml } from '../../../src/lib/bytes/xml.ts';
import { parseXml, XmlElement } from '../../support/documents/xml.ts';
import { findErrors } from '../../support/documents/xsd.ts';

/** By schema: the nodes that are mandatory, with a record or with the node that they are in; those that may be empty or repeated. */
const RESALES = {
  mandatory:
    words(`id ref last_updated currency price price_freq type town province beds baths Bath has_pool has_garden
    has_garage characteristics/category characteristics/category/name images/image/url`),
  empty: words('ref town province'),
  repeated: words('characteristics/category characteristics/category/value'),
};
const KYERO = {
  mandatory:
    words(`id date ref price currency price_freq part_ownership leasehold new_build type town province country
    beds baths pool energy_rating energy_rating/consumption energy_rating/emissions desc images images/image/url
    location/latitude location/longitude`),
  empty: [],
  repeated: [],
};
const SCHEMAS = {
  'feed-v1': RESALES,
  'feed-v2': RESALES,
  'feed-v3': {
    ...RESALES,
    mandatory: [
      ...RESALES.mandatory,
      ...words(
        'status availability price_minimum energy_rating energy_rating/emissions energy_rating/consumption',
      ),
      ...words('location/latitude location/longitude'),
    ],
  },
  kyero: KYERO,
  'kyero-extended': { ...KYERO, mandatory: [...KYERO.mandatory, 'status'] },
};
type Schema = keyof typeof SCHEMAS;
const NAMES = Object.keys(SCHEMAS) as Schema[];

/** A change of a list of siblings at the position of one of them. */
type Change = (siblings: XmlElement[], index: number) => unknown;

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The document of `worker/feed/golden.test.ts`. */
function golden(name: Schema): XmlElement {
  const path = join(import.meta.dirname, `../../worker/feed/golden/${name}.xml`);
  return parseXml(readFileSync(path, 'utf8').replaceAll('>\n<', '><'));
}

function isValid(document: XmlElement, schema: string): boolean {
  return findErrors(written(document), `${schema}.xsd`).length === 0;
}

function written({ name, attributes, text, children }: XmlElement): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const content = children.length > 0 ? children.map(written).join('') : escapeXml(text);
  return `<${name}${given.join('')}>${content}</${name}>`;
}

function copy(element: XmlElement, attributes = element.attributes): XmlElement {
  return Object.assign(parseXml(written(element)), { attributes });
}

/** Whether the golden document is valid after a change of the first node at a path below `property`. */
function isValidWith(schema: Schema, path: string, change: Change): boolean {
  const document = golden(schema);
  const record = document.all('property').find((one) => one.has(path))!;
  const [name, ...above] = path.split('/').reverse();
  const parent = above.reverse().reduce((node, step) => node.find(step)!, record);
  change(
    parent.children,
    parent.children.findIndex((child) => child.name === name),
  );
  return isValid(document, schema);
}

/** Every path below `property`. */
function pathsOf(schema: Schema): string[] {
  const visit = (element: XmlElement): string[] =>
    element.children.flatMap((child) => [
      child.name,
      ...visit(child).map((path) => `${child.name}/${path}`),
    ]);
  return [...new Set(golden(schema).all('property').flatMap(visit))];
}

describe.each(NAMES)('%s.xsd', (schema) => {
  const { mandatory, empty, repeated } = SCHEMAS[schema];
  const paths = pathsOf(schema);
  const validWith = (change: Change) => paths.filter((path) => isValidWith(schema, path, change));

  test('accepts its golden document, none of another format or version, and a feed without records', () => {
    expect(NAMES.filter((other) => isValid(golden(other), schema))).toEqual([schema]);
    const emptied = golden(schema);
    emptied.children.splice(1);
    expect(isValid(emptied, schema)).toBe(true);
    emptied.children[0]!.children[0]!.text = '';
    expect(isValid(emptied, schema)).toBe(false);
  });

  test('requires the mandatory nodes, and no others', () => {
    const optional = validWith((siblings, index) => siblings.splice(index, 1));
    expect(paths.filter((path) => !optional.includes(path)).sort()).toEqual(mandatory.toSorted());
  });

  test('accepts no node twice, empty, misplaced or unknown, and no unknown attribute, except as the format says', () => {
    expect(
      validWith((siblings, index) => siblings.splice(index, 0, copy(siblings[index]!))),
    ).toEqual(repeated);
    const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
    const emptied: Change = (siblings, index) => Object.assign(siblings[index]!, { text: '' });
    expect(leaves.filter((path) => isValidWith(schema, path, emptied)).sort()).toEqual(
      empty.toSorted(),
    );
    const moved: Change = (siblings, index) => {
      const [node] = siblings.splice(index, 1);
      siblings.splice(index === 0 ? siblings.length : 0, 0, node!);
    };
    expect(paths.filter((path) => !path.includes('/') && isValidWith(schema, path, moved))).toEqual(
      [],
    );
    expect(
      validWith((siblings, index) => siblings.splice(index, 0, new XmlElement('extra', {}))),
    ).toEqual([]);
    const attribute = { extra: '1' };
    const attributed: Change = (siblings, index) =>
      siblings.splice(index, 1, copy(siblings[index]!, attribute));
    expect(validWith(attributed)).toEqual([]);
  });

  test('accepts no id twice, neither of records nor of pictures', () => {
    for (const path of ['property/id', 'property/images/image']) {
      const document = golden(schema);
      const [one, ...others] = document.all(path);
      expect(others.length).toBeGreaterThan(0);
      for (const other of others)
        Object.assign(other, { text: one!.text, attributes: one!.attributes });
      expect(isValid(document, schema)).toBe(false);
    }
  });
});

const NOT_A_NUMBER = [
  '1e5',
  '1.0',
  '1.50',
  '01',
  '1,000',
  '+1',
  '-0',
  '.5',
  '1.',
  'NaN',
  'INF',
  'x',
];
const NOT_A_COUNT = [...NOT_A_NUMBER, '1.5', '-1'];
const RESALES_NAMES = ['feed-v1', 'feed-v2', 'feed-v3'] as const;

test.each<[schemas: readonly Schema[], path: string, right: string[], wrong: string[]]>([
  [
    RESALES_NAMES,
    'last_updated',
    ['2026-02-28 23:59:59'],
    ['2026-02-28T23:59:59', '2026-13-01 00:00:00', ''],
  ],
  [RESALES_NAMES, 'listing_date', ['1970-01-01 00:00:00'], ['2026-02-28', '2026-02-28 23:59:59Z']],
  [RESALES_NAMES, 'currency', ['GBP'], ['eur', 'EURO', '€']],
  [RESALES_NAMES, 'price', ['0', '-1', '0.30000000000000004', `1${'0'.repeat(300)}`], NOT_A_NUMBER],
  [RESALES_NAMES, 'price_freq', ['sale', 'month', 'week'], ['Sale', 'year', 'rent']],
  [RESALES_NAMES, 'longterm', ['0.5'], NOT_A_NUMBER],
  [RESALES_NAMES, 'beds', ['0', '10000'], NOT_A_COUNT],
  [['feed-v1'], 'Bath', ['4'], [...NOT_A_COUNT, '4.5']],
  [['feed-v2', 'feed-v3'], 'Bath', ['4', '4.5'], [...NOT_A_NUMBER, '-1']],
  [RESALES_NAMES, 'has_pool', ['0', '1'], ['true', '2', ' 1']],
  [['feed-v3'], 'energy_rating/emissions', [...'ABCDEFGX'], ['H', 'a', 'AB']],
  [
    ['feed-v3'],
    'status',
    ['Available', 'Under Offer', 'Sale Agreed'],
    ['Sold', 'available', 'Under offer'],
  ],
  [['feed-v3'], 'location/latitude', ['-90', '90'], ['90.1', '-91', ...NOT_A_NUMBER]],
  [['feed-v3'], 'location/longitude', ['-180', '180'], ['180.5', ...NOT_A_NUMBER]],
  [['feed-v3'], 'built_year', ['1', '9999'], ['0', '10000', '1999.5', ...NOT_A_NUMBER]],
  [['feed-v3'], 'ibi_fees', ['-0.1'], NOT_A_NUMBER],
  [['kyero'], 'id', ['x'.repeat(50)], ['x'.repeat(51)]],
  [['kyero'], 'date', ['2099-12-31 23:59:59'], ['2100-01-01 00:00:00', '2026-03-04T05:06:07']],
  [['kyero'], 'ref', ['x'.repeat(255)], ['x'.repeat(256)]],
  [['kyero'], 'price', ['0', '1', '9'.repeat(40)], ['x', '-1', '1.5', 'X', '01']],
  [['kyero'], 'currency', ['GBP', 'USD'], ['CHF', 'eur']],
  [['kyero'], 'price_freq', ['month', 'week'], ['rent', 'Sale']],
  [['kyero'], 'new_build', ['0', '1'], ['true', '2']],
  [['kyero'], 'type', ['B&B', 'Land (rustic) / Plot'], ['Café', 'AB', ' Villa', 'Villa 2']],
  [['kyero'], 'country', ['x'.repeat(50)], ['x'.repeat(51)]],
  [['kyero'], 'location/latitude', ['-90', '90'], ['91', '1e1']],
  [['kyero'], 'beds', ['0'], ['-1', '1.5', '01']],
  [['kyero'], 'energy_rating/consumption', ['A', 'X'], ['H']],
  [
    ['kyero'],
    'url/es',
    [`https://${'x'.repeat(247)}`],
    [`https://${'x'.repeat(248)}`, 'ftp://x', 'x'],
  ],
  [['kyero'], 'images/image/url', ['ftp://x/1.GIF', 'https://x/1?v=2#.jpg'], ['https://x/1']],
])('%j %s: %j are valid, %j are not', (schemas, path, right, wrong) => {
  for (const schema of schemas) {
    const accepts = (text: string) =>
      isValidWith(schema, path, (siblings, index) => Object.assign(siblings[index]!, { text }));
    expect(right.filter((text) => !accepts(text))).toEqual([]);
    expect(wrong.filter(accepts)).toEqual([]);
  }
});

test.each([
  ['<root><error><code>bad_parameter</code><message>x</message></error></root>', true],
  ['<root><error><code>unheard_of</code><message>x</message></error></root>', false],
  ['<root><error><code>bad_parameter</code><message></message></error></root>', false],
  ['<root><error><code>bad_parameter</code></error></root>', false],
  ['<root/>', false],
  ['<root><error><code>bad_parameter</code><message>x</message></error>', false],
])('error.xsd: %s: valid is %s', (xml, expected) => {
  expect(findErrors(xml, 'error.xsd').length === 0).toBe(expected);
});
