import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KYERO_PARAMETERS } from '../../../src/feed/formats/kyero/format.ts';
import {
  PAGING_PARAMETERS,
  RESALES_PARAMETERS,
} from '../../../src/feed/formats/resales/parameters.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.each([
  ['README.md', [...RESALES_PARAMETERS.feedParameters, ...Object.values(PAGING_PARAMETERS)]],
  ['src/feed/formats/kyero/README.md', KYERO_PARAMETERS.feedParameters],
])('%s: its table has a row for every parameter of the feed', (file, parameters) => {
  const readme = readFileSync(join(ROOT, file), 'utf8');
  const names = parameters.map(({ name }) => name);
  expect(names.filter((name) => !readme.includes(`\n| \`${name}\` |`))).toEqual([]);
});

test("every parameter of ReSales' feed is accepted or refused by name in Kyero's", () => {
  const { parameterNames } = KYERO_PARAMETERS;
  expect(
    RESALES_PARAMETERS.parameterNames.filter((name) => !parameterNames.includes(name)),
  ).toEqual([]);
});

test("Kyero's, no parameters: every language of the format, 50 pictures", () => {
  const { parameters, errors } = KYERO_PARAMETERS.parse({});
  expect(errors).toEqual([]);
  expect(parameters).toMatchObject({
    category: 'All',
    pictures: 50,
    shortTerm: false,
    listingDate: false,
  });
  expect(parameters.languages).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14]);
});

test('Polish, which Kyero does not have: as if it had not been requested', () => {
  const { canonicalName, parse } = KYERO_PARAMETERS;
  const { parameters } = parse({ Language: '9,1' });
  expect(parameters.languages).toEqual([1]);
  expect(canonicalName(parameters)).toBe(canonicalName(parse({ Language: '1' }).parameters));
});
