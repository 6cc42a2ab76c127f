import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { mediaType } from '../lib/http/media-type.ts';
import { type FieldError, invalidFields, jsonPointer, ProblemError } from '../problem.ts';
import { readJson } from './json-body.ts';
import type { Operation } from './operation.ts';
import { wording } from './wording.ts';

/** A value as its schema returns it, or its invalid fields. */
export type Validated<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** Validates a value. Fields that the schema does not know are the first errors. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): Validated<z.output<Schema>> {
  const result = schema.safeParse(value, { error: wording });
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error) };
}

/** The invalid fields that an error of zod names, each once. */
export function fieldErrors({ issues }: z.core.$ZodError): FieldError[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => fieldError([...issue.path, key], issue.message)) : [],
  );
  const invalid = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const all = [...unknown, ...invalid.map(({ path, message }) => fieldError(path, message))];
  return all.filter(({ pointer }, index) => all.findIndex((other) => other.pointer === pointer) === index);
}

function fieldError(path: readonly PropertyKey[], detail: string): FieldError {
  return { pointer: jsonPointer(path), detail };
}

/**
 * Middleware that validates the path, the query, the headers and the body of a request to an operation.
 *
 * Neither Hono's nor the library's: those accept JSON with repeated members and round numbers, and their errors name
 * neither the field by its pointer nor the code that callers branch on.
 *
 * @throws ProblemError for the first of them that is invalid
 */
export function validation({ request = {} }: Pick<Operation, 'request'>): MiddlewareHandler {
  const { params, query, headers, body } = request as unknown as RequestSchemas;
  // A body without a limit is read by its handler.
  const bodySchema = body?.maxBytes === undefined ? undefined : body.content['application/json']?.schema;
  return async (c, next) => {
    if (params !== undefined) c.req.addValidatedData('param', parameters(params, c.req.param()));
    if (query !== undefined) c.req.addValidatedData('query', parameters(query, c.req.query()));
    if (headers !== undefined) {
      const sent = Object.keys(headers.shape).map((name) => [name, c.req.header(name)]);
      c.req.addValidatedData('header', parameters(headers, Object.fromEntries(sent)));
    }
    if (body?.maxBytes !== undefined && bodySchema !== undefined && !isFile(body, c.req.header('Content-Type'))) {
      const result = validate(bodySchema, await readJson(c, body.maxBytes));
      if ('errors' in result) throw new ProblemError(invalidFields(result.errors));
      c.req.addValidatedData('json', result.value as object);
    }
    return next();
  };
}

/** Whether a body has one of the other media types of the operation: its handler reads it. */
function isFile({ content }: NonNullable<RequestSchemas['body']>, contentType: string | undefined): boolean {
  const type = mediaType(contentType);
  return type !== 'application/json' && Object.hasOwn(content, type);
}

/** What {@link validation} reads of a request's declaration. */
interface RequestSchemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodObject;
  readonly body?: { readonly maxBytes?: number; readonly content: Readonly<Record<string, { schema: z.ZodType }>> };
}

/** Parameters as their schema returns them. An error is a sentence, or the predicate to the parameter's name. */
function parameters(schema: z.ZodType, sent: unknown): object {
  const result = schema.safeParse(sent, { error: wording });
  if (result.success) return result.data as object;
  const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
  const detail = message.endsWith('.') ? message : `${path.join('.')} ${message}.`;
  throw new ProblemError({ code: 'bad_parameter', detail });
}
