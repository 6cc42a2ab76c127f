import { expect, test } from 'vitest';
import { NO_DETAILS } from '../../../src/portfolio/development.ts';
import { isInDevelopment } from '../../../src/rules/about/idealista.ts';
import { listing } from '../../support/accounts/listing.ts';

const WITH_A_PLACE = { ...NO_DETAILS, location: { latitude: 36.7, longitude: -4.4 } };

test.each([
  ['Apartment', 'Penthouse', true],
  ['Commercial', 'Parking Space', true],
  ['Commercial', 'Storage Room', false],
  ['Comercial', 'Trastero', false],
  ['Plot', 'Residential Plot', false],
  ['Something', 'Else', false],
])('%s, %s, in a development with a place: a unit of it: %s', (type, subtype, expected) => {
  const given = listing({ type: { uk: type }, subtype: { uk: subtype }, location: null, development: WITH_A_PLACE });
  expect(isInDevelopment(given)).toBe(expected);
  expect(isInDevelopment({ ...given, development: null })).toBe(false);
  expect(isInDevelopment({ ...given, development: NO_DETAILS })).toBe(false);
});
