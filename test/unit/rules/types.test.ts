import { expect, test } from 'vitest';
import { TYPES_OF, typeKind } from '../../../src/rules/types.ts';
import { TYPE_ENTRIES } from '../../../src/vocabulary/entries.ts';

test('each built-in type is of one kind', () => {
  const codes = Object.values(TYPES_OF).flat();
  expect(codes.toSorted()).toEqual(TYPE_ENTRIES.map(({ code }) => code).toSorted());
});

test.each([
  ['penthouse', 'apartment'],
  ['villa', 'house'],
  ['plot-rustic', 'plot'],
  ['storage', 'parking'],
  ['mechanics', 'business'],
  [null, 'unknown'],
])('%s: %s', (builtInType, kind) => {
  expect(typeKind({ builtInType })).toBe(kind);
});
