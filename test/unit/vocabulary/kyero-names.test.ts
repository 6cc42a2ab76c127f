import { describe, expect, test } from 'vitest';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../../src/vocabulary/entries.ts';
import { featureName, isDetailOf, kyeroType } from '../../../src/vocabulary/kyero.ts';
import { featuresNamed, typeNamed } from '../../../src/vocabulary/lookup.ts';

/** The types that Kyero lists, as readers of its feeds compare them. */
const LISTED =
  /^(apartment|duplex|penthouse|studio|triplex|bungalow|villa|terraced house|town house|village house|farm|cortijo|country house|finca|land|ruin|cave house|garage|commercial property|wooden home)$/i;

describe('a built-in entry in a Kyero feed: importing its names gives the entry', () => {
  test.each(TYPE_ENTRIES.map((entry) => [entry.code, entry] as const))('%s', (code, entry) => {
    const { subtype, type } = entry.document.labels.uk!;
    const { name, detail } = kyeroType(code, subtype ?? type);
    expect(name).toMatch(LISTED);
    expect(typeNamed(detail || name)).toBe(entry);
    expect(isDetailOf(name, detail)).toBe(detail !== '');
  });

  test.each(FEATURE_ENTRIES.map((entry) => [entry.code, entry] as const))('%s', (_, entry) => {
    expect(featuresNamed(featureName(entry.category, entry.document.labels.uk!))).toEqual([entry]);
    expect(
      TYPE_ENTRIES.some(({ code }) =>
        isDetailOf(kyeroType(code, code).name, entry.document.labels.uk!),
      ),
      'a type',
    ).toBe(false);
  });
});

test.each([
  ['Luxury Apartment', 'Apartment', 'Luxury Apartment'],
  ['Townhouse with garage', 'Town House', 'Townhouse with garage'],
  ['Café-Bar', 'Cafe-Bar', ''],
  ['Næringsbygg nr. 3', 'Naeringsbygg nr', 'Næringsbygg nr. 3'],
  ['Вилла', 'Property', 'Вилла'],
  ['B&B', 'B&B', ''],
])('the type %s of an account: %s, and more only if it says more', (label, name, detail) => {
  expect(kyeroType(label, label)).toEqual({ name, detail, isBuiltIn: false });
});
