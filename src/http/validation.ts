import type { Context } from 'hono';
import type * as z from 'zod';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { type FieldError, invalidFields, jsonPointer, type ProblemCode, ProblemError } from '../problem.ts';
import type { RequestSchemas } from './operation.ts';

/** A value as its schema returns it, or its invalid fields. */
type Validated<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** Validates a value. Fields that the schema does not know are the first errors. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): Validated<z.output<Schema>> {
  const result = schema.safeParse(value, { error: wording });
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error) };
}

/** The invalid fields that an error of zod names, each once. */
function fieldErrors({ issues }: z.core.$ZodError): FieldError[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => fieldError([...issue.path, key], issue.message)) : [],
  );
  const invalid = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const all = [...unknown, ...invalid.map(({ path, message }) => fieldError(path, message))];
  return [...Map.groupBy(all, ({ pointer }) => pointer).values()].map(([first]) => first!);
}

function fieldError(path: readonly PropertyKey[], detail: string): FieldError {
  return { pointer: jsonPointer(path), detail };
}

/**
 * The path, the query, the headers and the body of a request to an operation.
 *
 * Neither Hono's validators nor those of its libraries: they accept JSON with repeated members and round numbers, and their
 * errors name neither the field by its pointer nor the code that callers branch on.
 *
 * @throws ProblemError for the first of them that is invalid
 */
export async function validated(c: Context, { params, query, headers, body }: RequestSchemas) {
  const sent = Object.keys(headers?.shape ?? {}).map((name) => [name, c.req.header(name)]);
  return {
    params: params && parameters(params, c.req.param()),
    query: query && parameters(query, c.req.query()),
    headers: headers && parameters(headers, Object.fromEntries(sent)),
    body: body && (await bodyOf(c, body)),
  };
}

/** Parameters as their schema returns them. An error is a sentence, or the predicate to the parameter's name. */
function parameters(schema: z.ZodType, sent: unknown): unknown {
  const result = schema.safeParse(sent, { error: wording });
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
  throw failed('bad_parameter', message.endsWith('.') ? message : `${path.join('.')} ${message}.`);
}

/** A JSON body; `undefined` for one that the handler reads: without a limit, or of another media type of the operation. */
async function bodyOf(c: Context, { maxBytes, content }: NonNullable<RequestSchemas['body']>): Promise<unknown> {
  const type = mediaType(c.req.header('Content-Type'));
  if (maxBytes === undefined || !Object.hasOwn(content, 'application/json')) return undefined;
  const schema = Object.hasOwn(content, type) ? content[type] : undefined;
  if (schema === undefined) throw failed('unsupported_media_type', `The body must be ${typesOf(content)}.`);
  if (!/[/+]json$/.test(type)) return undefined;
  if (isEncoded(c.req.raw)) throw failed('unsupported_media_type', 'The body must have no Content-Encoding.');
  const result = validate(schema, await readJson(c.req.raw, maxBytes));
  if ('errors' in result) throw new ProblemError(invalidFields(result.errors));
  return result.value;
}

/** The media types of a body, in words. */
export function typesOf(content: object): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(content));
}

async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  try {
    return parseJson(await readBody(request, maxBytes));
  } catch (error) {
    if (error instanceof JsonError) throw failed('not_json', error.message);
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'incomplete') throw failed('not_json', 'The body is incomplete.');
    throw failed('body_too_large', `The maximum is ${maxBytes / 1024} KiB.`);
  }
}

function failed(code: ProblemCode, detail: string): ProblemError {
  return new ProblemError({ code, detail });
}

/** What is wrong with a value, as a predicate to the name of its field, unless its schema says it itself. */
function wording(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be one of: ${issue.options.join(', ')}` : undefined;
    case 'too_small':
      return `must ${limit('least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${limit('most', issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

const TYPES: Readonly<Partial<Record<string, string>>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

function limit(bound: 'least' | 'most', value: number | bigint, origin: string): string {
  if (origin === 'array') return `have at ${bound} ${value} ${value === 1 ? 'entry' : 'entries'}`;
  if (origin === 'string') return `have at ${bound} ${value} characters`;
  return `be at ${bound} ${value}`;
}
