import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KYERO } from '../../../src/imports/formats/kyero/format.ts';
import { RESALES } from '../../../src/imports/formats/resales/property.ts';
import { FORMATS } from '../../../src/imports/input/formats.ts';
import { INTERPRETATIONS } from '../../../src/messages/interpretations.ts';

const readme = readFileSync(
  join(import.meta.dirname, '../../../src/imports/pipeline/README.md'),
  'utf8',
);

function section(title: string): string {
  return readme.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
}

describe('src/imports/pipeline/README.md', () => {
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
