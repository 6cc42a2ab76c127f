import { z } from 'zod';

/** The schemas that the document has under a name. */
export const NAMED = z.registry<{ id: string }>();

/** Gives a schema the name under which the document lists it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
  return schema;
}

/** Characters, not UTF-16 code units; and lone surrogates cannot be stored. */
export function text(maxLength: number) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && [...value].length <= maxLength)
    .meta({ maxLength });
}

/** A time as responses state it. */
export const time = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value))
  .meta({ format: 'date-time', description: 'ISO 8601, UTC.' });
