import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EFFECTS as KYERO_EFFECTS } from '../../../src/feed/formats/kyero/effects.ts';
import { KYERO_PARAMETERS } from '../../../src/feed/formats/kyero/parameters.ts';
import { EFFECTS } from '../../../src/feed/formats/resales/effects.ts';
import { FEED_PARAMETERS, PAGING_PARAMETERS } from '../../../src/feed/formats/resales/parameters.ts';

const README = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');

/** The rows that the README's parameter table must have. */
function rows(): string[] {
  const feed = Object.values(FEED_PARAMETERS).map((parameter) => {
    const { name, type, version3 } = parameter;
    const format = type.format as (value: unknown) => string;
    const usualDefault = format(parameter.default);
    const version3Default =
      version3 === undefined
        ? usualDefault
        : 'always' in version3
          ? `always ${format(version3.always)}`
          : format(version3.default);
    return `| \`${name}\` | ${type.allowed} | ${usualDefault} | ${version3Default} | ${EFFECTS[name as keyof typeof EFFECTS]} |`;
  });
  const paging = Object.values(PAGING_PARAMETERS).map((parameter) => {
    const allowed = 'type' in parameter ? parameter.type.allowed : parameter.allowed;
    return `| \`${parameter.name}\` | ${allowed} | | | ${EFFECTS[parameter.name]} |`;
  });
  return [...feed, ...paging];
}

test('the README lists every parameter with its allowed values, defaults and effect', () => {
  const listed = README.split('\n');
  expect(rows().filter((row) => !listed.includes(row))).toEqual([]);
});

test('the README of the Kyero format lists every parameter of it', () => {
  const file = join(import.meta.dirname, '../../../src/feed/formats/kyero/README.md');
  const listed = readFileSync(file, 'utf8').split('\n');
  const rows = Object.values(KYERO_PARAMETERS).map((parameter) => {
    const format = parameter.type.format as (value: unknown) => string;
    return `| \`${parameter.name}\` | ${parameter.type.allowed} | ${format(parameter.default)} | ${KYERO_EFFECTS[parameter.name as keyof typeof KYERO_EFFECTS]} |`;
  });
  expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
});
