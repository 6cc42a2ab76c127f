import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { isDatabaseReady } from '../accounts/accounts.ts';
import { environmentsOf } from '../accounts/environments.ts';
import { Api } from '../api/api.ts';
import { empty, ok } from '../api/operation.ts';
import { NOT_CACHED, named, namedObject } from '../api/schemas.ts';
import type { AppEnv } from '../env.ts';
import { serveAsset } from '../http/assets.ts';
import { XML_TYPE } from '../lib/bytes/xml.ts';
import { isWithin, nowInSeconds } from '../lib/time/time.ts';
import { DependencyUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { reader } from '../readers/api/schemas.ts';
import { overdueReaders } from '../readers/api/view.ts';
import { PROPERTY_SCHEMA, SCHEMA_FILES } from './schema-files.ts';

/** Milliseconds for which an isolate reuses a result, so that requests from anywhere cost the database little. */
const MAX_AGE_MS = 1_000;

let last: { readonly isReady: boolean; readonly checkedAt: number } | undefined;

const withToken = requireScope('readers:read');

/** Middleware that requires the scope of an access token if credentials are sent, once the database responds. */
const optionalToken = Object.assign(
  createMiddleware<AppEnv>(async (c, next) => {
    const now = Date.now();
    if (last === undefined || !isWithin(MAX_AGE_MS, last.checkedAt, now)) {
      const ready = [...environmentsOf(c.env).values()].map(({ DB }) => isDatabaseReady(DB));
      last = { isReady: (await Promise.all(ready)).every(Boolean), checkedAt: now };
    }
    if (!last.isReady) throw new DependencyUnavailable('database: at least one is not responding');
    return c.req.header('Authorization') === undefined
      ? next()
      : withToken(c as unknown as Context<CallerEnv>, next);
  }),
  { security: [{}, ...withToken.security] },
);

const healthSchema = namedObject('Health', {
  status: z.enum(['ok', 'unavailable']),
  overdue_readers: z
    .array(reader)
    .optional()
    .describe(
      'Only with a token with the scope `readers:read`: the readers of its account that are overdue.',
    ),
});

/**
 * What the service says of itself: whether every database responds, for uptime monitors; an overview of its interfaces for
 * programs; the schemas of feeds, of their errors and of properties; and the description of the API.
 */
export const service = new Api('Service');

service.read({
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the database responds',
  description: 'For uptime monitors; checked at most once a second.',
  middleware: optionalToken,
  responses: {
    200: ok(healthSchema, 'The database is reachable.'),
    503: ok(healthSchema, 'The database is not reachable.', 'Retry-After'),
  },
  problems: {
    missing_token: {
      description: 'the credentials are not an access token.',
      request: { headers: { Authorization: 'Basic bm9ib2R5Og==' } },
      when: undefined,
    },
  },
  examples: {
    ok: { when: 'no credentials', body: { status: 'ok' } },
    overdueReaders: { body: { status: 'ok', overdue_readers: [] } },
    unavailable: { status: 503, when: 'the database fails', body: { status: 'unavailable' } },
  },
  handle: async (c) => {
    const { caller } = c.var;
    const overdue = caller && {
      overdue_readers: await overdueReaders(c.env.DB, caller.accountId, nowInSeconds()),
    };
    return { body: { status: 'ok' as const, ...overdue }, headers: NOT_CACHED };
  },
});

/** The response if a dependency fails. */
export function unhealthy(): Response {
  const headers = { ...NOT_CACHED, 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return Response.json({ status: 'unavailable' }, { status: 503, headers });
}

const CACHED = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' };
const XML_SCHEMAS = Object.keys(SCHEMA_FILES);
const LIST = { schemas: [...XML_SCHEMAS, PROPERTY_SCHEMA].map((name) => `/schemas/${name}`) };

const DIRECTORY = {
  service: 'Lindero',
  documentation: '/docs',
  feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
  kyero: '/kyero.xml?U=OWNPROPERTIES@{account}&P={password}',
  idealista: '/idealista.json?U=OWNPROPERTIES@{account}&P={password}',
  ...LIST,
  developments: '/v1/developments',
};

const ISSUER = { token_metadata: '/.well-known/oauth-authorization-server' };

const directorySchema = namedObject('Directory', {
  service: z.string(),
  documentation: z.string(),
  feed: z.string().describe('An RFC 6570 template.'),
  kyero: z.string().describe('The same for the Kyero format.'),
  idealista: z.string().describe('The same for the Idealista format.'),
  schemas: z.array(z.string()),
  developments: z.string(),
  token_metadata: z.string().optional().describe('Absent if another issuer issues the tokens.'),
});

const schemaList = namedObject('SchemaList', { schemas: z.array(z.string()) });
const xmlSchema = {
  mediaType: XML_TYPE,
  schema: named('XmlSchema', z.string().describe('An XML Schema.')),
};
const jsonSchema = {
  mediaType: 'application/schema+json',
  schema: named('JsonSchema', z.looseObject({})),
};

service.read({
  path: '/',
  operationId: 'getDirectory',
  summary: 'The interfaces of the service',
  description: 'JSON for programs, a page for browsers.',
  responses: { 200: ok(directorySchema, 'Where the interfaces are.', 'Vary') },
  examples: { directory: { body: { ...DIRECTORY, ...ISSUER } } },
  handle: async (c) => ({
    body: { ...DIRECTORY, ...(!hasOtherIssuer(c.env) && ISSUER) },
    headers: { 'Cache-Control': 'public, max-age=600', Vary: 'Accept' },
  }),
});

service.read({
  path: '/schemas',
  operationId: 'listSchemas',
  summary: 'List the schemas',
  responses: { 200: ok(schemaList, 'The paths of the schemas.', 'Access-Control-Allow-Origin') },
  examples: { schemas: { body: LIST } },
  handle: async () => ({ body: LIST, headers: CACHED }),
});

const SCHEMA = empty('The schema.', 'ETag', 'Access-Control-Allow-Origin');
const SAME_SCHEMA = empty(
  'The schema still has the `ETag` of `If-None-Match`.',
  'ETag',
  'Cache-Control',
  'Access-Control-Allow-Origin',
);

service.read({
  path: `/schemas/${PROPERTY_SCHEMA}`,
  operationId: 'getPropertySchema',
  summary: 'The JSON Schema of a property',
  responses: { 200: { ...SCHEMA, content: jsonSchema }, 304: SAME_SCHEMA },
  examples: { schema: {}, notModified: { status: 304, when: 'unchanged since the last request' } },
  handle: (c) => schemaFile(c, PROPERTY_SCHEMA, jsonSchema.mediaType),
});

service.read({
  path: '/schemas/{name}',
  operationId: 'getSchema',
  summary: 'An XML Schema of a feed or of its errors',
  request: {
    params: z.object({
      name: z.string().meta({
        description: 'The schema’s file name.',
        enum: XML_SCHEMAS,
        example: 'feed-v3.xsd',
      }),
    }),
  },
  responses: { 200: { ...SCHEMA, content: xmlSchema }, 304: SAME_SCHEMA },
  problems: {
    not_found: {
      description: 'there is no such schema.',
      detail: 'Nothing is served at this path.',
      request: { path: { name: 'feed-v9.xsd' } },
    },
  },
  examples: { feed: {}, notModified: { status: 304, when: 'unchanged since the last request' } },
  handle: async (c, { params: { name } }) =>
    XML_SCHEMAS.includes(name) ? schemaFile(c, name, XML_TYPE) : c.notFound(),
});

async function schemaFile(c: Context<AppEnv>, name: string, type: string): Promise<Response> {
  const file = await serveAsset(c, `/schemas/${name}`);
  const headers = { ...CACHED, ETag: file.headers.get('ETag')!, 'Content-Type': type };
  return new Response(file.body, { status: file.status, headers });
}

/**
 * The page `/docs` loads its own scripts and the API's description, and nothing from anywhere else. Its renderer creates styles
 * and searches in a web worker that it creates from a string.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCS_FILES = ['/docs/redoc.js', '/docs/docs.js', '/docs/docs.css'];

// The API's description as an OpenAPI document, and as a page to read and search.
service.get('/openapi.json', (c) =>
  serveAsset(c, '/openapi.json', { 'Access-Control-Allow-Origin': '*' }),
);
service.get('/docs', (c) =>
  serveAsset(c, '/docs.html', { 'Content-Security-Policy': DOCS_POLICY }),
);
service.on('GET', DOCS_FILES, (c) => serveAsset(c, c.req.path));
