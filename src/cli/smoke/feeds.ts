import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Check, ensure, type ReceivedFeed, receivedFeeds, Skipped, type Subject } from './check.ts';
import { type Exchange, feedPath } from './service.ts';

/** Feeds arrive completely, compressed and not, both when they are built and when they are cached. */
export const feeds: Check = async (subject) => {
  const gzip = await receiveTwice(subject, 'gzip');
  const identity = await receiveTwice(subject, 'identity');
  // Some readers send no Accept-Encoding, and cannot read gzip.
  const plain = await subject.service.send(identity.path);
  ensure(plain.headers['content-encoding'] === undefined, 'compressed although Accept-Encoding is missing');
  subject.feeds = [gzip, identity];
  const properties = gzip.body.toString().split('<property>').length - 1;
  return `${properties} properties: ${gzip.bytes} bytes compressed, ${identity.bytes} uncompressed`;
};

/** The second response for a feed that was not cached before. */
async function receiveTwice(subject: Subject, encoding: ReceivedFeed['encoding']): Promise<ReceivedFeed> {
  const { service } = subject;
  // A feed that hardly anyone has requested before: a random number of pictures, and two random languages.
  const language = randomInt(1, 10);
  const parameters = { FV: 3, IC: randomInt(100, 1000), Language: `${language},${randomInt(language + 1, 11)}` };
  const path = feedPath(service.target, parameters);
  for (let attempt = 1; ; attempt++) {
    const first = await service.get(path, encoding);
    const second = await fetchCached(subject, path, encoding);
    for (const { status, headers, body } of [first, second]) {
      ensure(status === 200, `${encoding}: ${status}, not 200`);
      ensure((headers['content-encoding'] ?? 'identity') === encoding, `${encoding}: the encoding is another one`);
      const isComplete = body.subarray(-20).toString().trimEnd().endsWith('</root>');
      ensure(isComplete, `${encoding}: the document is truncated`);
    }
    if (first.body.equals(second.body)) return { ...second, path, encoding };
    // A change in between makes another document.
    const isChanged = first.headers.etag !== second.headers.etag && attempt < 3;
    ensure(isChanged, `${encoding}: the second document differs from the first`);
  }
}

/** Requests a feed until it comes from the cache, or the time for that is over; returns the last response. */
async function fetchCached({ service, cachedWithinMs }: Subject, path: string, encoding: string): Promise<Exchange> {
  const deadline = performance.now() + cachedWithinMs;
  for (let wait = 250; ; wait *= 1.5) {
    const exchange = await service.get(path, encoding);
    if (exchange.status !== 200 || isHit(exchange) || performance.now() > deadline) return exchange;
    await setTimeout(wait);
  }
}

/** Whether every part of a feed came from the cache (RFC 9211). */
function isHit({ headers }: Exchange): boolean {
  return /;\s*hit\b/.test(headers['cache-status'] ?? '');
}

/** A cached feed states its length and type, and tells the edge to leave both alone. */
export const headers: Check = async (subject) => {
  for (const { encoding, bytes, headers: sent } of receivedFeeds(subject)) {
    const { 'content-length': length = 'missing', 'content-type': type, 'cache-control': caching = 'missing' } = sent;
    ensure(Number(length) === bytes, `${encoding}: Content-Length is ${length}, the body has ${bytes} bytes`);
    ensure(type === 'application/xml; charset=utf-8', `${encoding}: Content-Type is ${type ?? 'missing'}`);
    const isLeftAlone = /\bno-transform\b/.test(caching);
    ensure(isLeftAlone, `${encoding}: Cache-Control is ${caching}, without no-transform`);
  }
  return 'Content-Length, Content-Type and no-transform';
};

/** The second request is served from the cache, and soon. */
export const cached: Check = async (subject) => {
  const received = receivedFeeds(subject);
  for (const feed of received) {
    ensure(isHit(feed), `${feed.encoding}: ${feed.headers['cache-status'] ?? 'no Cache-Status'}`);
  }
  const times: number[] = [];
  while (times.length < 5) times.push((await subject.service.get(received[0]!.path, 'gzip')).firstByteMs);
  const median = times.sort((a, b) => a - b)[2]!;
  const detail = `first byte after ${median.toFixed(0)} ms, the median of 5 requests`;
  ensure(median <= subject.firstByteMs, `${detail}; the limit is ${subject.firstByteMs} ms`);
  return detail;
};

/** A reader that already has the feed gets a 304. */
export const notModified: Check = async (subject) => {
  for (const { path, encoding, headers: sent } of receivedFeeds(subject)) {
    const { etag, 'last-modified': date } = sent;
    ensure(etag !== undefined, `${encoding}: no ETag`);
    const tagged = await subject.service.get(path, encoding, 'GET', { 'If-None-Match': etag });
    ensure(tagged.status === 304, `${encoding}: If-None-Match gets ${tagged.status}`);
    ensure(tagged.headers.etag === etag, `${encoding}: the ETag of the 304 is ${tagged.headers.etag}`);
    if (date === undefined) continue;
    const dated = await subject.service.get(path, encoding, 'GET', { 'If-Modified-Since': date });
    ensure(dated.status === 304, `${encoding}: If-Modified-Since gets ${dated.status}`);
  }
  return 'for If-None-Match and If-Modified-Since';
};

/** Headers of the resource, not of the message or of the way that it took. */
const COMPARED = 'cache-control content-encoding content-length content-type etag last-modified vary'.split(' ');

/** HEAD has the headers of GET. */
export const head: Check = async ({ service, ...subject }) => {
  for (const { path, encoding } of receivedFeeds({ service, ...subject })) {
    for (let attempt = 1; ; attempt++) {
      const got = await service.get(path, encoding);
      const headed = await service.get(path, encoding, 'HEAD');
      ensure(headed.status === got.status, `HEAD gets ${headed.status}, GET ${got.status}`);
      const different = COMPARED.filter((name) => got.headers[name] !== headed.headers[name]);
      if (different.length === 0) break;
      // In between, the feed may have changed, or may have become old enough for a date.
      ensure(attempt < 3, `differs from GET in ${different.join(', ')}`);
    }
  }
  return 'has the headers of GET';
};

/** libxml2 builds a tree of about ten times the size of the document. */
const MAX_VALIDATED_BYTES = 50_000_000;

/** Feeds of all versions are valid against the schemas that the service publishes. */
export const schema: Check = async (subject) => {
  receivedFeeds(subject);
  const { service } = subject;
  for (const name of ['feed-v1.xsd', 'feed-v2.xsd', 'feed-v3.xsd', 'kyero.xsd']) {
    const published = await service.send(`/schemas/${name}`);
    ensure(published.status === 200, `/schemas/${name}: ${published.status}`);
    const [, FV] = /v(\d)/.exec(name) ?? [];
    const parameters = { ...(FV && { FV }), IC: 1, Language: 1 };
    const { status, body } = await service.send(
      feedPath(service.target, parameters, FV === undefined ? 'kyero.xml' : undefined),
    );
    ensure(status === 200, `the feed of ${name}: ${status}`);
    if (body.length > MAX_VALIDATED_BYTES) throw new Skipped(`skipped: the feed has ${body.length} bytes`);
    const error = await validate(body, published.body);
    ensure(error === undefined, `${name}, ${error}`);
  }
  return 'versions 1, 2 and 3 and kyero.xml are valid';
};

/** The first error of a document. */
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
