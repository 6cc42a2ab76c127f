import { expect, test } from 'vitest';
import { builtInFeature, builtInType } from '../../../src/vocabulary/built-in.ts';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../../src/vocabulary/entries.ts';

const label = (type: string, subtype: string | null = null) => ({
  older_type: type,
  older_subtype: subtype,
  type,
  subtype,
});

test('a built-in entry is itself, whatever it is called', () => {
  for (const { code } of TYPE_ENTRIES)
    expect(builtInType({ code, labels: { uk: label('Garage') } })).toBe(code);
  for (const { code } of FEATURE_ENTRIES) {
    expect(builtInFeature({ code, category: 'Views', labels: { uk: 'Lift' } })).toBe(code);
  }
});

test.each([
  ['T1', { uk: label('Apartment', 'Penthouse Duplex') }, 'penthouse-duplex'],
  ['T1', { es: label('Apartamento', 'Ático') }, 'penthouse'],
  ['T1', { uk: label('House', 'Of wonders') }, 'house'],
  ['T1', { uk: label('Boat', 'Yacht') }, null],
  ['Detached Villa', {}, 'villa'],
])('the type %s of an account, with the labels %j: %s', (code, labels, expected) => {
  expect(builtInType({ code, labels })).toBe(expected);
});

test.each([
  ['F1', 'Features', { uk: 'Lift' }, 'Features: Lift'],
  ['F1', 'Extras', { es: 'Ascensor' }, 'Features: Lift'],
  ['Private', 'Garden', {}, 'Garden: Private'],
  ['Características: Ascensor', 'Características', {}, 'Features: Lift'],
  ['F1', 'Wardrobes', { uk: 'Fitted' }, null],
  ['F1', 'Views', { uk: 'North' }, null],
  ['F1', 'Extras', { uk: 'Trampoline' }, null],
])(
  'the feature %s of an account, in %s, with the labels %j: %s',
  (code, category, labels, expected) => {
    expect(builtInFeature({ code, category, labels })).toBe(expected);
  },
);
