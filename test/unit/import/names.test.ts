import { describe, expect, test } from 'vitest';
import { amenitiesOf, Vocabulary } from '../../../src/imports/pipeline/names.ts';
import type { PropertyDocument } from '../../../src/properties/documents.ts';
import { readSource } from '../../support/documents/import-source.ts';

const newVocabulary = () => new Vocabulary();

test.each([
  ['Apartment', 'Penthouse', 'penthouse'],
  ['Villa', 'Detached', 'villa'],
  ['House', 'Finca', 'finca'],
  ['Apartment', undefined, 'apartment'],
  ['Villa', '', 'villa'],
])('type %s, subtype %s: code %s', (type, subtype, code) => {
  expect(newVocabulary().type(type, subtype)).toBe(code);
});

test('an unknown subtype of a known type: a new type with the labels of the known one', () => {
  const vocabulary = newVocabulary();
  const code = vocabulary.type('Villa', 'Glass');
  expect(code).toBe('Villa - Glass');
  vocabulary.use({ type: code, features: [] as string[] } as PropertyDocument);
  const [entry] = vocabulary.entries();
  expect(entry!.document).toMatchObject({
    kind: 'type',
    labels: {
      uk: { older_type: 'Villa', type: 'House', subtype: 'Glass' },
      de: { type: 'Haus', subtype: 'Glass' },
    },
  });
});

test('an unknown name in several spellings: one entry, in its first spelling', () => {
  const vocabulary = newVocabulary();
  const names = [{ name: 'Zip Line' }, { name: 'zip-lines' }, { name: 'Zíp line.' }];
  expect(new Set(vocabulary.codesOf(names))).toEqual(new Set(['Zip Line']));
  expect(vocabulary.type('Light house')).toBe(vocabulary.type('Lighthouses'));
});

test('a feature that is known in Spanish only: that feature', () => {
  const labels = { uk: 'Airco units throughout', es: 'Aire acondicionado' };
  const list = [{ name: labels.uk, labels }];
  expect(newVocabulary().codesOf(list)).toEqual(['Climate Control: Air Conditioning']);
});

test('unknown names: those of imported records, most frequent first', () => {
  const vocabulary = newVocabulary();
  const use = (type: string, ...names: string[]) => {
    const codes = vocabulary.codesOf(names.map((name) => ({ name })));
    vocabulary.use({ type: vocabulary.type(type), features: codes } as PropertyDocument);
  };
  use('Lighthouse', 'Zip line', 'Pool', 'Helipad');
  use('Villa', 'helipads');
  vocabulary.codesOf([{ name: 'Of a record that is not imported' }]);
  expect(vocabulary.unknownNames()).toEqual({
    types: [{ name: 'Lighthouse', count: 1 }],
    features: [
      { name: 'Helipad', count: 2 },
      { name: 'Zip line', count: 1 },
    ],
  });
});

test.each([
  [['Pool: Communal'], { has_pool: true, has_garden: false, has_garage: false }],
  [
    ['Pool: Room For Pool', 'Views: Pool', 'Views: Garden'],
    { has_pool: false, has_garden: false, has_garage: false },
  ],
  [['Garden: Private', 'Parking: Garage'], { has_pool: false, has_garden: true, has_garage: true }],
  [
    ['Garden: Automatic Irrigation', 'Parking: Underground'],
    { has_pool: false, has_garden: false, has_garage: false },
  ],
])('amenities of %j: %j', (codes, amenities) => {
  expect(amenitiesOf(codes)).toEqual(amenities);
});

describe('mapped names, for files in other formats than Kyero', () => {
  const names = {
    types: { 'Casa Mata': 'villa', Igloo: 'gone' },
    features: { 'Zona chill': 'Pool: Communal' },
  };
  const RESALES = `<root><resalesonline><feed_version>3</feed_version></resalesonline><property><id>1</id>
    <type><uk>casa mata</uk></type><characteristics><category><name><uk>Extras</uk></name>
    <value><uk>Zona Chill</uk></value><value><uk>Zip line</uk></value></category></characteristics></property></root>`;
  const property = {
    kind: 'property',
    id: '1',
    ref: '1',
    town: '',
    province: '',
    status: 'Available',
  };
  const NDJSON = JSON.stringify({
    ...{ ...property, listed_at: '2026-01-01T00:00:00Z' },
    ...{ type: 'Casa mata', features: ['zona chill', 'Pool: Communal', 'Extras: Zip line'] },
  });

  test.each([
    ['ReSales-Online', RESALES, ['category Extras', 'feature Extras: Zip line']],
    ['NDJSON', NDJSON, []],
  ])(
    '%s: its types and features become those that their names are mapped to',
    async (_, file, others) => {
      const { properties, scan } = await readSource(file, { names });
      expect(properties).toMatchObject([
        { type: 'villa', features: ['Pool: Communal', 'Extras: Zip line'] },
      ]);
      const entries = scan.vocabulary.map(({ document: { kind, code } }) => `${kind} ${code}`);
      expect(entries.sort()).toEqual(
        [...others, 'category Pool', 'feature Pool: Communal', 'type villa'].sort(),
      );
      const { properties: unmapped } = await readSource(file);
      expect(unmapped[0]!.type.toLowerCase()).toBe('casa mata');
    },
  );
});
