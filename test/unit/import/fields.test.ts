import { expect, test } from 'vitest';
import { XML_FORMATS } from '../../../src/imports/formats/formats.ts';
import { propertySchema } from '../../../src/properties/documents.ts';
import { readSource } from '../../support/documents/import-source.ts';

/** Fields that every record determines, by other nodes than one of their own. */
const DETERMINED = new Set([
  ...[
    'kind',
    'id',
    'type',
    'status',
    'features',
    'channels',
    'pictures',
    'texts',
    'offers',
    'currency',
  ],
  ...[
    'listed_at',
    'source_changed_at',
    'updated_at',
    'location',
    'beds',
    'bath',
    'emissions',
    'consumption',
  ],
]);

test.each([
  ['Kyero', '<root><kyero><feed_version>3</feed_version></kyero>'],
  ['ReSales-Online', '<root><resalesonline><feed_version>3</feed_version></resalesonline>'],
])(
  'a record of %s leaves each field open that it has no node for: what is stored of it remains',
  async (_, head) => {
    const record =
      '<property><id>1</id><ref>R</ref><price>1</price><price_freq>sale</price_freq></property>';
    const { records, bad } = await readSource(`<?xml version="1.0"?>${head}${record}</root>`);
    expect(bad).toEqual([]);
    const open = new Set<string>(records[0]!.open);
    const read = new Set<string>(XML_FORMATS.flatMap(({ content }) => content.nodes.fields));
    const lost = Object.keys(propertySchema.shape).filter(
      (field) => !read.has(field) && !DETERMINED.has(field) && !open.has(field),
    );
    expect(
      lost,
      'Add these to src/imports/formats/fields.ts and to a format’s FIELDS, or remove them from REQUIRED in src/imports/formats/nodes.ts',
    ).toEqual([]);
  },
);
