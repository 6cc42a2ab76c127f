import { expect, test } from 'vitest';
import {
  canonicalName,
  KYERO_PARAMETERS,
  parseParameters,
  REFUSED_PARAMETERS,
} from '../../../src/feed/formats/kyero/parameters.ts';
import { PARAMETER_NAMES } from '../../../src/feed/formats/resales/parameters.ts';

test('every parameter of the other format is accepted or refused by name', () => {
  const known = [...Object.values(KYERO_PARAMETERS).map(({ name }) => name), ...REFUSED_PARAMETERS];
  expect(PARAMETER_NAMES.filter((name) => !known.includes(name))).toEqual([]);
});

test('no parameters: every language of the format, 50 pictures', () => {
  const { parameters, errors } = parseParameters({});
  expect(errors).toEqual([]);
  expect(parameters).toEqual({
    category: 'All',
    languages: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14],
    pictures: 50,
    onWebsites: false,
    withoutRented: false,
    availableOnly: false,
    shortTerm: false,
    extended: false,
    listingDate: false,
  });
});

test('Polish, which Kyero does not have: as if it had not been requested', () => {
  const { parameters } = parseParameters({ Language: '9,1' });
  expect(parameters.languages).toEqual([1]);
  expect(canonicalName(parameters)).toBe(canonicalName(parseParameters({ Language: '1' }).parameters));
});
