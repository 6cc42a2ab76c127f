import { type Check, fail, type Outcome, pass, type Seen, skip } from './check.ts';
import { feedPath, fetchCached, GZIP, IDENTITY, isHit, uncachedParameters } from './feed.ts';
import { megabytes, ms } from './format.ts';
import type { Exchange, HttpClient, Message } from './http.ts';

/** The feed arrives complete, compressed and not, when it is built and when it is cached. */
export const gzip = twice('gzip', GZIP);
export const identity = twice('identity', IDENTITY);

function twice(encoding: 'gzip' | 'identity', message: Message): Check {
  return {
    name: encoding,
    run: async (subject) => {
      const path = feedPath(subject, uncachedParameters());
      for (let attempt = 1; ; attempt++) {
        const first = await subject.client.send(path, { ...message, discard: true });
        const second = await fetchCached(subject, path, { ...message, discard: true });
        const error = errorIn(first, encoding) ?? errorIn(second, encoding);
        if (error !== undefined) return fail(error);
        // A change in between makes another document.
        if (first.digest !== second.digest && first.headers.etag !== second.headers.etag && attempt < 3) continue;
        if (first.digest !== second.digest) return fail('the second document differs from the first');
        subject.seen[encoding] = { ...second, path };
        if (isHit(first)) subject.seen.notCached.push(`${encoding}: was cached before`);
        if (!isHit(second))
          subject.seen.notCached.push(`${encoding}: ${second.headers['cache-status'] ?? 'no Cache-Status'}`);
        const times = `built in ${ms(first.total)}, then ${ms(second.total)}`;
        return pass(`${megabytes(second.bytes)}, ${second.properties} properties; ${times}`);
      }
    },
  };
}

function errorIn(exchange: Exchange, encoding: 'gzip' | 'identity'): string | undefined {
  const { status, headers, isComplete } = exchange;
  if (status !== 200) return `gets ${status}, not 200`;
  const actual = headers['content-encoding'] ?? 'identity';
  if (actual !== encoding) return `has the encoding ${actual}`;
  return isComplete ? undefined : 'the document breaks off';
}

/** The first request builds a feed, and later ones take it from the cache. */
export const cached: Check = {
  name: 'cached',
  run: async ({ seen }) => {
    if (received(seen).length === 0) return skip(NOTHING_RECEIVED);
    return seen.notCached.length > 0 ? fail(seen.notCached.join('; ')) : pass('built once, then taken from the cache');
  },
};

/** The stated length of a cached feed is that of its body. */
export const length: Check = {
  name: 'length',
  run: async ({ seen }) =>
    ofReceived(seen, ({ headers, bytes }) => {
      const stated = headers['content-length'];
      if (stated === undefined) return 'no Content-Length';
      return Number(stated) === bytes ? undefined : `Content-Length is ${stated}, the body has ${bytes} bytes`;
    }),
};

export const contentType: Check = {
  name: 'content type',
  run: async ({ seen }) =>
    ofReceived(seen, ({ headers }) =>
      headers['content-type'] === 'application/xml; charset=utf-8'
        ? undefined
        : `Content-Type is ${headers['content-type'] ?? 'missing'}`,
    ),
};

/** The edge is instructed not to change encodings and lengths. */
export const noTransform: Check = {
  name: 'no-transform',
  run: async ({ seen }) =>
    ofReceived(seen, ({ headers }) =>
      /\bno-transform\b/.test(headers['cache-control'] ?? '')
        ? undefined
        : `Cache-Control is ${headers['cache-control'] ?? 'missing'}`,
    ),
};

/** A reader that has the feed already gets a 304. */
export const notModified: Check = {
  name: '304',
  run: async ({ client, seen }) => {
    for (const { path, headers } of received(seen)) {
      const { etag, 'last-modified': date, 'content-encoding': encoding = 'identity' } = headers;
      if (etag === undefined) return fail(`${encoding}: no ETag`);
      const accepted = { 'Accept-Encoding': encoding };
      const tagged = await client.send(path, { headers: { ...accepted, 'If-None-Match': etag } });
      if (tagged.status !== 304) return fail(`${encoding}: If-None-Match gets ${tagged.status}`);
      if (tagged.headers.etag !== etag) return fail(`${encoding}: the ETag of the 304 is ${tagged.headers.etag}`);
      if (date === undefined) continue;
      const dated = await client.send(path, { headers: { ...accepted, 'If-Modified-Since': date } });
      if (dated.status !== 304) return fail(`${encoding}: If-Modified-Since gets ${dated.status}`);
    }
    return received(seen).length === 0 ? skip(NOTHING_RECEIVED) : pass('for If-None-Match and If-Modified-Since');
  },
};

/** HEAD has the headers of GET. */
export const head: Check = {
  name: 'HEAD',
  run: async ({ client, seen }) => {
    for (const { path } of received(seen)) {
      for (const message of [GZIP, IDENTITY]) {
        const error = await differenceOfHead(client, path, message);
        if (error !== undefined) return fail(error);
      }
    }
    return received(seen).length === 0 ? skip(NOTHING_RECEIVED) : pass('has the headers of GET');
  },
};

async function differenceOfHead(client: HttpClient, path: string, message: Message): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const got = await client.send(path, { ...message, discard: true });
    const headed = await client.send(path, { ...message, method: 'HEAD' });
    if (headed.status !== got.status) return `gets ${headed.status}, GET ${got.status}`;
    const different = COMPARED.filter((name) => got.headers[name] !== headed.headers[name]);
    if (different.length === 0) return undefined;
    // In between, the feed may have changed, or may have become old enough for a date.
    if (attempt === 3) return `differs from GET in ${different.join(', ')}`;
  }
}

/** Headers of the resource, not of the message or of the way that it took. */
const COMPARED = [
  'cache-control',
  'cache-status',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'vary',
];

/** A reader that disconnects does not affect others. */
export const abortedRead: Check = {
  name: 'aborted read',
  run: async (subject) => {
    if (subject.seen.identity === undefined) return skip(NOT_RECEIVED.identity);
    const path = feedPath(subject, uncachedParameters());
    await subject.client.send(path, { ...IDENTITY, abort: true });
    const next = await subject.client.send(path, { ...IDENTITY, discard: true });
    if (next.status !== 200) return fail(`the next reader gets ${next.status}`);
    if (!next.isComplete) return fail('the next reader gets a document that breaks off');
    return pass(`the next reader gets all ${next.properties} properties`);
  },
};

/** A cached feed begins to arrive soon. */
export const firstByte: Check = {
  name: 'first byte',
  run: async ({ client, seen, firstByteLimit }) => {
    const path = seen.gzip?.path;
    if (path === undefined) return skip(NOT_RECEIVED.gzip);
    const times: number[] = [];
    for (let request = 0; request < 5; request++) {
      times.push((await client.send(path, { ...GZIP, discard: true })).firstByte);
    }
    const median = times.sort((a, b) => a - b)[2]!;
    const detail = `median of 5 requests for a cached feed: ${ms(median)}`;
    return median > firstByteLimit ? fail(`${detail}, limit ${ms(firstByteLimit)}`) : pass(detail);
  },
};

const BUILDS = 6;

/** Several feeds that are built at the same time all arrive. */
export const builds: Check = {
  name: 'builds',
  run: async (subject) => {
    const { gzip, identity } = subject.seen;
    if (gzip === undefined || identity === undefined) return skip(NOT_RECEIVED[gzip ? 'identity' : 'gzip']);
    const startedAt = performance.now();
    const exchanges = await Promise.all(
      Array.from({ length: BUILDS }, (_, index) =>
        subject.client.send(feedPath(subject, uncachedParameters()), {
          ...(index % 3 === 2 ? IDENTITY : GZIP),
          discard: true,
        }),
      ),
    );
    const statuses = exchanges.map(({ status }) => status).filter((status) => status !== 200);
    if (statuses.length > 0) return fail(`${statuses.length} of ${BUILDS} at once get ${statuses.join(', ')}`);
    const broken = exchanges.filter(({ isComplete }) => !isComplete);
    if (broken.length > 0) return fail(`${broken.length} of ${BUILDS} at once break off`);
    const built = exchanges.filter((exchange) => !isHit(exchange)).length;
    return pass(`${built} built at once, all complete after ${ms(performance.now() - startedAt)}`);
  },
};

const NOTHING_RECEIVED = 'because of gzip and identity';
const NOT_RECEIVED = { gzip: 'because of gzip', identity: 'because of identity' };

/** The cached feeds that were received completely. */
function received({ gzip, identity }: Seen): (Exchange & { readonly path: string })[] {
  return [gzip, identity].flatMap((exchange) => exchange ?? []);
}

/** Passes unless something is wrong with a feed that was received. */
function ofReceived(seen: Seen, wrong: (exchange: Exchange) => string | undefined): Outcome {
  const exchanges = received(seen);
  if (exchanges.length === 0) return skip(NOTHING_RECEIVED);
  const errors = exchanges.flatMap((exchange) => {
    const error = wrong(exchange);
    return error === undefined ? [] : [`${exchange.headers['content-encoding'] ?? 'identity'}: ${error}`];
  });
  return errors.length > 0 ? fail(errors.join('; ')) : pass('correct');
}
