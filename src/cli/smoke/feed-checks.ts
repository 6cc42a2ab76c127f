import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type Check,
  type Exchange,
  ensure,
  type Message,
  type ReceivedFeed,
  type Service,
  Skipped,
} from './service.ts';

/**
 * Feeds arrive completely, compressed and not, both when they are built and when they are cached.
 */
export const feeds: Check = async (service) => {
  const gzip = await receiveTwice(service, 'gzip');
  const identity = await receiveTwice(service, 'identity');
  // Some readers send no Accept-Encoding, and cannot read gzip.
  const plain = await service.send(identity.path);
  ensure(
    plain.headers['content-encoding'] === undefined,
    'compressed although Accept-Encoding is missing',
  );
  service.feeds = [gzip, identity];
  const properties = gzip.body.toString().split('<property>').length - 1;
  return `${properties} properties: ${gzip.bytes} bytes compressed, ${identity.bytes} uncompressed`;
};

/** Requests a feed once more. */
export function get(
  service: Service,
  { path, encoding }: Pick<ReceivedFeed, 'path' | 'encoding'>,
  more: Message = {},
) {
  return service.send(path, { ...more, headers: { 'Accept-Encoding': encoding, ...more.headers } });
}

/** The first response from the cache for a feed that was not cached before. */
async function receiveTwice(
  service: Service,
  encoding: ReceivedFeed['encoding'],
): Promise<ReceivedFeed> {
  // A feed that hardly anyone has requested before: a random number of pictures, and two random
  // languages.
  const language = randomInt(1, 10);
  const parameters = {
    FV: 3,
    IC: randomInt(100, 1000),
    Language: `${language},${randomInt(language + 1, 11)}`,
  };
  const feed = { path: service.feedPath(parameters), encoding };
  const first = await get(service, feed);
  const deadline = performance.now() + service.target.cachedWithinMs;
  let second = first;
  while (second.status === 200 && !isHit(second) && performance.now() < deadline) {
    await setTimeout(500);
    second = await get(service, feed);
  }
  for (const { status, headers, body } of [first, second]) {
    ensure(status === 200, `${encoding}: ${status}, not 200`);
    ensure(
      (headers['content-encoding'] ?? 'identity') === encoding,
      `${encoding}: the encoding is another one`,
    );
    const isComplete = body.subarray(-20).toString().trimEnd().endsWith('</root>');
    ensure(isComplete, `${encoding}: the document is truncated`);
  }
  const isChanged = first.headers.etag !== second.headers.etag;
  ensure(
    isChanged || first.body.equals(second.body),
    `${encoding}: the second document differs from the first`,
  );
  return { ...second, ...feed };
}

/** Whether every part of a feed came from the cache (RFC 9211). */
function isHit({ headers }: Exchange): boolean {
  return /;\s*hit\b/.test(headers['cache-status'] ?? '');
}

/** A check of each feed that was received; a problem is preceded by its encoding. */
function ofFeeds(
  detail: string,
  check: (feed: ReceivedFeed, service: Service) => Promise<void> | void,
): Check {
  return async (service) => {
    if (service.feeds === undefined) throw new Skipped('no feed was received completely');
    for (const feed of service.feeds) {
      try {
        await check(feed, service);
      } catch (error) {
        throw new Error(`${feed.encoding}: ${(error as Error).message}`);
      }
    }
    return detail;
  };
}

export const headers = ofFeeds(
  'Content-Length, Content-Type and no-transform',
  ({ bytes, headers }) => {
    const {
      'content-length': length,
      'content-type': type,
      'cache-control': caching = 'missing',
    } = headers;
    ensure(Number(length) === bytes, `Content-Length is ${length}, the body has ${bytes} bytes`);
    ensure(type === 'application/xml; charset=utf-8', `Content-Type is ${type}`);
    ensure(/\bno-transform\b/.test(caching), `Cache-Control is ${caching}, without no-transform`);
  },
);

export const cached = ofFeeds(
  'the second request is a hit, and begins to arrive in time',
  async (feed, service) => {
    ensure(isHit(feed), feed.headers['cache-status'] ?? 'no Cache-Status');
    const times: number[] = [];
    while (times.length < 5) times.push((await get(service, feed)).firstByteMs);
    const median = times.sort((a, b) => a - b)[2]!;
    const limit = service.target.firstByteMs;
    ensure(
      median <= limit,
      `first byte after ${median.toFixed(0)} ms, the median of 5; the limit is ${limit} ms`,
    );
  },
);

export const notModified = ofFeeds(
  'for If-None-Match and If-Modified-Since',
  async (feed, service) => {
    const { etag, 'last-modified': date } = feed.headers;
    ensure(etag !== undefined, 'no ETag');
    const tagged = await get(service, feed, { headers: { 'If-None-Match': etag } });
    ensure(tagged.status === 304, `If-None-Match gets ${tagged.status}`);
    ensure(tagged.headers.etag === etag, `the ETag of the 304 is ${tagged.headers.etag}`);
    if (date === undefined) return;
    const dated = await get(service, feed, { headers: { 'If-Modified-Since': date } });
    ensure(dated.status === 304, `If-Modified-Since gets ${dated.status}`);
  },
);

/** Headers of the resource, not of the message or of the way that it took. */
const COMPARED = [
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'vary',
];

/**
 * HEAD has the headers of GET, unless the feed has changed in between. `Last-Modified` appears
 * seconds after a change.
 */
export const head = ofFeeds('has the headers of GET', async (feed, service) => {
  const got = await get(service, feed);
  const headed = await get(service, feed, { method: 'HEAD' });
  ensure(headed.status === got.status, `HEAD gets ${headed.status}, GET ${got.status}`);
  const appears = (name: string) => name === 'last-modified' && got.headers[name] === undefined;
  const different = COMPARED.filter(
    (name) => got.headers[name] !== headed.headers[name] && !appears(name),
  );
  ensure(
    different.length === 0 || different.includes('etag'),
    `differs from GET in ${different.join(', ')}`,
  );
});

export const schema: Check = async (service) => {
  const { feeds } = service;
  if (feeds === undefined) throw new Skipped('no feed was received completely');
  const parameters = { IC: 1, Language: 1 };
  const paths = [1, 2, 3].map(
    (FV) => [`feed-v${FV}.xsd`, service.feedPath({ FV, ...parameters })] as const,
  );
  for (const [name, path] of [
    ...paths,
    ['kyero.xsd', service.feedPath(parameters, 'kyero.xml')] as const,
  ]) {
    const published = await service.send(`/schemas/${name}`);
    ensure(published.status === 200, `/schemas/${name}: ${published.status}`);
    const { status, body } = await service.send(path);
    ensure(status === 200, `the feed of ${name}: ${status}`);
    const error = await validate(body, published.body);
    ensure(error === undefined, `${name}, ${error}`);
  }
  return 'versions 1, 2 and 3 and kyero.xml are valid';
};

async function validate(document: Buffer, schemaText: Buffer): Promise<string | undefined> {
  const { ParseOption, XmlDocument, XmlLibError, XsdValidator } = await import('libxml2-wasm');
  const option = ParseOption.XML_PARSE_HUGE | ParseOption.XML_PARSE_BIG_LINES;
  using definition = XmlDocument.fromBuffer(schemaText);
  using validator = XsdValidator.fromDoc(definition);
  using parsed = XmlDocument.fromBuffer(document, { option });
  try {
    validator.validate(parsed);
    return undefined;
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    const [{ line, message } = { line: 0, message: error.message }] = error.details;
    return `line ${line}: ${message.trim()}`;
  }
}
