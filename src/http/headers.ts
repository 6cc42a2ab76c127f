/** The headers of responses, each with what it states. */
export const HEADERS = {
  Allow: { description: 'The methods of this path.', example: 'GET, HEAD' },
  'Cache-Control': { description: 'Whether and for how long the response may be cached.', example: 'no-store' },
  'Cache-Status': {
    description: 'How many parts of the feed were cached (RFC 9211).',
    example: 'Lindero; hit; detail="1 of 1 parts cached"',
  },
  'Content-Length': { description: 'The length of the body in bytes, if it is known in advance.', example: '1024' },
  ETag: { description: 'The version of what the response contains (RFC 9110 section 8.8.3).', example: '"2"' },
  'Last-Modified': {
    description: 'When the feed last changed; absent in the first seconds after a change.',
    example: 'Sun, 01 Nov 2026 09:30:00 GMT',
  },
  Link: {
    description: 'The next page of the list, if there is one (RFC 8288). Use it verbatim.',
    example: '</v1/developments?limit=1&cursor=c29sLWF6dWw>; rel="next"',
  },
  Location: { description: 'Where the created resource is.', example: '/v1/readers/idealista' },
  Pragma: { description: 'As RFC 6749 section 5.1 requires.', example: 'no-cache' },
  'Preference-Applied': { description: 'The wait that was granted (RFC 7240).', example: 'wait=30' },
  'Retry-After': { description: 'Seconds after which to repeat the request.', example: '5' },
  'Server-Timing': {
    description: 'How long the steps took, in milliseconds; absent for a feed from the cache.',
    example: 'total;dur=12',
  },
  Vary: { description: 'The request headers that the response depends on.', example: 'Accept-Encoding' },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what is wrong with the credentials.',
    example: 'Bearer realm="units"',
  },
  'X-Request-Id': {
    description: 'The id of the request in the service’s log; absent for a feed from the cache, which is not logged.',
    example: '0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e',
  },
} as const satisfies Record<string, Readonly<Record<'description' | 'example', string>>>;

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
