import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import {
  CATEGORY_ENTRIES,
  FEATURE_ENTRIES,
  TYPE_ENTRIES,
} from '../../../src/vocabulary/entries.ts';
import { featuresNamed, typeNamed } from '../../../src/vocabulary/lookup.ts';
import { nameKey } from '../../../src/vocabulary/name-key.ts';
import NAMES from '../../../src/vocabulary/names.json' with { type: 'json' };

/** The features that ReSales-Online was seen to list: a line for each category, in the order of its records. */
const RESALES_FEATURES = readFileSync(join(import.meta.dirname, 'resales-features.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [category: string, ...names: string[]]);

const documents = [...TYPE_ENTRIES, ...CATEGORY_ENTRIES, ...FEATURE_ENTRIES].map(
  ({ document }) => document,
);

test('every entry is a valid document with a label in each of the ten languages', () => {
  for (const document of documents) {
    expect(parseDocument(document)).toEqual(document);
    expect(Object.keys(document.labels)).toEqual(LANGUAGES.map(({ element }) => element));
  }
});

test('codes are unique', () => {
  for (const kind of ['type', 'category', 'feature']) {
    const codes = documents.filter((document) => document.kind === kind).map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  }
});

test('labels in English and Spanish are unique within a category', () => {
  for (const { code } of CATEGORY_ENTRIES) {
    for (const language of ['uk', 'es'] as const) {
      const keys = FEATURE_ENTRIES.filter(({ category }) => category === code).map((e) =>
        nameKey(e.document.labels[language]!),
      );
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  }
});

test('labels: Russian in Cyrillic except for names, English in title case', () => {
  const latin = documents.flatMap(
    ({ labels }) => JSON.stringify(labels.ru).match(/"[A-Za-z-]{4,}"(?!:)/g) ?? [],
  );
  expect([...new Set(latin)]).toEqual(['"Wi-Fi"']);
  const english = TYPE_ENTRIES.flatMap(({ document }) =>
    Object.values(document.labels.uk!),
  ).flatMap((label) => label?.split(/[ -]+/) ?? []);
  expect(new Set(english.filter((word) => !/^\p{Lu}/u.test(word)))).toEqual(
    new Set(['with', 'and']),
  );
});

test.each([
  ['types', NAMES.types, TYPE_ENTRIES],
  ['features', NAMES.features, FEATURE_ENTRIES],
])(
  'every row of names of %s belongs to an entry, and no name to two',
  (_, names: Readonly<Record<string, string[]>>, entries) => {
    const codes = entries.map(({ code }) => code);
    expect(Object.keys(names).filter((code) => !codes.includes(code))).toEqual([]);
    const seen = new Map<string, string>();
    for (const [code, own] of Object.entries(names)) {
      for (const name of own) {
        expect([name, seen.get(nameKey(name)) ?? code]).toEqual([name, code]);
        seen.set(nameKey(name), code);
      }
    }
  },
);

test('a name of a feature is not the label of another', () => {
  for (const entry of FEATURE_ENTRIES) {
    for (const name of entry.names) {
      const labelled = FEATURE_ENTRIES.filter(({ document: { labels } }) =>
        [labels.uk, labels.es].some((label) => nameKey(label!) === nameKey(name)),
      );
      expect([name, labelled.filter((other) => other !== entry).map(({ code }) => code)]).toEqual([
        name,
        [],
      ]);
    }
  }
});

test('categories are in the order of the records of ReSales-Online', () => {
  expect(CATEGORY_ENTRIES.map(({ code }) => code)).toEqual(
    RESALES_FEATURES.map(([category]) => category),
  );
});

test.each(RESALES_FEATURES.map(([category, ...own]) => [category, own] as const))(
  'every feature that ReSales-Online lists as %s is known',
  (category, own) => {
    for (const name of own) {
      const found = featuresNamed(name);
      expect([name, found.map((entry) => entry.category)]).toEqual([
        name,
        expect.arrayContaining([category]),
      ]);
      expect([
        name,
        found.find((entry) => entry.category === category)?.document.labels.uk,
      ]).toEqual([name, name]);
    }
  },
);

test.each(
  `Ground Floor Apartment; Middle Floor Apartment; Top Floor Apartment; Penthouse; Penthouse Duplex; Duplex;
  Ground Floor Studio; Middle Floor Studio; Top Floor Studio; Detached Villa; Semi-Detached House; Townhouse;
  Finca - Cortijo; Bungalow; Quad; Castle; City Palace; Wooden Cabin; Wooden House; Mobile Home; Cave Home;
  Residential Plot; Commercial Plot; Land; Land with Ruin; Bar; Restaurant; Café; Hotel; Hostel; Guest House;
  Bed and Breakfast; Shop; Office; Storage Room; Parking Space; Farm; Night Club; Warehouse; Garage; Business; Mooring;
  Stables; Kiosk; Chiringuito; Beach Bar; Mechanics; Hairdressers; Photography Studio; Laundry; Aparthotel;
  Apartment Complex; Residential Home; Vineyard; Olive Grove; Car Park; Commercial Premises; Campsite; With Residence;
  Others; Apartment; House; Plot; Commercial`.split(/;\s+/),
)('the type %s of ReSales-Online is known', (name) => {
  expect(typeNamed(name)).toBeDefined();
});

/** The joined pairs that readers look up. */
test.each([
  ['Villa - Detached', 'House - Detached Villa'],
  ['Apartment - Ground Floor', 'Apartment - Ground Floor Apartment'],
  ['Apartment - Middle Floor', 'Apartment - Middle Floor Apartment'],
  ['Apartment - Top Floor', 'Apartment - Top Floor Apartment'],
  ['Apartment - Penthouse', 'Apartment - Penthouse'],
  ['Apartment - Penthouse', 'Apartment - Penthouse Duplex'],
  ['Townhouse - Terraced', 'House - Townhouse'],
  ['Plot - Land', 'Plot - Land'],
  ['Plot - Residential', 'Plot - Residential Plot'],
])('%s of the older types and %s of the current ones are one type', (older, current) => {
  const pairs = TYPE_ENTRIES.map(({ document }) => {
    const { older_type, older_subtype, type, subtype } = document.labels.uk!;
    return [`${older_type} - ${older_subtype}`, `${type} - ${subtype}`];
  });
  expect(pairs).toContainEqual([older, current]);
});
