import * as z from 'zod';
import { PROBLEMS, type ProblemCode } from '../problem.ts';

/** The schemas that the OpenAPI document lists under a name. */
export const NAMED = z.registry<{ id: string }>();

/** Gives a schema the name under which the OpenAPI document lists it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
  return schema;
}

/** Headers that a request may have. */
export function optionalHeaders<Name extends string>(described: Readonly<Record<Name, z.core.GlobalMeta>>) {
  const schemas = Object.entries<z.core.GlobalMeta>(described).map(([name, meta]) => [
    name,
    z.string().optional().meta(meta),
  ]);
  return z.object(Object.fromEntries(schemas) as Record<Name, z.ZodOptional<z.ZodString>>);
}

/** A query parameter that is `true` or, by default, `false`. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** A query parameter that is an integer. */
export function integerParameter(least: number, most: number, fallback: number) {
  return z
    .string()
    .refine(
      (text) => /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be an integer from ${least} to ${most}`,
    )
    .transform(Number)
    .default(fallback)
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** A time as responses state it. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ format: 'date-time', description: 'ISO 8601, UTC.' });

const fieldError = named(
  'FieldError',
  z.object({
    pointer: z.string().meta({ description: 'RFC 6901 JSON Pointer to the invalid field.' }),
    detail: z.string(),
  }),
);

/** The fields of a problem that tell what is wrong. */
export const why = {
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode]).meta({ description: 'Stable: branch on it.' }),
  detail: z.string().meta({ description: 'What is wrong with this request, in English. May change.' }),
  errors: z.array(fieldError).readonly().optional(),
};

export const problemSchema = named(
  'Problem',
  z
    .object({ type: z.literal('about:blank'), title: z.string(), status: z.int(), ...why })
    .meta({ description: 'A problem document (RFC 9457).' }),
);
