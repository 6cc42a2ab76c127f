import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KYERO_PARAMETERS } from '../../../src/feed/formats/kyero/parameters.ts';
import { allowedText } from '../../../src/feed/formats/parameters.ts';
import { FEED_PARAMETERS, PAGING_PARAMETERS } from '../../../src/feed/formats/resales/parameters.ts';

const README = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');

/** The rows that the README's parameter table must have. */
function rows(): string[] {
  const feed = Object.values(FEED_PARAMETERS).map((parameter) => {
    const { name, type, effect } = parameter;
    const version3 = 'version3' in parameter ? parameter.version3 : undefined;
    const format = type.format as (value: unknown) => string;
    const usualDefault = format(parameter.default);
    const version3Default =
      version3 === undefined
        ? usualDefault
        : 'always' in version3
          ? `always ${format(version3.always)}`
          : format(version3.default);
    return `| \`${name}\` | ${allowedText(type.allowed)} | ${usualDefault} | ${version3Default} | ${effect.en} |`;
  });
  const paging = Object.values(PAGING_PARAMETERS).map(
    ({ name, type, effect }) => `| \`${name}\` | ${allowedText(type.allowed)} | | | ${effect} |`,
  );
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
    return `| \`${parameter.name}\` | ${allowedText(parameter.type.allowed)} | ${format(parameter.default)} | ${parameter.effect.en} |`;
  });
  expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
});
