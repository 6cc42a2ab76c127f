import { type HeaderName, LOGGED, USUAL_ERROR_HEADER } from '../../http/headers.ts';
import {
  type DeclaredResponses,
  type DocumentedResponse,
  type Example,
  type Operation,
  type ProblemExample,
  QUOTE_REQUEST,
  type RequestSchemas,
  UNEXPECTED,
} from '../../http/operation.ts';
import { CREATED, EXISTING, problemSchema } from '../../http/schemas.ts';
import { SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { allowed, notFound, PROBLEMS, type ProblemCode } from '../../problem.ts';

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

function successes({ responses: declared, examples }: Operation): DocumentedResponse[] {
  const responses = declared as unknown as DeclaredResponses;
  const statuses = Object.keys(responses).map(Number);
  return statuses.map((status) => {
    const { description, documentedHeaders, content } = responses[status]!;
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
function problem(code: ProblemCode, { description, detail, errors, headers, ...example }: ProblemExample) {
  const [status, title] = PROBLEMS[code];
  const name = code.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  const body = { type: 'about:blank', title, status, code, detail, ...(errors && { errors }) };
  const usual: readonly HeaderName[] = headers ?? USUAL_ERROR_HEADER[status] ?? [];
  return {
    status,
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control' as const, ...usual, ...LOGGED],
    content: { mediaType: 'application/problem+json', schema: problemSchema },
    examples: example.request === undefined ? {} : { [name]: { ...example, body } satisfies Example },
  };
}

function impliedProblems(operation: Operation, methods: readonly string[]): Problems {
  const usual = Object.values(operation.examples)[0]?.request ?? {};
  const { query, params, body } = (operation.request ?? {}) as unknown as RequestSchemas;
  const method = ['DELETE', 'PUT', 'PATCH', 'POST'].find((one) => !methods.includes(one))!;
  return {
    ...accessProblems(operation, usual),
    ...(body?.maxBytes !== undefined && bodyProblems(body.maxBytes, usual)),
    ...(query !== undefined && {
      bad_parameter: {
        description: '`limit` or `cursor` is invalid.',
        detail: 'limit must be an integer from 1 to 500.',
        request: { ...usual, query: { limit: '0' } },
      },
    }),
    ...(params !== undefined && pathProblems(params, usual)),
    method_not_allowed: {
      description: 'another method.',
      detail: `Use ${allowed(methods)}.`,
      request: { ...usual, body: undefined, method },
    },
    internal: { description: UNEXPECTED, detail: QUOTE_REQUEST, request: usual, when: 'an unexpected error' },
  };
}

/** The problems of a path: to what does not exist, or what could not. */
function pathProblems(params: NonNullable<RequestSchemas['params']>, usual: Example['request']): Problems {
  const [existing, created] = [EXISTING.get(params), CREATED.get(params)];
  const requestOf = (kind: string, name: string) => ({ ...usual, path: { ...usual?.path, [kind]: name } });
  if (created !== undefined) {
    const { kind } = created;
    const detail = `${kind} must consist of ${SHORT_NAME_RULE}.`;
    return {
      bad_parameter: { description: `a ${kind} cannot have this name.`, detail, request: requestOf(kind, 'CRM!') },
    };
  }
  if (existing === undefined) return {};
  const { kind, missing } = existing;
  const { code, detail } = notFound(kind, missing);
  return {
    [code]: { description: `the account has no such ${kind}.`, detail, request: requestOf(kind, String(missing)) },
  };
}

function accessProblems({ middleware, limited, path, responses }: Operation, usual: Example['request'] = {}): Problems {
  const scope = middleware?.security.flatMap((schemes) => schemes.accessToken ?? [])[0];
  if (scope === undefined) return {};
  return {
    missing_token: {
      description: 'there is no `Authorization: Bearer`.',
      detail: 'Send the token as Authorization: Bearer.',
      request: usual,
      when: 'no credentials',
    },
    invalid_token: {
      description: 'the token is expired, malformed, revoked or meant for another service; request a new one.',
      detail: 'The access token is malformed, revoked, or meant for another service.',
      request: { ...usual, headers: { ...usual.headers, Authorization: 'Bearer no-token' } },
    },
    insufficient_scope: {
      description: 'the token lacks the scope of the operation.',
      detail: `The access token lacks the scope ${scope}.`,
      request: usual,
      when: 'the token lacks the scope',
      headers: ['WWW-Authenticate'],
    },
    too_many_requests: {
      description: limited
        ? 'the client has changed too much in this minute, or its address has sent too many invalid tokens.'
        : 'too many invalid tokens from this address in this minute.',
      detail: 'Retry after 60 seconds.',
      ...(limited && { request: usual, when: 'a rate limit is exceeded' }),
    },
    ...(!('503' in responses) && {
      unavailable: {
        description: 'the database, a setting or the token issuer fails. Repeat the request.',
        detail: path.startsWith('/v1/developments') ? 'Retry later; updates are idempotent.' : 'Retry later.',
        request: usual,
        when: 'the database fails',
      },
    }),
  };
}

function bodyProblems(maxBytes: number, usual: Example['request']): Problems {
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
