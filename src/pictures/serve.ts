import type { Context } from 'hono';
import type { AppEnv } from '../env.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { problemResponse } from '../problem.ts';
import { pictureKey, type Size } from './names.ts';

export const PICTURE_PATH =
  '/pictures/:account{[A-Z0-9._-]{1,40}}/:file{[0-9a-f]{32}-(?:2560|480|full)\\.jpg}';

/** A name has one content for ever. */
const CACHED = 'public, max-age=31536000, immutable';

/** Serves a picture from the location's cache, or from the bucket: whole, a range of it, or its 304. */
export async function servePicture(c: Context<AppEnv>): Promise<Response> {
  const { account, file } = c.req.param() as { account: string; file: string };
  const [digest, size] = file.slice(0, -'.jpg'.length).split('-') as [string, Size];
  const { headers, method } = c.req.raw;
  const { origin, pathname } = new URL(c.req.url);
  // Without the query: it would make as many copies of a picture as anyone likes.
  const cached = new Request(origin + pathname, { headers });
  const found = method === 'GET' ? await caches.default.match(cached) : undefined;
  if (found !== undefined) return new Response(found.body, found);
  const key = pictureKey(account, digest, size);
  const object =
    method === 'HEAD'
      ? await orUnavailable('picture', c.env.FILES.head(key))
      : await orUnavailable('picture', read(c.env.FILES, key, headers));
  if (object === null) {
    return problemResponse({ code: 'not_found', detail: 'Nothing is served at this path.' });
  }
  const sent = new Headers({
    'Content-Type': 'image/jpeg',
    'Cache-Control': CACHED,
    'Accept-Ranges': 'bytes',
    ETag: object.httpEtag,
    'Last-Modified': object.uploaded.toUTCString(),
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  if (!('body' in object)) {
    if (method === 'HEAD') sent.set('Content-Length', String(object.size));
    const status = method === 'HEAD' ? 200 : headers.has('If-Match') ? 412 : 304;
    return new Response(null, { status, headers: sent });
  }
  const { range } = object as R2ObjectBody;
  const isPart = headers.has('Range') && range !== undefined && 'offset' in range;
  const from = isPart ? (range.offset ?? 0) : 0;
  const length = (isPart ? range.length : undefined) ?? object.size - from;
  sent.set('Content-Length', String(length));
  if (isPart && length < object.size) {
    sent.set('Content-Range', `bytes ${from}-${from + length - 1}/${object.size}`);
    return new Response((object as R2ObjectBody).body, { status: 206, headers: sent });
  }
  const response = new Response((object as R2ObjectBody).body, { headers: sent });
  const storing = caches.default.put(new Request(origin + pathname), response.clone());
  c.executionCtx.waitUntil(storing.catch(() => {}));
  return response;
}

/** A picture, or the range of it that is asked for; the whole one if that range does not exist. */
function read(bucket: R2Bucket, key: string, headers: Headers) {
  const onlyIf = headers;
  return bucket.get(key, { onlyIf, range: headers }).catch((error: Error) => {
    if (!/range/i.test(error.message)) throw error;
    return bucket.get(key, { onlyIf });
  });
}
