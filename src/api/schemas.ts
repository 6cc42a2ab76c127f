import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { isShortName, SHORT_NAME_PATTERN, SHORT_NAME_RULE } from '../lib/short-name.ts';
import { isoTime } from '../lib/time/time.ts';
import {
  type NotFoundKind,
  notFound,
  PROBLEMS,
  type Problem,
  type ProblemCode,
} from '../problem.ts';

/** The schemas that the OpenAPI document lists under a name. */
export const NAMES = new Map<z.ZodType, string>();
export const NAMED = z.registry<{ id: string }>();

/** Gives a schema the name under which the OpenAPI document lists it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
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
      description: `The \`ETag\` of the ${kind}: 412 if it has changed since. \`*\`: 412 if it does not exist.`,
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

/** Parameters of paths that imply an error, with a value that causes it. */
export const IMPLIED_ERRORS = z.registry<
  Problem & { readonly description: string; readonly value: string }
>();

/**
 * The schema of a parameter that names something that an account may not have, which implies a 404.
 *
 * @param missing names nothing
 */
export function existingOnly<Schema extends z.ZodType>(
  kind: NotFoundKind,
  parameter: Schema,
  missing: string | number = 'nothing',
  problem = notFound(kind, missing),
): Schema {
  const schema = parameter.clone();
  IMPLIED_ERRORS.add(schema, {
    ...problem,
    description: `the account has no such ${kind}.`,
    value: String(missing),
  });
  return schema;
}

/** The path of something by its name. */
export function byName<Kind extends NotFoundKind>(kind: Kind, example: string) {
  const name = z
    .string()
    .min(1)
    .meta({ description: `The ${kind}’s name.`, example });
  return z.object({ [kind]: existingOnly(kind, name) } as Record<Kind, typeof name>);
}

/** The path of something that is created if necessary, which implies a 400 for a name that nothing can have. */
export function byNewName<Kind extends string>(kind: Kind, example: string) {
  const description = `The ${kind}’s name: ${SHORT_NAME_RULE}.`;
  const name = shortName.meta({ description, example, pattern: SHORT_NAME_PATTERN.source });
  const detail = `${kind} must consist of ${SHORT_NAME_RULE}.`;
  const problem = { code: 'bad_parameter', detail, value: 'CRM!' } as const;
  IMPLIED_ERRORS.add(name, { ...problem, description: `a ${kind} cannot have this name.` });
  return z.object({ [kind]: name } as Record<Kind, typeof name>);
}

/** A name that its users choose. */
export const shortName = z.string().refine(isShortName, `must consist of ${SHORT_NAME_RULE}`);

/** A URL that the Worker is to call. */
export const url = z.string().max(2_000).meta({ format: 'uri', maxLength: 2_000 });

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

const fieldError = namedObject('FieldError', {
  pointer: z.string().describe('RFC 6901 JSON Pointer to the invalid field.'),
  detail: z.string(),
});

/** The fields of a problem that tell what is wrong. */
export const why = {
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode]).describe('Stable: branch on it.'),
  detail: z.string().describe('What is wrong with this request, in English. May change.'),
  errors: z.array(fieldError).readonly().optional(),
};

export const problemSchema = named(
  'Problem',
  z
    .object({ type: z.literal('about:blank'), title: z.string(), status: z.int(), ...why })
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

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** The query of a list: how many entries, and after which name. */
export const pageQuery = z.object({
  limit: integerParameter(1, MAX_LIMIT, DEFAULT_LIMIT).describe(
    'Maximum number of entries in a page; pages with long texts have fewer.',
  ),
  cursor: z
    .string()
    .transform((cursor, context): string => {
      const name = Buffer.from(cursor, 'base64url').toString();
      if (encodeCursor(name) !== cursor) context.addIssue('must be taken from a Link header');
      return name;
    })
    .nullable()
    .default(null)
    .describe('From the `Link` header of the previous page.'),
});

/** A requested page of a list. */
export type PageRequest = z.output<typeof pageQuery>;

/** For responses that must not be cached. */
export const NOT_CACHED = { 'Cache-Control': 'no-store' };

/** For responses that a cache must revalidate. */
export const REVALIDATED = { 'Cache-Control': 'private, no-cache' };

/** The Link header (RFC 8288) to the next page. The URL is relative, because a proxy may use another origin. */
export function nextLink(requestUrl: string, last: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', encodeCursor(last));
  return `<${pathname}?${searchParams}>; rel="next"`;
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url');
}
