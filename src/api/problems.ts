import type { HeaderName } from '../http/headers.ts';
import { problemSchema } from '../http/schemas.ts';
import { PROBLEMS } from '../problem.ts';
import type { DocumentedResponse, Example, ExampleRequest } from './operation.ts';

/** The headers of every response that has a log line. */
export const LOGGED = ['X-Request-Id', 'Server-Timing'] as const satisfies readonly HeaderName[];

/** A problem document as a response. */
export function problem(
  code: keyof typeof PROBLEMS,
  description: string,
  detail: string,
  example: Omit<Example, 'body'>,
  headers: readonly HeaderName[] = [],
  errors?: readonly { readonly pointer: string; readonly detail: string }[],
): DocumentedResponse {
  const [status, title] = PROBLEMS[code];
  const body = { type: 'about:blank', title, status, code, detail, ...(errors && { errors }) };
  return {
    status,
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control', ...headers, ...LOGGED],
    content: { mediaType: 'application/problem+json', schema: problemSchema },
    examples: [{ ...example, body }],
  };
}

/** What causes an unexpected error, and what its document asks for. */
export const UNEXPECTED = 'unexpected; the log contains the error under the id that the document states.';
export const QUOTE_REQUEST = 'Please quote request 0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e.';

/** An unexpected error. */
export function internal(name: string, request: ExampleRequest): DocumentedResponse {
  return problem('internal', UNEXPECTED, QUOTE_REQUEST, { name, request, when: 'an unexpected error' });
}

/** What the service says in general if the database fails. */
export const RETRY = 'Retry later.';

/** A method that the path does not have. */
export function methodNotAllowed(allow: string, request: ExampleRequest, method = 'DELETE'): DocumentedResponse {
  return problem(
    'method_not_allowed',
    'another method.',
    `Use ${allow}.`,
    { name: 'methodNotAllowed', request: { ...request, method } },
    ['Allow'],
  );
}

/**
 * What every operation with an access token can respond.
 *
 * @param retry what it says if the database fails
 */
export function tokenProblems(scope: string, request: ExampleRequest, retry: string): DocumentedResponse[] {
  return [
    problem(
      'missing_token',
      'there is no `Authorization: Bearer`.',
      'Send the token as Authorization: Bearer.',
      { name: 'missingToken', request, when: 'no credentials' },
      ['WWW-Authenticate'],
    ),
    problem(
      'invalid_token',
      'the token is expired, malformed, revoked or meant for another service; request a new one.',
      'The access token is malformed, revoked, or meant for another service.',
      { name: 'invalidToken', request: { ...request, headers: { Authorization: 'Bearer no-token' } } },
      ['WWW-Authenticate'],
    ),
    problem(
      'insufficient_scope',
      'the token lacks the scope of the operation.',
      `The access token lacks the scope ${scope}.`,
      { name: 'insufficientScope', request, when: 'the token lacks the scope' },
      ['WWW-Authenticate'],
    ),
    internal('internal', request),
    problem(
      'unavailable',
      'the database, a setting or the token issuer fails. Repeat the request.',
      retry,
      { name: 'unavailable', request, when: 'the database fails' },
      ['Retry-After'],
    ),
  ];
}
