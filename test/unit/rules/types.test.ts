import { expect, test } from 'vitest';
import { TYPE_ENTRIES } from '../../../src/portfolio/vocabulary/entries.ts';
import { TYPES_OF, typeKind } from '../../../src/rules/types.ts';

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
