import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KYERO_PARAMETERS } from '../../../src/feed/formats/kyero/format.ts';
import type { Parameter } from '../../../src/feed/formats/parameters.ts';
import {
  PAGING_PARAMETERS,
  RESALES_PARAMETERS,
} from '../../../src/feed/formats/resales/parameters.ts';

const ROOT = join(import.meta.dirname, '../../..');

function inVersion3({ type, version3, default: usual }: Parameter<unknown>): string {
  if (version3 === undefined) return type.format(usual);
  return 'always' in version3
    ? `always ${type.format(version3.always)}`
    : type.format(version3.default);
}

const RESALES_ROWS = [
  ...RESALES_PARAMETERS.feedParameters.map((one) => {
    const { name, type, default: usual, effect } = one;
    return `| \`${name}\` | ${type.allowed.words} | ${type.format(usual)} | ${inVersion3(one)} | ${effect} |`;
  }),
  ...Object.values(PAGING_PARAMETERS).map(
    ({ name, type, effect }) => `| \`${name}\` | ${type.allowed.words} | | | ${effect} |`,
  ),
];
const KYERO_ROWS = KYERO_PARAMETERS.feedParameters.map(
  ({ name, type, default: usual, effect }) =>
    `| \`${name}\` | ${type.allowed.words} | ${type.format(usual)} | ${effect} |`,
);

test.each([
  ['README.md', RESALES_ROWS],
  ['src/feed/formats/kyero/README.md', KYERO_ROWS],
])('%s lists every parameter with its allowed values, defaults and effect', (file, rows) => {
  const listed = readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
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
