import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES, XML_FORMATS } from '../../../src/imports/formats/formats.ts';
import { INTERPRETATIONS } from '../../../src/messages/interpretations.ts';

const IMPORTS = join(import.meta.dirname, '../../../src/imports');

const readmeOf = (folder: string) => readFileSync(join(IMPORTS, folder, 'README.md'), 'utf8');

const nodes = XML_FORMATS.flatMap(({ name, content }) =>
  [...content.nodes.nodes.keys(), ...content.nodes.aliases.keys()].map((node) => [name, node]),
);

// Nodes that every format has are described with Kyero's.
test.each(nodes)('the README of the format %s, or that of Kyero, has the node %s', (name, node) => {
  const documented = readmeOf(`formats/${name}`) + readmeOf('formats/kyero');
  expect(documented).toMatch(new RegExp(`[\`/]${node}[\`/]`));
});

test.each(FORMAT_NAMES)('the folder of the format %s has a README that names it', (name) => {
  expect(readmeOf(`formats/${name}`)).toContain(`\`${name}\``);
});

test.each(Object.keys(INTERPRETATIONS))('the README of the pipeline has %s', (kind) => {
  const section = readmeOf('pipeline').split(/^## /m);
  expect(section.find((text) => text.startsWith('What is rejected'))).toContain(`\`${kind}\``);
});
