import { expect, test } from 'vitest';
import { SCHEMA_NAMES } from '../../src/schemas/names.ts';
import { SCHEMAS } from '../../src/schemas/schemas.ts';

test('the schemas that the Worker serves are those that the build writes', () => {
  expect([...SCHEMA_NAMES].sort()).toEqual(Object.keys(SCHEMAS).sort());
});
