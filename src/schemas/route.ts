import { Hono } from 'hono';
import type { AppEnv } from '../env.ts';
import { notModified, preconditionFails } from '../lib/conditional.ts';
import { methodNotAllowed, problemResponse } from '../problem.ts';
import { SCHEMA_FILES } from './files.ts';

/** Seconds for which caches may use a schema without revalidating it. */
const MAX_AGE_SECONDS = 3600;

/** Serves the XML Schemas of the feed's documents to developers and validators. */
export const schemas = new Hono<AppEnv>();

for (const name of Object.keys(SCHEMA_FILES)) {
  const path = `/schemas/${name}`;

  schemas.get(path, async (c) => {
    const file = await c.env.ASSETS.fetch(new URL(path, c.req.url));
    const etag = file.headers.get('ETag');
    if (!file.ok || etag === null) throw new Error(`The file ${path} cannot be read: ${file.status}`);
    const headers = { ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` };
    if (preconditionFails(c.req.raw.headers, etag, null)) {
      return problemResponse({ code: 'precondition_failed', detail: 'The schema has another ETag.' });
    }
    if (notModified(c.req.raw.headers, etag, null)) return c.body(null, 304, headers);
    return c.body(await file.text(), 200, { ...headers, 'Content-Type': 'application/xml; charset=utf-8' });
  });

  schemas.all(path, () => methodNotAllowed('GET, HEAD'));
}
