import type HEADERS from './headers.json';

/** A header of responses. `headers.json` describes each in the form of OpenAPI, and says whether a response may lack it. */
export type HeaderName = keyof typeof HEADERS;

/** The headers of every response that has a log line. */
export const LOGGED = ['X-Request-Id', 'Server-Timing'] as const satisfies readonly HeaderName[];

/** The header that errors of a status have. */
export const USUAL_ERROR_HEADER: Readonly<Partial<Record<number, readonly HeaderName[]>>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
