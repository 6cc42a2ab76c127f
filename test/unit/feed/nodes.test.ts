import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELDS } from '../../../src/portfolio/property-fields.ts';
import { SCHEMA_FILES, schemaText } from '../../../src/service/schema-files.ts';

test.each([1, 2, 3] as const)('feed-v%i.xsd describes every node of the table of fields', (version) => {
  const file = `feed-v${version}.xsd`;
  const schema = schemaText(file, readFileSync(SCHEMA_FILES[file]!, 'utf8'));
  const nodes = FIELDS.flatMap(([column, { node }]) => (node?.versions.includes(version) ? [node.name ?? column] : []));
  const missing = nodes.filter((name) => !schema.includes(`name="${name}"`));
  expect(nodes.length).toBeGreaterThan(0);
  expect(missing, `Describe these in schemas.xsd, for ${file}`).toEqual([]);
});
