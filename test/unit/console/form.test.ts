import { expect, test } from 'vitest';
import { FORM } from '../../../src/console/properties/form.ts';
import { propertySchema } from '../../../src/properties/documents.ts';

/** What nobody types: the identifier has a field of its own, a unit is assigned by imports, and times are those of changes. */
const WITHOUT_FIELD = ['kind', 'id', 'unit', 'listed_at', 'source_changed_at', 'updated_at'];

test('the form of a property: a field for everything else that the API can write', () => {
  const pointers = Object.values(FORM).flatMap((fields) =>
    fields.map(({ pointer }) => pointer.split('/')[1]!),
  );
  const written = Object.keys(propertySchema.shape).filter((name) => !WITHOUT_FIELD.includes(name));
  expect([...new Set(pointers)].toSorted()).toEqual(written.toSorted());
});
