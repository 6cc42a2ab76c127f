/** One bad field of a request's body, for the `errors` member of a problem document. */
export interface FieldError {
  /** RFC 6901 JSON Pointer to the field. */
  readonly pointer: string;
  readonly detail: string;
}

/** What a problem document may carry beside its code, its status and its detail. */
export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refusal as an RFC 9457 problem document: `{ type, title, status, code, detail, errors? }`.
 *
 * @param code a stable word that callers branch on
 * @param status the HTTP status code
 * @param title what the code means, the same on every occurrence
 * @param detail what is wrong with this very request
 */
export function problem(
  code: string,
  status: number,
  title: string,
  detail: string,
  extras: ProblemExtras = {},
): Response {
  const { headers, ...members } = extras;
  return new Response(JSON.stringify({ type: 'about:blank', title, status, code, detail, ...members }), {
    status,
    headers: { 'Cache-Control': 'no-store', ...headers, 'Content-Type': 'application/problem+json' },
  });
}

/** The refusal of a method that a path does not have (RFC 9110 section 15.5.6). */
export function methodNotAllowed(allow: string): Response {
  return problem('method_not_allowed', 405, 'The method is not served here', `This path is served by ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** An RFC 6901 JSON Pointer from the names and indices that lead to a value. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
