import { element, XML_DECLARATION } from '../../lib/bytes/xml.ts';

/** A stable code for callers to branch on. */
export type FeedErrorCode = keyof typeof FEED_ERROR_STATUS;

/** The HTTP status of each code. */
export const FEED_ERROR_STATUS = {
  bad_parameter: 400,
  unsupported_parameter: 400,
  bad_credentials: 401,
  method_not_allowed: 405,
  no_acceptable_encoding: 406,
  precondition_failed: 412,
  too_many_attempts: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** The text of an error in XML: `<root><error><code/><message/></error></root>`. */
export function errorText(code: FeedErrorCode, message: string): string {
  return `${XML_DECLARATION}<root><error>${element('code', code)}${element('message', message)}</error></root>`;
}

/** An error in XML, which a feed's reader can show. */
export function errorDocument(code: FeedErrorCode, message: string, headers: Record<string, string> = {}): Response {
  const response = new Response(errorText(code, message), {
    status: FEED_ERROR_STATUS[code],
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  });
  errors.set(response, { code, message });
  return response;
}

/** The errors of responses, for {@link asJson}. */
const errors = new WeakMap<Response, { readonly code: FeedErrorCode; readonly message: string }>();

/** An error as JSON, for readers of a format that is JSON: `{"error":{"code":"…","message":"…"}}`; any other response as it is. */
export function asJson(response: Response): Response {
  const error = errors.get(response);
  if (error === undefined) return response;
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ error }), { status: response.status, headers });
}
