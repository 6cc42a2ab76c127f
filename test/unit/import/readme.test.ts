import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../src/import/input/formats.ts';
import { KYERO } from '../../../src/import/kyero/property.ts';
import { RESALES } from '../../../src/import/resales/property.ts';
import { INTERPRETATIONS } from '../../../src/import/values/interpretation.ts';

const readme = readFileSync(join(import.meta.dirname, '../../../src/import/README.md'), 'utf8');

function section(title: string): string {
  return readme.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
}

describe('src/import/README.md', () => {
  test.each([...KYERO.nodes.keys(), ...KYERO.aliases.keys()])('has the Kyero node %s', (name) => {
    expect(section('Kyero')).toMatch(new RegExp(`[\`/]${name}[\`/]`));
  });

  test.each([...RESALES.nodes.keys(), ...RESALES.aliases.keys()])(
    'has the node %s of the ReSales-Online feed',
    (name) => {
      expect(section('ReSales-Online') + section('Kyero')).toMatch(new RegExp(`[\`/]${name}[\`/]`));
    },
  );

  test.each(Object.keys(INTERPRETATIONS))('has the interpretation %s', (kind) => {
    expect(section('What is rejected')).toContain(`\`${kind}\``);
  });

  test.each(Object.keys(FORMATS))('has the format %s', (format) => {
    expect(section('Formats')).toContain(`\`${format}\``);
  });
});
