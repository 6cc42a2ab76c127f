import type * as z from 'zod';
import { SHORT_NAME_RULE } from '../lib/short-name.ts';
import { type CodedMessage, message } from '../messages/messages.ts';
import type { Scope } from '../oauth/scopes.ts';
import {
  type FieldError,
  fieldError,
  invalidFields,
  type NotFoundKind,
  notFound,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  typeOf,
} from '../problem.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { type Examples, KIB, namedValues } from './requests.ts';
import { problemSchema } from './schemas.ts';

/** What the OpenAPI document shows of a response besides its description. */
interface Shown<Schema extends z.ZodType> {
  readonly headers?: readonly HeaderName[];
  readonly examples?: Examples<Schema>;
}

/** A response with a JSON body. */
export function ok<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  { headers = [], examples = {} }: Shown<Schema> = {},
) {
  return {
    description,
    headers: headersOf(['Cache-Control', ...headers]),
    content: { 'application/json': { schema, examples: namedValues(examples) } },
  };
}

/** A response with a body of another media type. */
export function content<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  description: string,
  shown: Shown<Schema> = {},
) {
  const { content, ...response } = ok(schema, description, shown);
  return { ...response, content: { [type]: content['application/json'] } };
}

/** A response without a body. */
export function empty(description: string, headers: readonly HeaderName[] = []) {
  return { description, headers: headersOf(headers) };
}

/** The response to a GET whose caller has the current state. */
export const unchanged = empty('It still has the `ETag` of `If-None-Match`.', [
  'ETag',
  'Cache-Control',
]);

/** An error that an operation documents, with an example if there is a `detail`. */
export interface DocumentedError
  extends Pick<Problem, 'code' | 'errors' | 'reason' | 'parameters'> {
  /** When it occurs: completes the sentence that begins with the code. */
  readonly description: string;
  readonly detail?: string;
}

/** @param errors the invalid fields of the example, if it has any */
export function error(
  code: ProblemCode,
  description: string,
  detail?: string,
  errors?: readonly FieldError[],
): DocumentedError {
  return { code, description, ...(detail !== undefined && { detail }), ...(errors && { errors }) };
}

/** The errors that every operation has. */
const ALWAYS = [
  error('method_not_allowed', 'another method.', 'Use GET, HEAD.'),
  error(
    'internal',
    'unexpected; the log contains the error under the id that the document states.',
    'Please quote request 0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e.',
  ),
];

/**
 * The responses of an operation with problem documents, by status. Of several errors with the same
 * code, the last counts. Handlers throw them, so the types of their responses leave them out.
 */
export function errors(
  ...given: readonly (DocumentedError | readonly DocumentedError[])[]
): object {
  const byCode = new Map([...ALWAYS, ...given.flat()].map((one) => [one.code, one]));
  const all = [...byCode.values()].map(({ code, description, ...problem }): ErrorExample => {
    const [status, title] = PROBLEMS[code];
    const body = { type: typeOf(code), title, status, code, ...problem };
    return { status, name: code, code, description, body: problem.detail && body };
  });
  return errorResponses('application/problem+json', problemSchema, all);
}

/** An error in any form. */
export interface ErrorExample {
  readonly status: number;
  /** Of the example, in snake case. */
  readonly name: string;
  readonly code: string;
  readonly description: string;
  /** The example, if there is one. */
  readonly body?: unknown;
}

/** The headers that errors of a status have. */
const ERROR_HEADERS: Readonly<Partial<Record<number, readonly HeaderName[]>>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** Responses with errors by status. A status with several errors lists when each occurs. */
export function errorResponses(
  mediaType: string,
  schema: z.ZodType,
  all: readonly ErrorExample[],
  headers: readonly HeaderName[] = [],
) {
  const byStatus = [...Map.groupBy(all, ({ status }) => status)];
  const responses = byStatus.map(([status, same]) => {
    const texts = same.map(({ code, description }) => `\`${code}\`: ${description}`);
    const description = texts.length === 1 ? texts[0]! : texts.map((one) => `- ${one}`).join('\n');
    const shown = same.flatMap(({ name, body }) => (body ? [[camelCase(name), body]] : []));
    const response = content(mediaType, schema, description, {
      headers: [...headers, ...(ERROR_HEADERS[status] ?? [])],
      examples: Object.fromEntries(shown),
    });
    return [status, response];
  });
  return Object.fromEntries(responses);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
}

/** The error of a query with a parameter that is unknown or repeated. */
export const unknownParameter = error(
  'bad_parameter',
  'the operation has no such parameter, or it is given twice or empty.',
  'limit is not a parameter of this operation.',
);

/** The errors of an operation that requires a token with a scope and changes nothing. */
export function clientReads(scope: Scope, retry?: string): DocumentedError[] {
  return [unknownParameter, ...clientAccess(scope, retry)];
}

/** The errors of a token with a scope. */
export function clientAccess(scope: Scope, retry = 'Retry later.'): DocumentedError[] {
  return [
    error(
      'missing_token',
      'there is no `Authorization: Bearer`.',
      'Send the token as Authorization: Bearer.',
    ),
    error(
      'invalid_token',
      'the token is expired, malformed, revoked or meant for another service; request a new one.',
      'The access token is malformed, revoked, or meant for another service.',
    ),
    error(
      'insufficient_scope',
      'the token lacks the scope of the operation.',
      `The access token lacks the scope ${scope}.`,
    ),
    error('too_many_requests', 'too many invalid credentials from this address in this minute.'),
    error(
      'unavailable',
      'the database, a setting or the token issuer fails. Repeat the request.',
      retry,
    ),
  ];
}

/** The errors of an operation that requires a token with a scope, and whose changes are limited. */
export function clientChanges(scope: Scope, retry?: string): DocumentedError[] {
  return [
    ...clientReads(scope, retry),
    error(
      'too_many_requests',
      'the account’s clients have made too many changes in this minute, or this address has ' +
        'sent too many invalid tokens.',
      'Retry after 60 seconds.',
    ),
  ];
}

/** The errors of a JSON body. @param types the media types that it can have, in words */
export function body(maxBytes: number, types = 'application/json'): DocumentedError[] {
  const maximum = `${maxBytes / KIB} KiB`;
  return [
    error(
      'not_json',
      'the body is not JSON in UTF-8, or a member is repeated.',
      'The text is not JSON.',
    ),
    error('body_too_large', `more than ${maximum}.`, `The maximum is ${maximum}.`),
    error(
      'unsupported_media_type',
      'another media type, or a `Content-Encoding`.',
      `The body must be ${types}.`,
    ),
    fields({ '': message('not_object') }),
  ];
}

/** The error of a body with invalid fields. @param example what is wrong, by JSON Pointer */
export function fields(example: Readonly<Record<string, CodedMessage>>): DocumentedError {
  const entries = Object.entries(example).map(([pointer, what]) => fieldError(pointer, what));
  const { code, detail, errors } = invalidFields(entries);
  return error(code, '`errors` lists the invalid fields.', detail, errors);
}

/** The error of a list's query. */
export const page = error(
  'bad_parameter',
  '`limit` or `cursor` is invalid.',
  'limit must be an integer from 1 to 500.',
);

/** The error of a path that names something that the account does not have. */
export function missing(
  kind: NotFoundKind,
  name: string | number = 'nothing',
  problem: Problem = notFound(kind, name),
): DocumentedError {
  return error(problem.code, `the account has no such ${kind}.`, problem.detail);
}

/** The error of a path with a name that nothing can have. */
export function newName(kind: string): DocumentedError {
  return error(
    'bad_parameter',
    `a ${kind} cannot have this name.`,
    `${kind} must consist of ${SHORT_NAME_RULE}.`,
  );
}
