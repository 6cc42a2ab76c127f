import { describe, expect, test } from 'vitest';
import { featureName, typeName } from '../../../src/feed/formats/kyero/names.ts';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../../src/vocabulary/entries.ts';
import { FEATURES_BY_NAME, TYPES_BY_NAME } from '../../../src/vocabulary/lookup.ts';
import { nameKey } from '../../../src/vocabulary/name-key.ts';

describe('the name of a built-in entry in a Kyero feed: importing it gives the entry', () => {
  test.each(TYPE_ENTRIES.map((entry) => [entry.code, entry] as const))('%s', (code, entry) => {
    const name = typeName(code, (entry.subtype ?? entry.type).uk);
    expect(name).toMatch(/^[A-Za-z&\s()/-]{3,}$/);
    expect(TYPES_BY_NAME.get(nameKey(name))).toBe(entry);
  });

  test.each(FEATURE_ENTRIES.map((entry) => [entry.code, entry] as const))('%s', (_, entry) => {
    expect(FEATURES_BY_NAME.get(nameKey(featureName(entry.category, entry.labels.uk)))).toEqual([entry]);
  });
});

test.each([
  ['Café-Bar', 'Cafe-Bar'],
  ['Næringsbygg nr. 3', 'Naeringsbygg nr'],
  ['Вилла', 'Property'],
  ['B&B', 'B&B'],
])('the type %s: %s', (label, name) => {
  expect(typeName('own', label)).toBe(name);
});
