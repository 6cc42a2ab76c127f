import { element, XML_DECLARATION } from '../../lib/xml.ts';

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

/** An error in XML, which a feed's reader can show: `<root><error><code/><message/></error></root>`. */
export function errorDocument(code: FeedErrorCode, message: string, headers: Record<string, string> = {}): Response {
  const xml = `${XML_DECLARATION}<root><error>${element('code', code)}${element('message', message)}</error></root>`;
  return new Response(xml, {
    status: FEED_ERROR_STATUS[code],
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  });
}
