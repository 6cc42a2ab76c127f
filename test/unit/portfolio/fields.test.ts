import { expect, test } from 'vitest';
import * as z from 'zod';
import { propertySchema } from '../../../src/portfolio/documents.ts';
import { FIELDS } from '../../../src/portfolio/property-fields.ts';
import { readSource } from '../../support/documents/import-source.ts';

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
}

/** The paths of the keys that a JSON Schema describes. */
function pathsOf({ properties = {}, anyOf = [] }: Described, prefix = ''): string[] {
  const own = Object.entries(properties).flatMap(([key, value]) => [
    prefix + key,
    ...pathsOf(value, `${prefix}${key}.`),
  ]);
  return [...own, ...anyOf.flatMap((each) => pathsOf(each, prefix))];
}

test('each field of the table has its place in a document', () => {
  const paths = new Set(pathsOf(z.toJSONSchema(propertySchema, { io: 'input', unrepresentable: 'any' }) as Described));
  const missing = FIELDS.filter(([, { document }]) => !paths.has(document)).map(([column]) => column);
  expect(missing, 'Add these to src/portfolio/documents.ts, or give them a schema').toEqual([]);
});

/** Parts of a document that every record determines, by more than one value of one node. */
const DETERMINED = new Set([
  ...['currency', 'offers', 'location', 'beds', 'bath', 'pictures', 'emissions', 'consumption'],
  ...['listed_at', 'source_changed_at'],
]);

test.each([
  ['Kyero', '<root><kyero><feed_version>3</feed_version></kyero>'],
  ['ReSales-Online', '<root><resalesonline><feed_version>3</feed_version></resalesonline>'],
])('a record of %s leaves each field open that it has no node for: what is stored of it remains', async (_, head) => {
  const record = '<property><id>1</id><ref>R</ref><price>1</price><price_freq>sale</price_freq></property>';
  const { records, bad } = await readSource(`<?xml version="1.0"?>${head}${record}</root>`);
  expect(bad).toEqual([]);
  const open = new Set<string>(records[0]!.open);
  const lost = FIELDS.filter(([, { document, source }]) => {
    const key = document.split('.')[0]!;
    return source === undefined && !DETERMINED.has(key) && !open.has(key);
  });
  expect(
    lost.map(([column]) => column),
    'Give these a source, or remove them from REQUIRED in src/import/nodes.ts',
  ).toEqual([]);
});
