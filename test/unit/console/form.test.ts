import { expect, test } from 'vitest';
import { FORM } from '../../../src/console/properties/fields.ts';
import { propertySchema } from '../../../src/properties/documents.ts';

/**
 * What nobody types: the identifier has a field of its own, pictures have a page, a unit is assigned by imports, and times are
 * those of changes.
 */
const CHANGES = ['listed_at', 'source_changed_at', 'updated_at'];
const WITHOUT_FIELD = ['kind', 'id', 'pictures', 'unit', ...CHANGES];

test('the form of a property: a field for everything else that the API can write', () => {
  const pointers = Object.values(FORM).flatMap((fields) =>
    fields.map(({ pointer }) => pointer.split('/')[1]!),
  );
  const written = Object.keys(propertySchema.shape).filter((name) => !WITHOUT_FIELD.includes(name));
  expect([...new Set(pointers)].toSorted()).toEqual(written.toSorted());
});
