import type * as z from 'zod';
import { LOGGED, USUAL_ERROR_HEADER } from '../api/headers.ts';
import { typesOf } from '../api/old-validation.ts';
import type {
  DocumentedResponse,
  ErrorForm,
  Example,
  ExampleRequest,
  Operation,
  ProblemExample,
  RequestSchemas,
} from '../api/operation.ts';
import { IMPLIED_ERRORS, problemSchema } from '../api/schemas.ts';
import { allowed, PROBLEMS, type ProblemCode } from '../problem.ts';

type Problems = Readonly<Record<string, ProblemExample>>;

const PROBLEM_DOCUMENTS: ErrorForm = {
  mediaType: 'application/problem+json',
  schema: problemSchema,
  statuses: Object.fromEntries(Object.entries(PROBLEMS).map(([code, [status]]) => [code, status])),
  bodyOf: (code, detail, errors) => {
    const [status, title] = PROBLEMS[code as ProblemCode];
    return { type: 'about:blank', title, status, code, detail, ...(errors && { errors }) };
  },
};

/**
 * Every response of an operation, with examples: those that it declares, and the errors that follow from its access,
 * parameters and body. The examples of errors are variations of its first one.
 *
 * @param methods the methods of its path
 */
export function responsesOf(
  operation: Operation,
  methods: readonly string[],
): DocumentedResponse[] {
  const { errorForm = PROBLEM_DOCUMENTS, problems: declared = {} } = operation;
  const usual = Object.values(operation.examples)[0]?.request ?? {};
  const implied = impliedProblems(operation, methods);
  const errors = Object.keys({ ...implied, ...declared }).map((name) =>
    errorResponse(errorForm, name, { ...implied[name], ...declared[name] }, usual),
  );
  return [...successes(operation), ...errors];
}

function successes({ responses, examples }: Operation): DocumentedResponse[] {
  const statuses = Object.keys(responses).map(Number);
  return statuses.map((status) => {
    const { headers, ...declared } = responses[status]!;
    const own = Object.entries(examples).filter(
      ([, example]) => (example.status ?? statuses[0]) === status,
    );
    return {
      ...declared,
      status,
      headers: [
        ...(declared.content === undefined ? [] : ['Cache-Control' as const]),
        ...headers,
        ...LOGGED,
      ],
      examples: Object.fromEntries(own),
    };
  });
}

function errorResponse(
  { mediaType, schema, statuses, codes, headers = [], bodyOf }: ErrorForm,
  name: string,
  { description, detail = '', errors, request, when }: ProblemExample,
  usual: ExampleRequest,
): DocumentedResponse {
  const code = codes?.[name] ?? name;
  const status = statuses[name] ?? statuses[code]!;
  const inCamelCase = name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  const example: Example = {
    request: varied(usual, request),
    when,
    body: bodyOf(code, detail, errors),
  };
  return {
    status,
    description: `\`${code}\`: ${description ?? detail}`,
    headers: ['Cache-Control', ...headers, ...(USUAL_ERROR_HEADER[status] ?? []), ...LOGGED],
    content: { mediaType, schema },
    examples: request === undefined ? {} : { [inCamelCase]: example },
  };
}

function varied(
  usual: ExampleRequest,
  { path, query, headers, ...others }: ExampleRequest = {},
): ExampleRequest {
  return {
    ...usual,
    ...others,
    path: { ...usual.path, ...path },
    query: { ...usual.query, ...query },
    headers: { ...usual.headers, ...headers },
  };
}

function impliedProblems(operation: Operation, methods: readonly string[]): Problems {
  const { query, params, body }: RequestSchemas = operation.request ?? {};
  const method = ['DELETE', 'PUT', 'PATCH', 'POST'].find((one) => !methods.includes(one))!;
  return {
    ...accessProblems(operation),
    ...(body?.maxBytes !== undefined && bodyProblems(body.maxBytes, body.content)),
    ...(query !== undefined && {
      bad_parameter: {
        description: '`limit` or `cursor` is invalid.',
        detail: 'limit must be an integer from 1 to 500.',
        request: { query: { limit: '0' } },
      },
    }),
    ...pathProblems(params?.shape ?? {}),
    method_not_allowed: {
      description: 'another method.',
      detail: `Use ${allowed(methods)}.`,
      request: { body: undefined, method },
    },
    internal: {
      description: 'unexpected; the log contains the error under the id that the document states.',
      detail: 'Please quote request 0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e.',
      request: {},
      when: 'an unexpected error',
    },
  };
}

/** The errors of a path that names something that does not exist, or that cannot exist. */
function pathProblems(parameters: z.core.$ZodShape): Problems {
  const implied = Object.entries(parameters).flatMap(([name, parameter]) => {
    const { value, code, ...error } = IMPLIED_ERRORS.get(parameter) ?? {};
    return value === undefined ? [] : [[code, { ...error, request: { path: { [name]: value } } }]];
  });
  return Object.fromEntries(implied);
}

const OPERATOR_PROBLEMS: Problems = {
  missing_token: {
    description: 'there is no `Authorization: Bearer`.',
    detail: 'Send the operator’s key as Authorization: Bearer.',
    request: {},
    when: 'no credentials',
  },
  invalid_token: {
    description: 'it is not the operator’s key.',
    detail: 'This is not the operator’s key.',
    request: { headers: { Authorization: 'Bearer no-key' } },
  },
  too_many_requests: {
    description: 'too many invalid credentials from this address in this minute.',
    detail: 'Retry after 60 seconds.',
  },
  unavailable: {
    description: 'the database or a setting fails. Repeat the request.',
    detail: 'Retry later.',
    request: {},
    when: 'the database fails',
  },
};

function accessProblems({ middleware, limited, path, responses }: Operation): Problems {
  if (middleware?.security.some((schemes) => schemes.operatorKey)) return OPERATOR_PROBLEMS;
  const scope = middleware?.security.flatMap((schemes) => schemes.accessToken ?? [])[0];
  if (scope === undefined) return {};
  return {
    missing_token: {
      description: 'there is no `Authorization: Bearer`.',
      detail: 'Send the token as Authorization: Bearer.',
      request: {},
      when: 'no credentials',
    },
    invalid_token: {
      description:
        'the token is expired, malformed, revoked or meant for another service; request a new one.',
      detail: 'The access token is malformed, revoked, or meant for another service.',
      request: { headers: { Authorization: 'Bearer no-token' } },
    },
    insufficient_scope: {
      description: 'the token lacks the scope of the operation.',
      detail: `The access token lacks the scope ${scope}.`,
      request: {},
      when: 'the token lacks the scope',
    },
    too_many_requests: {
      description: limited
        ? 'the account’s clients have made too many changes in this minute, or this address has sent too many invalid tokens.'
        : 'too many invalid credentials from this address in this minute.',
      detail: 'Retry after 60 seconds.',
      ...(limited && { request: {}, when: 'a rate limit is exceeded' }),
    },
    ...(!('503' in responses) && {
      unavailable: {
        description: 'the database, a setting or the token issuer fails. Repeat the request.',
        detail: path.startsWith('/v1/developments')
          ? 'Retry later; updates are idempotent.'
          : 'Retry later.',
        request: {},
        when: 'the database fails',
      },
    }),
  };
}

function bodyProblems(maxBytes: number, content: object): Problems {
  const maximum = `${maxBytes / 1024} KiB`;
  return {
    not_json: {
      description: 'the body is not JSON in UTF-8, or a member is repeated.',
      detail: 'The text is not JSON.',
      request: { body: '{"UntName": "A-101",' },
    },
    body_too_large: {
      description: `more than ${maximum}.`,
      detail: `The maximum is ${maximum}.`,
      request: { body: ' '.repeat(maxBytes + 1) },
    },
    unsupported_media_type: {
      description: 'another media type, or a `Content-Encoding`.',
      detail: `The body must be ${typesOf(content)}.`,
      request: { mediaType: 'text/plain' },
    },
    invalid_fields: {
      description: '`errors` lists the invalid fields.',
      detail: 'See errors for the invalid fields.',
      request: { body: null },
      errors: [{ pointer: '', detail: 'must be an object' }],
    },
  };
}
