import type { Context } from 'hono';
import type * as z from 'zod';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { parsed } from '../lib/parsed.ts';
import {
  type FieldError,
  invalidFields,
  jsonPointer,
  type ProblemCode,
  ProblemError,
} from '../problem.ts';
import type { RequestSchemas } from './operation.ts';

/** A value as its schema returns it, or its invalid fields. */
type Validated<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** Validates a value. Each invalid field is named once; fields that the schema does not know come first. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Validated<z.output<Schema>> {
  const result = parsed(schema, value);
  if ('value' in result) return result;
  const all = result.issues.map(({ path, message }) => ({
    pointer: jsonPointer(path),
    detail: message,
  }));
  return {
    errors: [...Map.groupBy(all, ({ pointer }) => pointer).values()].map(([first]) => first!),
  };
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
  const result = parsed(schema, sent);
  if ('value' in result) return result.value;
  const { path, message } = result.issues[0]!;
  throw failed('bad_parameter', message.endsWith('.') ? message : `${path.join('.')} ${message}.`);
}

/** A JSON body; `undefined` for one that the handler reads: without a limit, or of another media type of the operation. */
async function bodyOf(
  c: Context,
  { maxBytes, content }: NonNullable<RequestSchemas['body']>,
): Promise<unknown> {
  const type = mediaType(c.req.header('Content-Type'));
  if (maxBytes === undefined || !Object.hasOwn(content, 'application/json')) return undefined;
  const schema = Object.hasOwn(content, type) ? content[type] : undefined;
  if (schema === undefined)
    throw failed('unsupported_media_type', `The body must be ${typesOf(content)}.`);
  if (!/[/+]json$/.test(type)) return undefined;
  if (isEncoded(c.req.raw))
    throw failed('unsupported_media_type', 'The body must have no Content-Encoding.');
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
