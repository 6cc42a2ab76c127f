import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FEED_PARAMETERS, PAGING_PARAMETERS } from '../../../src/feed/formats/resales/parameters.ts';

const README = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');

/** The rows that the README's parameter table must have. */
function rows(): string[] {
  const feed = Object.values(FEED_PARAMETERS).map((parameter) => {
    const { name, type, version3, effect } = parameter;
    const format = type.format as (value: unknown) => string;
    const usualDefault = format(parameter.default);
    const version3Default =
      version3 === undefined
        ? usualDefault
        : 'always' in version3
          ? `always ${format(version3.always)}`
          : format(version3.default);
    return `| \`${name}\` | ${type.allowed} | ${usualDefault} | ${version3Default} | ${effect} |`;
  });
  const paging = Object.values(PAGING_PARAMETERS).map((parameter) => {
    const allowed = 'type' in parameter ? parameter.type.allowed : parameter.allowed;
    return `| \`${parameter.name}\` | ${allowed} | | | ${parameter.effect} |`;
  });
  return [...feed, ...paging];
}

test('the README lists every parameter with its allowed values, defaults and effect', () => {
  const listed = README.split('\n');
  expect(rows().filter((row) => !listed.includes(row))).toEqual([]);
});
