import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIELDS } from '../../../src/portfolio/property-fields.ts';

const FOLDER = join(import.meta.dirname, '../../../src/feed/formats/resales');

test.each([1, 2, 3] as const)('feed-v%i.xsd describes every node of the table of fields', (version) => {
  const schema = readFileSync(join(FOLDER, `feed-v${version}.xsd`), 'utf8');
  const nodes = FIELDS.flatMap(([column, { node }]) => (node?.versions.includes(version) ? [node.name ?? column] : []));
  const missing = nodes.filter((name) => !schema.includes(`name="${name}"`));
  expect(nodes.length).toBeGreaterThan(0);
  expect(missing, `Describe these in feed-v${version}.xsd`).toEqual([]);
});
