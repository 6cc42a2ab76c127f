import { element, XML_DECLARATION, XML_TYPE } from '../../lib/bytes/xml.ts';
import { retryAfter } from '../../rate-limits.ts';
import { type ParameterError, sentences } from '../formats/parameters.ts';

/** A stable code for callers to branch on. */
export type FeedErrorCode = keyof typeof FEED_ERROR_STATUS;

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

/** Why a request gets no feed, as its reader is told. */
export class FeedError extends Error {
  readonly code: FeedErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FeedErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/**
 * The document of an error, which a feed's reader can show: `<root><error><code/><message/></error></root>` or, in a format that
 * is JSON, `{"error":{"code":"…","message":"…"}}`.
 */
export function errorDocument({ code, message, headers }: FeedError, isJson: boolean): Response {
  return new Response(errorText(code, message, isJson), {
    status: FEED_ERROR_STATUS[code],
    headers: {
      'Content-Type': isJson ? 'application/json' : XML_TYPE,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}

/** The text of {@link errorDocument}. */
export function errorText(code: FeedErrorCode, message: string, isJson: boolean): string {
  if (isJson) return JSON.stringify({ error: { code, message } });
  return `${XML_DECLARATION}<root><error>${element('code', code)}${element('message', message)}</error></root>`;
}

/** For invalid credentials, by the outcome of checking them. */
export function rejection(
  kind: 'denied' | 'too many attempts' | 'unverifiable',
  request: Request,
): FeedError {
  if (kind === 'unverifiable') return unavailable();
  if (kind === 'denied') return unauthorized('The account or the password is wrong.');
  const headers = { 'Retry-After': String(retryAfter(request)) };
  return new FeedError(
    'too_many_attempts',
    'Too many password attempts. Retry in a minute.',
    headers,
  );
}

/** What a 401 asks for: the credentials of a feed. */
export const BASIC_CHALLENGE = 'Basic realm="Lindero", charset="UTF-8"';

export function unauthorized(message: string): FeedError {
  return new FeedError('bad_credentials', message, {
    'WWW-Authenticate': BASIC_CHALLENGE,
  });
}

export function badParameters(errors: readonly ParameterError[]): FeedError {
  const code = errors.every(({ unsupported }) => unsupported)
    ? 'unsupported_parameter'
    : 'bad_parameter';
  return new FeedError(code, sentences(errors));
}

/** For a reader that takes only a feed of fewer records. */
export function tooManyRecords(limit: number, records: number): FeedError {
  return new FeedError(
    'unsupported_parameter',
    `The feed has ${records} ${records === 1 ? 'record' : 'records'}, and N is ${limit}. A feed is always complete: omit N or set it above ${records}.`,
  );
}

export function unavailable(): FeedError {
  return new FeedError('unavailable', 'The feed is temporarily unavailable. Retry later.', {
    'Retry-After': '30',
  });
}
