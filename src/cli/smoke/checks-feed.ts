import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type Check,
  duration,
  fail,
  feedPath,
  type Outcome,
  pass,
  type ReceivedFeed,
  type Subject,
  skip,
} from './check.ts';
import type { Exchange } from './http.ts';

const NOT_RECEIVED = skip('skipped: no feed was received completely');

/** Feeds arrive completely, compressed and not, both when they are built and when they are cached. */
export const feeds: Check = {
  name: 'feeds',
  run: async (subject) => {
    const received: ReceivedFeed[] = [];
    for (const encoding of ['gzip', 'identity'] as const) {
      const result = await receiveTwice(subject, encoding);
      if (typeof result === 'string') return fail(`${encoding}: ${result}`);
      received.push(result);
    }
    subject.seen.feeds = received;
    const [{ body, bytes }, identity] = received as [ReceivedFeed, ReceivedFeed];
    const properties = body.toString().split('<property>').length - 1;
    return pass(`${properties} properties: ${bytes} bytes compressed, ${identity.bytes} uncompressed`);
  },
};

/** The second response for a feed that was not cached before, or what is wrong with one of them. */
async function receiveTwice(subject: Subject, encoding: ReceivedFeed['encoding']): Promise<ReceivedFeed | string> {
  // A feed that hardly anyone has requested before: a random number of pictures, and two random languages.
  const language = randomInt(1, 10);
  const parameters = { FV: 3, IC: randomInt(100, 1000), Language: `${language},${randomInt(language + 1, 11)}` };
  const path = feedPath(subject, parameters);
  for (let attempt = 1; ; attempt++) {
    const first = await subject.client.send(path, { headers: { 'Accept-Encoding': encoding } });
    const second = await fetchCached(subject, path, encoding);
    for (const { status, headers, isComplete } of [first, second]) {
      if (status !== 200) return `${status}, not 200`;
      if ((headers['content-encoding'] ?? 'identity') !== encoding) return 'the encoding is another one';
      if (!isComplete) return 'the document is truncated';
    }
    if (first.body.equals(second.body)) return { ...second, path, encoding };
    // A change in between makes another document.
    if (first.headers.etag === second.headers.etag || attempt === 3)
      return 'the second document differs from the first';
  }
}

/** Requests a feed until it comes from the cache, or the time for that is over; returns the last response. */
async function fetchCached({ client, cachedWithinMs }: Subject, path: string, encoding: string): Promise<Exchange> {
  const deadline = performance.now() + cachedWithinMs;
  for (let wait = 250; ; wait *= 1.5) {
    const exchange = await client.send(path, { headers: { 'Accept-Encoding': encoding } });
    if (exchange.status !== 200 || isHit(exchange) || performance.now() > deadline) return exchange;
    await setTimeout(wait);
  }
}

/** Whether every part of a feed came from the cache (RFC 9211). */
function isHit({ headers }: Exchange): boolean {
  return /;\s*hit\b/.test(String(headers['cache-status'] ?? ''));
}

/** A cached feed states its length and type, and tells the edge to leave both alone. */
export const headers: Check = {
  name: 'headers',
  run: async ({ seen }) =>
    ofFeeds(seen.feeds, ({ headers: sent, bytes }) => {
      const { 'content-length': length, 'content-type': type, 'cache-control': caching = 'missing' } = sent;
      if (Number(length) !== bytes) return `Content-Length is ${length ?? 'missing'}, the body has ${bytes} bytes`;
      if (type !== 'application/xml; charset=utf-8') return `Content-Type is ${type ?? 'missing'}`;
      return /\bno-transform\b/.test(caching) ? undefined : `Cache-Control is ${caching}, without no-transform`;
    }),
};

/** The second request is served from the cache, and soon. */
export const cached: Check = {
  name: 'cached',
  run: async ({ client, seen, firstByteMs }) => {
    if (seen.feeds === undefined) return NOT_RECEIVED;
    for (const feed of seen.feeds) {
      if (!isHit(feed)) return fail(`${feed.encoding}: ${feed.headers['cache-status'] ?? 'no Cache-Status'}`);
    }
    const times: number[] = [];
    for (let request = 0; request < 5; request++) {
      times.push((await client.send(seen.feeds[0]!.path, { headers: { 'Accept-Encoding': 'gzip' } })).firstByteMs);
    }
    const median = times.sort((a, b) => a - b)[2]!;
    const detail = `first byte after ${duration(median)}, the median of 5 requests`;
    return median > firstByteMs ? fail(`${detail}; the limit is ${duration(firstByteMs)}`) : pass(detail);
  },
};

/** A reader that already has the feed gets a 304. */
export const notModified: Check = {
  name: '304',
  run: async ({ client, seen }) => {
    for (const { path, encoding, headers: sent } of seen.feeds ?? []) {
      const { etag, 'last-modified': date } = sent;
      if (etag === undefined) return fail(`${encoding}: no ETag`);
      const accepted = { 'Accept-Encoding': encoding };
      const tagged = await client.send(path, { headers: { ...accepted, 'If-None-Match': etag } });
      if (tagged.status !== 304) return fail(`${encoding}: If-None-Match gets ${tagged.status}`);
      if (tagged.headers.etag !== etag) return fail(`${encoding}: the ETag of the 304 is ${tagged.headers.etag}`);
      if (date === undefined) continue;
      const dated = await client.send(path, { headers: { ...accepted, 'If-Modified-Since': date } });
      if (dated.status !== 304) return fail(`${encoding}: If-Modified-Since gets ${dated.status}`);
    }
    return seen.feeds === undefined ? NOT_RECEIVED : pass('for If-None-Match and If-Modified-Since');
  },
};

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

/** HEAD has the headers of GET. */
export const head: Check = {
  name: 'HEAD',
  run: async ({ client, seen }) => {
    for (const { path, encoding } of seen.feeds ?? []) {
      const accepted = { headers: { 'Accept-Encoding': encoding } };
      for (let attempt = 1; ; attempt++) {
        const got = await client.send(path, accepted);
        const headed = await client.send(path, { ...accepted, method: 'HEAD' });
        if (headed.status !== got.status) return fail(`HEAD gets ${headed.status}, GET ${got.status}`);
        const different = COMPARED.filter((name) => got.headers[name] !== headed.headers[name]);
        if (different.length === 0) break;
        // In between, the feed may have changed, or may have become old enough for a date.
        if (attempt === 3) return fail(`differs from GET in ${different.join(', ')}`);
      }
    }
    return seen.feeds === undefined ? NOT_RECEIVED : pass('has the headers of GET');
  },
};

/** libxml2 builds a tree of about ten times the size of the document. */
const MAX_VALIDATED_BYTES = 50_000_000;

/** Feeds of all versions are valid against the schemas that the service publishes. */
export const schema: Check = {
  name: 'schema',
  run: async ({ client, seen, ...reader }) => {
    if (seen.feeds === undefined) return NOT_RECEIVED;
    const parameters = { IC: 1, Language: 1 };
    const documents: [schema: string, path: string][] = [
      ...[1, 2, 3].map((FV): [string, string] => [`feed-v${FV}.xsd`, feedPath(reader, { FV, ...parameters })]),
      ['kyero.xsd', feedPath(reader, parameters, 'kyero.xml')],
    ];
    for (const [name, path] of documents) {
      const published = await client.send(`/schemas/${name}`);
      if (published.status !== 200) return fail(`/schemas/${name}: ${published.status}`);
      const { status, body } = await client.send(path);
      if (status !== 200) return fail(`the feed of ${name}: ${status}`);
      if (body.length > MAX_VALIDATED_BYTES) return skip(`skipped: ${body.length} bytes are too many to validate here`);
      const error = await validate(body, published.body);
      if (error !== undefined) return fail(`${name}, ${error}`);
    }
    return pass('versions 1, 2 and 3 and kyero.xml are valid');
  },
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

/** Passes unless something is wrong with a feed that was received. */
function ofFeeds(received: Subject['seen']['feeds'], wrong: (feed: ReceivedFeed) => string | undefined): Outcome {
  if (received === undefined) return NOT_RECEIVED;
  const errors = received.flatMap((feed) => {
    const error = wrong(feed);
    return error === undefined ? [] : [`${feed.encoding}: ${error}`];
  });
  return errors.length > 0 ? fail(errors.join('; ')) : pass('Content-Length, Content-Type and no-transform');
}
