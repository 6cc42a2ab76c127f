import type * as z from 'zod';
import { type HeaderName, LOGGED } from '../../http/headers.ts';
import {
  type DocumentedResponse,
  type Example,
  type Operation,
  type ProblemExample,
  QUOTE_REQUEST,
  UNEXPECTED,
} from '../../http/operation.ts';
import { problemSchema } from '../../http/schemas.ts';
import { allowed, PROBLEMS, type ProblemCode } from '../../problem.ts';

type Problems = Partial<Record<ProblemCode, ProblemExample>>;

/**
 * Every response of an operation, with examples: those that it declares, and the errors that follow from its access,
 * parameters and body. The examples of the latter are variations of its first one.
 *
 * @param methods the methods of its path
 */
export function responsesOf(operation: Operation, methods: readonly string[]): DocumentedResponse[] {
  if (operation.errors !== undefined) return [...successes(operation), ...operation.errors];
  const implied = impliedProblems(operation, methods);
  const declared: Problems = operation.problems ?? {};
  const codes = [...new Set([...Object.keys(implied), ...Object.keys(declared)])] as ProblemCode[];
  return [...successes(operation), ...codes.map((code) => problem(code, { ...implied[code], ...declared[code] }))];
}

/** What the helpers of `http/operation.ts` return. */
interface DeclaredResponse {
  readonly description: string;
  readonly documentedHeaders: readonly HeaderName[];
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

function successes({ responses, examples }: Operation): DocumentedResponse[] {
  const statuses = Object.keys(responses).map(Number);
  return statuses.map((status) => {
    const { description, documentedHeaders, content } = responses[status] as unknown as DeclaredResponse;
    const [media] = Object.entries(content ?? {});
    const own = Object.entries(examples).filter(([, example]) => (example.status ?? statuses[0]) === status);
    return {
      status,
      description,
      headers: [...(media === undefined ? [] : ['Cache-Control' as const]), ...documentedHeaders, ...LOGGED],
      ...(media !== undefined && { content: { mediaType: media[0], schema: media[1].schema } }),
      examples: Object.fromEntries(own),
    };
  });
}

/** A problem document as a response. */
function problem(code: ProblemCode, { description, detail, errors, headers = [], ...example }: ProblemExample) {
  const [status, title] = PROBLEMS[code];
  const name = code.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  const body = { type: 'about:blank', title, status, code, detail, ...(errors && { errors }) };
  return {
    status,
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control' as const, ...headers, ...LOGGED],
    content: { mediaType: 'application/problem+json', schema: problemSchema },
    examples: example.request === undefined ? {} : { [name]: { ...example, body } satisfies Example },
  };
}

function impliedProblems(operation: Operation, methods: readonly string[]): Problems {
  const usual = Object.values(operation.examples)[0]?.request ?? {};
  const others = {
    ...usual,
    body: undefined,
    method: ['DELETE', 'PUT', 'PATCH', 'POST'].find((method) => !methods.includes(method))!,
  };
  return {
    ...accessProblems(operation, usual),
    ...bodyProblems(operation, usual),
    ...(operation.request?.query !== undefined && {
      bad_parameter: {
        description: '`limit` or `cursor` is invalid.',
        detail: 'limit must be an integer from 1 to 500.',
        request: { ...usual, query: { limit: '0' } },
      },
    }),
    method_not_allowed: {
      description: 'another method.',
      detail: `Use ${allowed(methods)}.`,
      request: others,
      headers: ['Allow'],
    },
    internal: { description: UNEXPECTED, detail: QUOTE_REQUEST, request: usual, when: 'an unexpected error' },
  };
}

function accessProblems({ middleware, limited, path, responses }: Operation, usual: Example['request'] = {}): Problems {
  const scope = middleware?.security.flatMap((schemes) => schemes.accessToken ?? [])[0];
  if (scope === undefined) return {};
  const challenge = ['WWW-Authenticate'] as const;
  const invalidToken = { ...usual, headers: { ...usual.headers, Authorization: 'Bearer no-token' } };
  return {
    missing_token: {
      description: 'there is no `Authorization: Bearer`.',
      detail: 'Send the token as Authorization: Bearer.',
      request: usual,
      when: 'no credentials',
      headers: challenge,
    },
    invalid_token: {
      description: 'the token is expired, malformed, revoked or meant for another service; request a new one.',
      detail: 'The access token is malformed, revoked, or meant for another service.',
      request: invalidToken,
      headers: challenge,
    },
    insufficient_scope: {
      description: 'the token lacks the scope of the operation.',
      detail: `The access token lacks the scope ${scope}.`,
      request: usual,
      when: 'the token lacks the scope',
      headers: challenge,
    },
    too_many_requests: {
      description: limited
        ? 'the client has changed too much in this minute, or its address has sent too many invalid tokens.'
        : 'too many invalid tokens from this address in this minute.',
      detail: 'Retry after 60 seconds.',
      headers: ['Retry-After'],
      ...(limited && { request: usual, when: 'a rate limit is exceeded' }),
    },
    ...(!('503' in responses) && {
      unavailable: {
        description: 'the database, a setting or the token issuer fails. Repeat the request.',
        detail: path.startsWith('/v1/developments') ? 'Retry later; updates are idempotent.' : 'Retry later.',
        request: usual,
        when: 'the database fails',
        headers: ['Retry-After'],
      },
    }),
  };
}

function bodyProblems({ request }: Operation, usual: Example['request']): Problems {
  const { maxBytes } = (request?.body ?? {}) as { readonly maxBytes?: number };
  if (maxBytes === undefined) return {};
  const maximum = `${maxBytes / 1024} KiB`;
  return {
    not_json: {
      description: 'the body is not JSON in UTF-8, or a member is repeated.',
      detail: 'The text is not JSON.',
      request: { ...usual, body: '{"UntName": "A-101",' },
    },
    body_too_large: {
      description: `more than ${maximum}.`,
      detail: `The maximum is ${maximum}.`,
      request: { ...usual, body: ' '.repeat(maxBytes + 1) },
    },
    unsupported_media_type: {
      description: 'not `application/json`, or compressed.',
      detail: 'The body must be application/json.',
      request: { ...usual, mediaType: 'text/plain' },
    },
    invalid_fields: {
      description: '`errors` lists the invalid fields.',
      detail: 'See errors for the invalid fields.',
      request: { ...usual, body: null },
      errors: [{ pointer: '', detail: 'must be an object' }],
    },
  };
}
