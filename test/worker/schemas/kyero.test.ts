import { describe, expect, test } from 'vitest';
import { validate } from '../../support/schema.ts';

/** A record with every node, in order; nodes that Kyero's schema does not have are the last. */
const NODES: readonly (readonly [name: string, content: string])[] = [
  ['id', '1'],
  ['date', '2026-03-04 05:06:07'],
  ['ref', 'R-1'],
  ['price', '250000'],
  ['currency', 'EUR'],
  ['price_freq', 'sale'],
  ['part_ownership', '0'],
  ['leasehold', '0'],
  ['new_build', '1'],
  ['type', 'Town House'],
  ['town', 'Nerja'],
  ['province', 'Málaga'],
  ['country', 'Spain'],
  ['location', '<latitude>36.5</latitude><longitude>-4.25</longitude>'],
  ['location_detail', 'Centro'],
  ['beds', '3'],
  ['baths', '2'],
  ['pool', '1'],
  ['surface_area', '<built>100</built><plot>200</plot>'],
  ['energy_rating', '<consumption>C</consumption><emissions>X</emissions>'],
  ['url', '<en>https://a.example/1</en><ca>http://a.example/2</ca>'],
  ['desc', '<en>A house.</en><it>Una casa.</it>'],
  ['features', '<feature>Lift</feature><feature>Sea Views</feature>'],
  [
    'images',
    '<image id="1"><url>https://p.example/1?v=2#.jpg</url></image><image id="2"><url>https://p.example/2.png</url></image>',
  ],
  ['notes', 'Keys: ask Ana'],
];

const EXTENSIONS: readonly (readonly [name: string, content: string])[] = [
  ['status', 'Under Offer'],
  ['postcode', '29780'],
  ['terrace', '20'],
  ['living_area', '90'],
  ['built_year', '2004'],
  ['community_fees', '90.5'],
  ['garbage_tax', '120'],
  ['ibi_fees', '800'],
  ['catastral', '1234567AB'],
  ['virtual_tour_url', 'https://t.example/1'],
  ['video_url', 'https://v.example/1'],
];

const OPTIONAL = [
  ...['location', 'location_detail', 'surface_area', 'url', 'features', 'notes'],
  ...EXTENSIONS.slice(1).map(([name]) => name),
];

const xmlOf = (records: readonly string[]) =>
  `<root><kyero><feed_version>3</feed_version></kyero>${records.join('')}</root>`;

const recordOf = (nodes: readonly (readonly [string, string])[]) =>
  `<property>${nodes.map(([name, content]) => `<${name}>${content}</${name}>`).join('')}</property>`;

async function isValid(xml: string, schema: string): Promise<boolean> {
  return (await validate(xml, schema)).length === 0;
}

describe.each([
  ['kyero.xsd', NODES],
  ['kyero-extended.xsd', [...NODES, ...EXTENSIONS]],
] as const)('%s', (schema, nodes) => {
  const valid = (changed: readonly (readonly [string, string])[]) => isValid(xmlOf([recordOf(changed)]), schema);

  test('a record with every node, and a feed without records: valid', async () => {
    expect(await valid(nodes)).toBe(true);
    expect(await isValid(xmlOf([]), schema)).toBe(true);
  });

  test('a record of the other schema, an unknown node, another version: invalid', async () => {
    expect(await valid(schema === 'kyero.xsd' ? [...NODES, ...EXTENSIONS] : NODES)).toBe(false);
    expect(await valid([...nodes, ['extra', '1']])).toBe(false);
    expect(await isValid(xmlOf([recordOf(nodes)]).replace('>3<', '>4<'), schema)).toBe(false);
  });

  test('a record without a node: invalid unless it is optional; with a node twice, empty, or in another place: invalid', async () => {
    for (const [index, [name, content]] of nodes.entries()) {
      expect([name, await valid(nodes.toSpliced(index, 1))]).toEqual([name, OPTIONAL.includes(name)]);
      expect([name, await valid(nodes.toSpliced(index, 0, [name, content]))]).toEqual([name, false]);
      expect([name, await valid(nodes.with(index, [name, '']))]).toEqual([
        name,
        ['desc', 'images', 'url', 'surface_area'].includes(name),
      ]);
      if (index > 0) {
        const swapped = nodes.with(index, nodes[index - 1]!).with(index - 1, [name, content]);
        expect([name, await valid(swapped)]).toEqual([name, false]);
      }
    }
  });

  test.each<[string, string[], string[]]>([
    ['id', ['x'.repeat(50)], ['x'.repeat(51)]],
    ['date', ['2099-12-31 23:59:59'], ['2100-01-01 00:00:00', '2026-03-04T05:06:07', '1899-01-01 00:00:00']],
    ['ref', ['x'.repeat(255)], ['x'.repeat(256)]],
    ['price', ['0', '1', '9'.repeat(40)], ['x', '-1', '1.5', 'X', '01']],
    ['currency', ['GBP', 'USD'], ['CHF', 'eur']],
    ['price_freq', ['month', 'week'], ['rent', 'Sale']],
    ['new_build', ['0', '1'], ['true', '2']],
    ['type', ['B&amp;B', 'Land (rustic) / Plot'], ['Café', 'AB', ' Villa', 'Villa 2']],
    ['country', ['x'.repeat(50)], ['x'.repeat(51)]],
    [
      'location',
      ['<latitude>-90</latitude><longitude>180</longitude>'],
      [
        '<latitude>91</latitude><longitude>0</longitude>',
        '<latitude>1</latitude>',
        '<latitude>1e1</latitude><longitude>0</longitude>',
      ],
    ],
    ['beds', ['0'], ['-1', '1.5', '01']],
    ['energy_rating', [], ['<consumption>H</consumption><emissions>X</emissions>', '<emissions>X</emissions>']],
    [
      'url',
      [`<en>https://${'x'.repeat(247)}</en>`],
      [`<en>https://${'x'.repeat(248)}</en>`, '<en>ftp://x</en>', '<pl>https://x</pl>', 'https://x'],
    ],
    ['desc', ['<ca>x</ca>'], ['<pl>x</pl>', '<es>x</es><en>x</en>', '<en></en>', 'x']],
    [
      'features',
      ['<feature>x</feature>'],
      [
        '<feature>x</feature><feature>x</feature>',
        '<feature/>',
        ...[51].map((count) => Array.from({ length: count }, (_, i) => `<feature>${i}</feature>`).join('')),
      ],
    ],
    [
      'images',
      ['<image id="1"><url>ftp://x/1.GIF</url></image>'],
      [
        '<image id="1"><url>https://x/1</url></image>',
        '<image><url>https://x/1.jpg</url></image>',
        '<image id="1"></image>',
        '<image id="1"><url>https://x/1.jpg</url></image><image id="1"><url>https://x/2.jpg</url></image>',
      ],
    ],
  ])('%s: %j are valid, %j are not', async (name, right, wrong) => {
    const place = nodes.findIndex(([other]) => other === name);
    for (const value of right) expect([value, await valid(nodes.with(place, [name, value]))]).toEqual([value, true]);
    for (const value of wrong) expect([value, await valid(nodes.with(place, [name, value]))]).toEqual([value, false]);
  });

  test('more than 50 pictures: valid with extensions only', async () => {
    const images = Array.from({ length: 51 }, (_, i) => `<image id="${i + 1}"><url>https://x/${i}.jpg</url></image>`);
    const place = nodes.findIndex(([name]) => name === 'images');
    expect(await valid(nodes.with(place, ['images', images.join('')]))).toBe(schema === 'kyero-extended.xsd');
  });

  test('two records with the same id: invalid', async () => {
    expect(await isValid(xmlOf([recordOf(nodes), recordOf(nodes)]), schema)).toBe(false);
    expect(await isValid(xmlOf([recordOf(nodes), recordOf(nodes.with(0, ['id', '2']))]), schema)).toBe(true);
  });
});
