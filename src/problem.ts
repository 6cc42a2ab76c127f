/** The codes of refusals, each with its HTTP status and what it means, in the order of the statuses. */
const PROBLEMS = {
  not_json: [400, 'The body is not JSON'],
  bad_parameter: [400, 'A parameter is invalid'],
  missing_token: [401, 'An access token is required'],
  invalid_token: [401, 'The access token was rejected'],
  insufficient_scope: [403, 'The access token lacks the required scope'],
  development_not_found: [404, 'There is no such development'],
  unit_not_found: [404, 'There is no such unit'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  precondition_failed: [412, 'The condition of If-Match does not hold'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  invalid_fields: [422, 'Fields of the body are invalid'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** One bad field of a request's body. */
export interface FieldError {
  /** RFC 6901 JSON Pointer to the field. */
  readonly pointer: string;
  readonly detail: string;
}

/** Why a request, or a part of one, is refused. */
export interface Refusal {
  /** A stable word that callers branch on. */
  readonly code: keyof typeof PROBLEMS;
  /** What is wrong with this very request. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** The HTTP status of a refusal. */
export function statusOf({ code }: Refusal): number {
  return PROBLEMS[code][0];
}

/** A refusal as an RFC 9457 problem document: `{ type, title, status, code, detail, errors? }`. */
export function problem(refusal: Refusal, headers: Readonly<Record<string, string>> = {}): Response {
  const [status, title] = PROBLEMS[refusal.code];
  return new Response(JSON.stringify({ type: 'about:blank', title, status, ...refusal }), {
    status,
    headers: { 'Cache-Control': 'no-store', ...headers, 'Content-Type': 'application/problem+json' },
  });
}

/** The refusal of a method that a path does not have (RFC 9110 section 15.5.6). */
export function methodNotAllowed(allow: string): Response {
  return problem({ code: 'method_not_allowed', detail: `This path is served by ${allow}.` }, { Allow: allow });
}

/** An RFC 6901 JSON Pointer from the names and indices that lead to a value. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
