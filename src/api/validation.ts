import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { BodyError, isEncoded, readBody } from '../lib/http/body.ts';
import { JsonError, parseJson } from '../lib/http/json.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { percentDecoded } from '../lib/http/percent.ts';
import { inEnglish } from '../messages/messages.ts';
import { parsed } from '../messages/parsed.ts';
import {
  type FieldError,
  fieldError,
  invalidFields,
  jsonPointer,
  type ProblemCode,
  ProblemError,
} from '../problem.ts';
import { type Body, typesOf } from './requests.ts';

/** A value as its schema returns it, or its invalid fields. */
type Validated<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/**
 * Validates a value. Each invalid field is named once; fields that the schema does not know come
 * first.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Validated<z.output<Schema>> {
  const result = parsed(schema, value);
  if ('value' in result) return result;
  const all = result.issues.map(({ path, message }) => fieldError(jsonPointer(path), message));
  return {
    errors: [...Map.groupBy(all, ({ pointer }) => pointer).values()].map(([first]) => first!),
  };
}

/**
 * Middleware that validates the path, the query, the headers and the body of a request: handlers
 * get them from `c.req.valid`.
 *
 * @throws ProblemError for the first of them that is invalid
 */
export function validated(request: RouteConfig['request'] = {}): MiddlewareHandler {
  const { params, query, body } = request;
  const headers = request.headers as z.ZodObject | undefined;
  return async (c, next) => {
    if (params) c.req.addValidatedData('param', parameters(params, c.req.param()));
    if (percentDecoded(new URL(c.req.url).pathname) === undefined)
      throw failed('bad_parameter', 'The path is not UTF-8, percent-encoded.');
    if (c.req.path.startsWith('/v1/')) checkNames(c, query as z.ZodObject | undefined);
    if (query) c.req.addValidatedData('query', parameters(query, c.req.query()));
    if (headers) {
      const sent = Object.keys(headers.shape).map((name) => [name, c.req.header(name)]);
      c.req.addValidatedData('header', parameters(headers, Object.fromEntries(sent)));
    }
    if (body) c.req.addValidatedData('json', (await readValid(c, body as Body)) as object);
    await next();
  };
}

/**
 * What is not understood is never ignored: a misspelt parameter would apply half of what was meant.
 * On every route, the operator names the account that it acts for.
 *
 * @throws ProblemError for a parameter of the query that the operation does not have, or is given
 * twice or without a value
 */
function checkNames(c: Context, query: z.ZodObject | undefined): void {
  const isOperator = c.get('caller')?.isOperator === true;
  const sent = new URL(c.req.url).searchParams;
  for (const name of new Set(sent.keys())) {
    const isKnown = Object.hasOwn(query?.shape ?? {}, name) || (isOperator && name === 'account');
    if (!isKnown)
      throw failed(
        'bad_parameter',
        `${name || 'The empty name'} is not a parameter of this operation.`,
      );
    if (sent.getAll(name).length > 1)
      throw failed('bad_parameter', `${name} is given more than once.`);
    if (sent.get(name) === '') throw failed('bad_parameter', `${name} is empty.`);
  }
}

/** Parameters as their schema returns them. */
function parameters(schema: z.ZodType, sent: unknown): object {
  const result = parsed(schema, sent);
  if ('value' in result) return result.value as object;
  const { path, message } = result.issues[0]!;
  throw failed('bad_parameter', `${path.join('.')} ${inEnglish(message)}.`);
}

/**
 * A JSON body. `undefined` for one that the handler reads itself: without a limit, or of a media
 * type of the operation that is not JSON.
 */
async function readValid(c: Context, body: Body): Promise<unknown> {
  const { content, 'x-max-bytes': maxBytes } = body;
  if (maxBytes === undefined) return undefined;
  const type = mediaType(c.req.header('Content-Type'));
  if (!Object.hasOwn(content, type))
    throw failed('unsupported_media_type', `The body must be ${typesOf(content)}.`);
  if (!/[/+]json$/.test(type)) return undefined;
  if (isEncoded(c.req.raw))
    throw failed('unsupported_media_type', 'The body must have no Content-Encoding.');
  const result = validate(content[type]!.schema, await readJson(c.req.raw, maxBytes));
  if ('errors' in result) throw new ProblemError(invalidFields(result.errors));
  return result.value;
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
