import { type CodedMessage, inEnglish, type MessageCode } from './messages/messages.ts';

/** The error codes of the API, each with its HTTP status and title, ordered by status. */
export const PROBLEMS = {
  not_json: [400, 'The body is not JSON'],
  bad_parameter: [400, 'A parameter is invalid'],
  bad_credentials: [401, 'The credentials are wrong'],
  missing_token: [401, 'An access token is required'],
  invalid_token: [401, 'The access token is invalid'],
  insufficient_scope: [403, 'The access token lacks the required scope'],
  account_not_found: [404, 'The account does not exist'],
  operation_not_found: [404, 'The operation does not exist'],
  client_not_found: [404, 'The client does not exist'],
  database_not_found: [404, 'The database does not exist'],
  backup_not_found: [404, 'The backup does not exist'],
  development_not_found: [404, 'The development does not exist'],
  unit_not_found: [404, 'The unit does not exist'],
  property_not_found: [404, 'The property does not exist'],
  format_not_found: [404, 'The format has no settings'],
  channel_not_found: [404, 'The channel does not exist'],
  import_not_found: [404, 'The import does not exist'],
  source_not_found: [404, 'The source does not exist'],
  webhook_not_found: [404, 'The webhook does not exist'],
  reader_not_found: [404, 'The reader does not exist'],
  picture_not_found: [404, 'The picture does not exist'],
  name_not_found: [404, 'The account has no such name of its own'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  account_in_use: [409, 'The code is in use'],
  account_enabled: [409, 'The account is enabled'],
  account_moving: [409, 'The account is being moved'],
  account_deleting: [409, 'The account is being deleted'],
  client_in_use: [409, 'The id is in use'],
  reader_in_use: [409, 'The name is in use'],
  channel_in_use: [409, 'The channel is in use'],
  wrong_state: [409, 'The import is in another state'],
  too_many_imports: [409, 'The account has too many waiting imports'],
  too_many_sources: [409, 'The account has too many sources'],
  unit_in_use: [409, 'The unit belongs to a property'],
  name_in_use: [409, 'The name is in use'],
  too_many_pictures: [409, 'The property has too many pictures'],
  too_many_webhooks: [409, 'The account has too many webhooks'],
  cursor_expired: [410, 'The cursor has expired'],
  precondition_failed: [412, 'The precondition is not met'],
  body_too_large: [413, 'The body is too large'],
  picture_too_large: [413, 'The picture is too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  picture_format: [415, 'The file is no picture of a known format'],
  picture_not_jpeg: [415, 'The picture is no JPEG'],
  invalid_fields: [422, 'The body has invalid fields'],
  picture_heic_not_read: [422, 'The HEIC file cannot be read'],
  picture_damaged: [422, 'The picture is damaged'],
  picture_too_many_pixels: [422, 'The picture has too many pixels'],
  too_many_requests: [429, 'Too many requests'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An invalid field of a request's body. */
export interface FieldError {
  /** RFC 6901 JSON Pointer to the field. */
  readonly pointer: string;
  /** What is wrong with it, and the numbers and names that say so: callers branch on these. */
  readonly code: MessageCode;
  readonly parameters?: CodedMessage['parameters'];
  /** The same in English, as a predicate to the name of the field. */
  readonly detail: string;
}

/** What is wrong with the field at a pointer. */
export function fieldError(pointer: string, message: CodedMessage): FieldError {
  return { pointer, ...message, detail: inEnglish(message) };
}

/** Why a request, or one update of several, failed (RFC 9457). */
export interface Problem {
  /** Stable: callers branch on it. */
  readonly code: ProblemCode;
  /** What exactly is wrong with this request, where a code is not enough. */
  readonly reason?: MessageCode;
  readonly parameters?: CodedMessage['parameters'];
  /** The same in English. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Names that are like the one that was not found, the most similar first. */
  readonly similar?: readonly string[];
}

/** Thrown to respond with a problem. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  /** @param headers of the response, in addition to the common ones */
  constructor(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail);
    this.problem = problem;
    this.headers = headers;
  }
}

/** The URL of the page that explains a problem (RFC 9457 section 3.1.1), relative to the service. */
export function typeOf(code: ProblemCode): string {
  return `/problems/${code}`;
}

/** The HTTP status of a problem. */
export function statusOf({ code }: Pick<Problem, 'code'>): number {
  return PROBLEMS[code][0];
}

/** Kinds of things that an account can lack: each has a 404 of its own. */
export type NotFoundKind =
  Extract<ProblemCode, `${string}_not_found`> extends `${infer Kind}_not_found` ? Kind : never;

/** The problem of something that an account does not have: the same whether another account has it or not. */
export function notFound(kind: NotFoundKind, name: string | number): Problem {
  return {
    code: `${kind}_not_found`,
    detail: `The account has no ${kind} ${JSON.stringify(name)}.`,
  };
}

/** The problem of an account that does not exist, for the operator. */
export function noAccount(code: string): Problem {
  return { code: 'account_not_found', detail: `There is no account ${JSON.stringify(code)}.` };
}

/** @throws ProblemError if there is no value */
export function existing<Value>(value: Value | null | undefined, problem: Problem): Value {
  if (value === null || value === undefined) throw new ProblemError(problem);
  return value;
}

/** An RFC 9457 problem document: `{ type, title, status, code, detail, errors? }`. */
export function problemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const [status, title] = PROBLEMS[problem.code];
  return new Response(JSON.stringify({ type: typeOf(problem.code), title, status, ...problem }), {
    status,
    headers: {
      'Cache-Control': 'no-store',
      ...headers,
      'Content-Type': 'application/problem+json',
    },
  });
}

/** The problem of a code, and what exactly is wrong. */
export function problemOf(code: ProblemCode, { code: reason, parameters }: CodedMessage): Problem {
  const detail = inEnglish({ code: reason, parameters });
  return { code, reason, ...(parameters && { parameters }), detail };
}

/** The problem of a body with invalid fields. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  return { code: 'invalid_fields', detail: 'See errors for the invalid fields.', errors };
}

/** Methods in the order in which `Allow` lists them. */
export function allowed(methods: readonly string[]): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
    .filter((method) => methods.includes(method))
    .join(', ');
}

/** A 405 response with the allowed methods (RFC 9110 section 15.5.6). */
export function methodNotAllowed(allow: string): Response {
  return problemResponse({ code: 'method_not_allowed', detail: `Use ${allow}.` }, { Allow: allow });
}

/** An RFC 6901 JSON Pointer from the names and indices that lead to a value. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
