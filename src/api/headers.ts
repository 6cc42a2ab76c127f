/** A header of responses as the OpenAPI document describes it: `required` unless some lack it. */
function header(description: string, example: string, required = true) {
  return { description, required, schema: { type: 'string' as const }, example };
}

/** The headers that responses of the API have. */
export const HEADERS = {
  'Access-Control-Allow-Origin': header(
    'Programs in browsers of any site may read the response.',
    '*',
  ),
  Allow: header('The methods of this path.', 'GET, HEAD'),
  'Cache-Control': header('Whether and for how long the response may be cached.', 'no-store'),
  'Cache-Status': header(
    'Whether the feed was cached, and for a reader of the whole account how many parts (RFC 9211).',
    'Lindero; hit; detail="1 of 1 parts cached"',
  ),
  'Content-Length': header(
    'The length of the body in bytes, if it is known in advance.',
    '1024',
    false,
  ),
  ETag: header('The version of what the response contains (RFC 9110 section 8.8.3).', '"2"'),
  'Last-Modified': header(
    'When the feed last changed; absent in the first seconds after a change.',
    'Sun, 01 Nov 2026 09:30:00 GMT',
    false,
  ),
  Link: header(
    'The next page of the list, if there is one (RFC 8288). Use it verbatim.',
    '</v1/developments?limit=1&cursor=OnNvbC1henVs>; rel="next"',
    false,
  ),
  Location: header('Where the created resource is.', '/v1/readers/idealista'),
  Pragma: header('As RFC 6749 section 5.1 requires.', 'no-cache'),
  'Preference-Applied': header('The wait that was granted (RFC 7240).', 'wait=30', false),
  RateLimit: header(
    'What is left of the limit, and the seconds until there is more; only of a limit that is reached.',
    '"updates";r=0;t=60',
    false,
  ),
  'RateLimit-Policy': header(
    'The limit, and its period in seconds.',
    '"updates";q=3000;w=60',
    false,
  ),
  'Retry-After': header('Seconds after which to repeat the request.', '5'),
  'Server-Timing': header(
    'How long the steps took, in milliseconds; absent for a feed from the cache.',
    'total;dur=12',
    false,
  ),
  Vary: header('The request headers that the response depends on.', 'Accept-Encoding'),
  'WWW-Authenticate': header(
    'How to authenticate, and what is wrong with the credentials.',
    'Bearer realm="Lindero"',
  ),
  'X-Request-Id': header(
    'The id of the request in the service’s log; absent for a feed from the cache, which is not ' +
      'logged.',
    '0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e',
    false,
  ),
};

export type HeaderName = keyof typeof HEADERS;

/** References to headers, with those of every response that has a log line. */
export function headersOf(names: readonly HeaderName[]) {
  const all = [...names, 'X-Request-Id', 'Server-Timing'];
  return Object.fromEntries(
    all.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]),
  );
}

/** For responses that must not be cached. */
export const NOT_CACHED = { 'Cache-Control': 'no-store' };

/** For responses that a cache must revalidate. */
export const REVALIDATED = { 'Cache-Control': 'private, no-cache' };
