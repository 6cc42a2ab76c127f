import { expect, test } from 'vitest';
import { NO_DETAILS } from '../../../src/properties/development.ts';
import { isInDevelopment } from '../../../src/rules/about/idealista.ts';
import { listing } from '../../support/accounts/listing.ts';

const WITH_A_PLACE = { ...NO_DETAILS, location: { latitude: 36.7, longitude: -4.4 } };

test.each([
  ['penthouse', true],
  ['parking', true],
  ['storage', false],
  ['plot-residential', false],
  [null, false],
])('the type %s in a development with a place: a unit of it: %s', (builtInType, expected) => {
  const given = listing({ builtInType, location: null, development: WITH_A_PLACE });
  expect(isInDevelopment(given)).toBe(expected);
  expect(isInDevelopment({ ...given, development: null })).toBe(false);
  expect(isInDevelopment({ ...given, development: NO_DETAILS })).toBe(false);
});
