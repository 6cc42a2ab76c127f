import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { KyeroVocabulary } from '../../../src/import/names/names.ts';
import { readKyeroNames } from '../../../src/import/names/names-table.ts';
import type { PropertyDocument } from '../../../src/portfolio/documents.ts';

const newVocabulary = async () => new KyeroVocabulary(await readKyeroNames());

test.each([
  ['Apartment', 'Penthouse', 'penthouse'],
  ['Villa', 'Detached', 'villa'],
  ['House', 'Finca', 'finca'],
  ['Apartment', undefined, 'apartment'],
  ['Villa', '', 'villa'],
])('type %s, subtype %s: code %s', async (type, subtype, code) => {
  expect((await newVocabulary()).type(type, subtype)).toBe(code);
});

test('an unknown subtype of a known type: a new type with the labels of the known one', async () => {
  const vocabulary = await newVocabulary();
  const code = vocabulary.type('Villa', 'Glass');
  expect(code).toBe('Villa - Glass');
  vocabulary.use({ type: code, features: [] as string[] } as PropertyDocument);
  const [document] = vocabulary.documents().fallback;
  expect(document).toMatchObject({
    kind: 'type',
    labels: { uk: { older_type: 'Villa', type: 'House', subtype: 'Glass' }, de: { type: 'Haus', subtype: 'Glass' } },
  });
});

test('an unknown name in several spellings: one entry, in its first spelling', async () => {
  const vocabulary = await newVocabulary();
  expect(vocabulary.features([{ name: 'Zip Line' }, { name: 'zip-lines' }, { name: 'Zíp line.' }])).toEqual([
    'Zip Line',
  ]);
  expect(vocabulary.type('Light house')).toBe(vocabulary.type('Lighthouses'));
});

test('a feature that is known in Spanish only: that feature', async () => {
  const labels = { uk: 'Airco units throughout', es: 'Aire acondicionado' };
  const list = [{ name: labels.uk, labels }];
  expect((await newVocabulary()).features(list)).toEqual(['Climate Control: Air Conditioning']);
});

test('unknown names: a table that --names accepts, most frequent first', async () => {
  const vocabulary = await newVocabulary();
  const use = (type: string, ...names: string[]) => {
    const codes = vocabulary.features(names.map((name) => ({ name })));
    vocabulary.use({ type: vocabulary.type(type), features: codes } as PropertyDocument);
  };
  use('Lighthouse', 'Zip line', 'Pool', 'Helipad');
  use('Villa', 'helipads');
  vocabulary.features([{ name: 'Of a record that is not imported' }]);
  expect(vocabulary.unknownNames()).toEqual({
    types: [
      {
        names: ['Lighthouse'],
        code: 'Lighthouse',
        labels: { uk: expect.objectContaining({ older_type: 'Lighthouse', type: 'Lighthouse', subtype: null }) },
        count: 1,
      },
    ],
    features: [
      { names: ['Helipad'], code: 'Helipad', category: 'Features', labels: { uk: 'Helipad' }, count: 2 },
      { names: ['Zip line'], code: 'Zip line', category: 'Features', labels: { uk: 'Zip line' }, count: 1 },
    ],
  });
  const file = `${mkdtempSync(join(tmpdir(), 'names-'))}/names.json`;
  writeFileSync(file, JSON.stringify(vocabulary.unknownNames()));
  const names = await readKyeroNames(file);
  expect(names.types.get('lighthous')).toMatchObject({ own: true, document: { code: 'Lighthouse' } });
  rmSync(dirname(file), { recursive: true });
});

test.each([
  [['Pool: Communal'], { pool: true, garden: false, garage: false }],
  [['Pool: Room For Pool', 'Views: Pool', 'Views: Garden'], { pool: false, garden: false, garage: false }],
  [['Garden: Private', 'Parking: Garage'], { pool: false, garden: true, garage: true }],
  [['Garden: Automatic Irrigation', 'Parking: Underground'], { pool: false, garden: false, garage: false }],
])('amenities of %j: %j', async (codes, amenities) => {
  expect((await newVocabulary()).amenities(codes)).toEqual(amenities);
});
