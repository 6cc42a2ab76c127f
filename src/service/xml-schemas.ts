import { Api } from '../http/api.ts';
import { empty, ok } from '../http/operation.ts';
import { notModified, preconditionFails } from '../lib/http/conditional.ts';
import { ProblemError } from '../problem.ts';
import { PROPERTY_SCHEMA, SCHEMAS } from './schema-files.ts';
import { bySchema, schemaConditions, schemaList, xmlSchema } from './schemas.ts';

/** Seconds for which caches may use a schema without revalidating it. */
const MAX_AGE_SECONDS = 3600;

const CACHED = { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` };
const XML = 'application/xml; charset=utf-8';
const VERSION_3 = { path: { name: 'feed-v3.xsd' } };
const LIST = { schemas: SCHEMAS.map((name) => `/schemas/${name}`) };

/** Serves the schemas of feeds, of their errors and of properties to developers and validators. */
export const schemas = new Api('Service');

schemas.read({
  path: '/schemas',
  operationId: 'listSchemas',
  summary: 'List the schemas',
  responses: { 200: ok(schemaList, 'The paths of the schemas.') },
  examples: { schemas: { body: LIST } },
  handle: async () => ({ body: LIST, headers: CACHED }),
});

schemas.read({
  path: '/schemas/{name}',
  operationId: 'getSchema',
  summary: 'An XML Schema of a feed or of its errors, or the JSON Schema of a property',
  request: { params: bySchema, headers: schemaConditions },
  responses: {
    200: {
      description: 'The schema.',
      documentedHeaders: ['ETag'],
      content: { [XML]: { schema: xmlSchema } },
    },
    304: empty('The schema still has this `ETag`.', 'ETag', 'Cache-Control'),
  },
  problems: {
    not_found: {
      description: 'there is no such schema.',
      detail: 'Nothing is served at this path.',
      request: { path: { name: 'feed-v9.xsd' } },
    },
    precondition_failed: {
      description: 'the schema has another `ETag` than `If-Match`.',
      detail: 'The schema has another ETag.',
      request: { ...VERSION_3, headers: { 'If-Match': '"other"' } },
    },
  },
  examples: {
    feed: { request: VERSION_3 },
    notModified: { request: VERSION_3, status: 304, when: 'unchanged since the last request' },
  },
  handle: async (c, { params: { name } }) => {
    if (!SCHEMAS.includes(name)) return c.notFound();
    const path = `/schemas/${name}`;
    const file = await c.env.ASSETS.fetch(new URL(path, c.req.url));
    const etag = file.headers.get('ETag');
    if (!file.ok || etag === null) throw new Error(`The file ${path} cannot be read: ${file.status}`);
    if (preconditionFails(c.req.raw.headers, etag, null)) {
      throw new ProblemError({ code: 'precondition_failed', detail: 'The schema has another ETag.' });
    }
    const headers = { ...CACHED, ETag: etag };
    if (notModified(c.req.raw.headers, etag, null)) return c.body(null, 304, headers);
    return c.body(await file.text(), 200, {
      ...headers,
      'Content-Type': name === PROPERTY_SCHEMA ? 'application/schema+json' : XML,
    });
  },
});
