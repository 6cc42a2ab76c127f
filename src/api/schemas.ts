import * as z from 'zod';
import { isShortName, SHORT_NAME_PATTERN, SHORT_NAME_RULE } from '../lib/short-name.ts';
import { isoTime } from '../lib/time/time.ts';
import { because, type CodedMessage, MESSAGES, type MessageCode } from '../messages/messages.ts';
import { PROBLEMS, type ProblemCode } from '../problem.ts';

/** The names of schemas, under which the OpenAPI document lists them. */
export const NAMES = new Map<z.ZodType, string>();

/** Gives a schema the name under which the OpenAPI document lists it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMES.set(schema, id);
  return schema;
}

/** The schema of an object, under a name. Unknown fields are ignored. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return named(id, z.object(shape));
}

/** Like {@link namedObject}, but unknown fields are errors. */
export function namedStrictObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return named(id, z.strictObject(shape));
}

/** Headers that a request may have. */
export function optionalHeaders<Name extends string>(
  described: Readonly<Record<Name, z.core.GlobalMeta>>,
) {
  const schemas = Object.entries<z.core.GlobalMeta>(described).map(([name, meta]) => [
    name,
    z.string().optional().meta(meta),
  ]);
  return z.object(Object.fromEntries(schemas) as Record<Name, z.ZodOptional<z.ZodString>>);
}

/** The condition of reading what has an `ETag` (RFC 9110 section 13.1). */
export const readCondition = optionalHeaders({
  'If-None-Match': { description: 'The `ETag` of the last response: 304 if it is the same.' },
});

/** The conditions of creating, changing or removing what has an `ETag`. @param example of one */
export function writeConditions(kind: string, example: string) {
  return optionalHeaders({
    'If-Match': {
      description:
        `The \`ETag\` of the ${kind}: 412 if it has changed since, unless it already is as this write ` +
        'would make it. `*`: 412 if it does not exist.',
      example,
    },
    'If-None-Match': { description: `\`*\`: 412 if the ${kind} exists.`, example: '*' },
  });
}

/** A query parameter that is `true` or, by default, `false`. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** The query of a write that can be tried. */
export const validateQuery = z.object({
  validate: flag.describe(
    'Whether to try it only: everything is validated and resolved, the response says what there ' +
      'would be, without an `ETag`, and nothing is written. What would be created is a 200.',
  ),
});

/** The path of something by its name. */
export function byName<Kind extends string>(kind: Kind, example: string) {
  const name = z
    .string()
    .min(1)
    .meta({ description: `The ${kind}’s name.`, example });
  return z.object({ [kind]: name } as Record<Kind, typeof name>);
}

/** The path of something that is created if necessary. */
export function byNewName<Kind extends string>(kind: Kind, example: string) {
  const description = `The ${kind}’s name: ${SHORT_NAME_RULE}.`;
  const name = shortName.meta({ description, example, pattern: SHORT_NAME_PATTERN.source });
  return z.object({ [kind]: name } as Record<Kind, typeof name>);
}

/** A name that its users choose. */
export const shortName = z
  .string()
  .refine(isShortName, because('not_short_name'))
  .meta({ pattern: SHORT_NAME_PATTERN.source });

const ABSOLUTE_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/./;

/** A URL that the Worker is to call. */
export const url = z
  .string()
  .max(2_000)
  .refine((text) => ABSOLUTE_URL.test(text), because('url_not_absolute'))
  .meta({ maxLength: 2_000, pattern: ABSOLUTE_URL.source });

/** A query parameter that is an integer. */
export function integerParameter(least: number, most: number, fallback: number) {
  return z
    .string()
    .refine(
      (text) => /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most,
      because('not_between', { least, most }),
    )
    .transform(Number)
    .default(fallback)
    .meta({ type: 'integer', minimum: least, maximum: most, default: fallback });
}

/** A time as responses state it. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** The fields that say what is wrong, in any language. */
export const messageFields = {
  code: z
    .enum(Object.keys(MESSAGES) as [MessageCode])
    .describe('What is wrong. Stable: branch on it.'),
  parameters: (z.any() as z.ZodType<NonNullable<CodedMessage['parameters']>>)
    .meta({ type: 'object', additionalProperties: {} })
    .optional()
    .describe('What it depends on, such as the `most` that a value may be.'),
  detail: z.string().describe('The same in English. May change.'),
};

const fieldError = namedObject('FieldError', {
  pointer: z.string().describe('RFC 6901 JSON Pointer to the invalid field.'),
  ...messageFields,
});

/** The fields of a problem that tell what is wrong. */
export const why = {
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode]).describe('Stable: branch on it.'),
  detail: z.string().describe('What is wrong with this request, in English. May change.'),
  reason: messageFields.code
    .optional()
    .describe('What exactly is wrong, where `code` is not enough.'),
  parameters: messageFields.parameters,
  errors: z.array(fieldError).readonly().optional(),
  similar: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Of `unit_not_found`: the names of the development’s units that are most like it.'),
};

export const problemSchema = named(
  'Problem',
  z
    .object({
      type: z
        .string()
        .regex(/^\/problems\/[a-z_]+$/)
        .meta({ format: 'uri-reference', description: 'The page that explains it.' }),
      title: z.string(),
      status: z.int(),
      ...why,
    })
    .describe('A problem document (RFC 9457).'),
);

/**
 * A stored value as responses show it: the fields of the schema, under names in snake case. Numbers under names that end in
 * `At` or `Since` are times in seconds.
 */
export function shown<Schema extends z.ZodObject>(
  schema: Schema,
  stored: object,
): z.output<Schema> {
  const fields = Object.entries(stored).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === 'number' && /(At|Since)$/.test(name) ? isoTime(value) : value,
  ]);
  return schema.parse(Object.fromEntries(fields));
}
