import HEADERS from './headers.json' with { type: 'json' };

/** The headers of responses, each with what it states. */
export { HEADERS };

export type HeaderName = keyof typeof HEADERS;

/** Headers that a response with this description may lack: what is unknown, or too slow to add to a cached feed. */
export const OPTIONAL_HEADERS: readonly HeaderName[] = [
  'Content-Length',
  'Last-Modified',
  'Link',
  'Preference-Applied',
  'Server-Timing',
  'X-Request-Id',
];

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
