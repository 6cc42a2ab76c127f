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

test.each(
  'FV VT DisplayListingDate AR ARP ShowRTA ST NPT ER_Show ER_ShowAll N P_PageNo p1 Ref LocationVersion CS'.split(
    ' ',
  ),
)("Kyero's, %s, which the format does not have: refused as such", (name) => {
  const { errors } = KYERO_PARAMETERS.parse({ [name]: 'TRUE' });
  expect(errors).toMatchObject([{ parameter: name, unsupported: true }]);
});

test.each([
  ['T', 'LET'],
  ['NW', '1'],
  ['Language', '15'],
  ['Language', 'en'],
  ['IC', '1000'],
  ['Extended', 'yes'],
])("Kyero's, %s=%s, which is not allowed: refused", (name, value) => {
  const { errors } = KYERO_PARAMETERS.parse({ [name]: value });
  expect(errors.map(({ parameter, unsupported }) => [parameter, unsupported])).toEqual([
    [name, undefined],
  ]);
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
