import type { HeaderName } from '../http/headers.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../http/page.ts';
import type { FieldError } from '../problem.ts';
import type { DocumentedResponse, ExampleRequest, Parameter } from './operation.ts';
import { LOGGED, problem } from './problems.ts';

export const JSON_TYPE = 'application/json';

/** The parameters of a list. */
export const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Entries of a page.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'From the `Link` header of the page before.',
    schema: { type: 'string' },
  },
];

/** Headers and contents of a 200. */
export function ok(
  headers: readonly HeaderName[],
  content: Omit<DocumentedResponse, 'status' | 'headers'>,
): DocumentedResponse {
  return { status: 200, headers: ['Cache-Control', ...headers, ...LOGGED], ...content };
}

/** What every list can respond if its parameters are invalid. */
export function badPage(request: ExampleRequest): DocumentedResponse {
  return problem(
    'bad_parameter',
    '`limit` or `cursor` is invalid.',
    `limit must be an integer from 1 to ${MAX_LIMIT}.`,
    {
      name: 'badParameter',
      request: { ...request, query: { limit: '0' } },
    },
  );
}

/** What every operation that changes something can respond. */
export function tooManyChanges(request: ExampleRequest): DocumentedResponse {
  return problem(
    'too_many_requests',
    'the client has changed too much in this minute.',
    'Retry after 60 seconds.',
    { name: 'tooManyRequests', request, when: 'a rate limit is exceeded' },
    ['Retry-After'],
  );
}

/** What every operation whose body has fields can respond. */
export function invalidFields(request: ExampleRequest, ...errors: readonly FieldError[]): DocumentedResponse {
  return problem(
    'invalid_fields',
    '`errors` lists the invalid fields.',
    'See errors for the invalid fields.',
    { name: 'invalidFields', request },
    [],
    errors,
  );
}

/** What every operation with a body can respond. */
export function withBody(request: ExampleRequest, maxKibibytes: number): DocumentedResponse[] {
  return [
    problem('not_json', 'the body is not JSON in UTF-8, or a member is repeated.', 'The text is not JSON.', {
      name: 'notJson',
      request: { ...request, body: '{"UntName": "A-101",' },
    }),
    problem('body_too_large', `more than ${maxKibibytes} KiB.`, `The maximum is ${maxKibibytes} KiB.`, {
      name: 'bodyTooLarge',
      request: { ...request, body: ' '.repeat(maxKibibytes * 1024 + 1) },
    }),
    problem('unsupported_media_type', 'not `application/json`, or compressed.', 'The body must be application/json.', {
      name: 'unsupportedMediaType',
      request: { ...request, mediaType: 'text/plain' },
    }),
    tooManyChanges(request),
  ];
}
