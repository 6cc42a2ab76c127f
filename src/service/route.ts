import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { isDatabaseReady } from '../accounts/accounts.ts';
import { environmentsOf } from '../accounts/environments.ts';
import { NOT_CACHED } from '../api/headers.ts';
import { clientAccess, content, empty, error, errors, ok } from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { named, namedObject, readCondition } from '../api/schemas.ts';
import type { AppEnv } from '../env.ts';
import { OTHER_FORMATS } from '../feed/formats/formats.ts';
import { serveAsset } from '../http/assets.ts';
import { XML_TYPE } from '../lib/bytes/xml.ts';
import { isWithin, nowInSeconds } from '../lib/time/time.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { reader } from '../readers/api/schemas.ts';
import { overdueReaders } from '../readers/api/view.ts';
import { serves } from '../request-log.ts';
import { PROPERTY_SCHEMA, SCHEMA_FILES } from './schema-files.ts';

/** Milliseconds for which an isolate reuses a result, so that requests from anywhere cost the database little. */
const MAX_AGE_MS = 1_000;

let last: { readonly isReady: boolean; readonly checkedAt: number } | undefined;

const withToken = requireScope('readers:read');

/**
 * Middleware that requires the scope of an access token if credentials are sent, once the database
 * responds.
 */
const optionalToken = createMiddleware<AppEnv>(async (c, next) => {
  const now = Date.now();
  if (last === undefined || !isWithin(MAX_AGE_MS, last.checkedAt, now)) {
    const ready = [...environmentsOf(c.env).values()].map(({ DB }) => isDatabaseReady(DB));
    last = { isReady: (await Promise.all(ready)).every(Boolean), checkedAt: now };
  }
  if (!last.isReady) throw new DependencyUnavailable('database: at least one is not responding');
  return c.req.header('Authorization') === undefined
    ? next()
    : withToken(c as unknown as Context<CallerEnv>, next);
});

const healthSchema = namedObject('Health', {
  status: z.enum(['ok', 'unavailable']),
  overdue_readers: z
    .array(reader)
    .optional()
    .describe(
      'Only with a token with the scope `readers:read`: the readers of its account that are ' +
        'overdue.',
    ),
});

/**
 * What the service says of itself: whether every database responds, for uptime monitors; an overview
 * of its interfaces for programs; the schemas of feeds, of their errors and of properties; and the
 * description of the API.
 */
export const service = new Router();

/** The response to a request about the health of the service if a dependency fails. */
function unhealthy(headers: Record<string, string>): Response {
  return Response.json(
    { status: 'unavailable' },
    { status: 503, headers: { ...NOT_CACHED, ...headers } },
  );
}

service.use('/health/*', serves('health', { unavailable: unhealthy }));
for (const path of ['/docs/*', '/problems/*', '/openapi.json', '/schemas/*'])
  service.use(path, serves('docs'));

const TAGS = ['Service'];

const getHealth = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tags: TAGS,
  summary: 'Whether the database responds',
  description: 'For uptime monitors; checked at most once a second.',
  security: [{}, { accessToken: ['readers:read'] }],
  middleware: optionalToken,
  responses: {
    ...errors(
      clientAccess('readers:read'),
      error(
        'missing_token',
        'the credentials are not an access token.',
        'Send the token as Authorization: Bearer.',
      ),
    ),
    200: ok(healthSchema, 'The database is reachable.', {
      examples: { ok: { status: 'ok' }, overdueReaders: { status: 'ok', overdue_readers: [] } },
    }),
    503: ok(healthSchema, 'The database is not reachable.', {
      headers: ['Retry-After'],
      examples: { unavailable: { status: 'unavailable' } },
    }),
  },
});

service.openapi(getHealth, async (c) => {
  const { caller } = c.var;
  const overdue = caller && {
    overdue_readers: await overdueReaders(c.env.DB, caller.accountId, nowInSeconds()),
  };
  return c.json({ status: 'ok' as const, ...overdue }, 200, NOT_CACHED);
});

const CACHED = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' };
const XML_SCHEMAS = Object.keys(SCHEMA_FILES);
const LIST = { schemas: [...XML_SCHEMAS, PROPERTY_SCHEMA].map((name) => `/schemas/${name}`) };

const DIRECTORY = {
  service: 'Lindero',
  documentation: '/docs',
  feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
  ...Object.fromEntries(
    OTHER_FORMATS.map(({ name, file }) => [
      name,
      `/${file}?U=OWNPROPERTIES@{account}&P={password}`,
    ]),
  ),
  ...LIST,
  developments: '/v1/developments',
};

const ISSUER = { token_metadata: '/.well-known/oauth-authorization-server' };

const directorySchema = namedObject('Directory', {
  service: z.string(),
  documentation: z.string(),
  feed: z.string().describe('An RFC 6570 template.'),
  ...Object.fromEntries(
    OTHER_FORMATS.map(({ name, title }) => [
      name,
      z.string().describe(`The same for ${title(new URLSearchParams())[0]}.`),
    ]),
  ),
  schemas: z.array(z.string()),
  developments: z.string(),
  token_metadata: z.string().optional().describe('Absent if another issuer issues the tokens.'),
});

const schemaList = namedObject('SchemaList', { schemas: z.array(z.string()) });
const xmlSchema = named('XmlSchema', z.string().describe('An XML Schema.'));
const jsonSchema = named('JsonSchema', z.looseObject({}));
const JSON_SCHEMA_TYPE = 'application/schema+json';

const getDirectory = createRoute({
  method: 'get',
  path: '/',
  operationId: 'getDirectory',
  tags: TAGS,
  summary: 'The interfaces of the service',
  description: 'JSON for programs, a page for browsers.',
  security: [],
  responses: {
    200: ok(directorySchema, 'Where the interfaces are.', {
      headers: ['Vary'],
      examples: { directory: { ...DIRECTORY, ...ISSUER } },
    }),
    ...errors(),
  },
});

service.openapi(getDirectory, (c) => {
  const headers = { 'Cache-Control': 'public, max-age=600', Vary: 'Accept' };
  return c.json({ ...DIRECTORY, ...(!hasOtherIssuer(c.env) && ISSUER) }, 200, headers);
});

const listSchemas = createRoute({
  method: 'get',
  path: '/schemas',
  operationId: 'listSchemas',
  tags: TAGS,
  summary: 'List the schemas',
  security: [],
  responses: {
    200: ok(schemaList, 'The paths of the schemas.', {
      headers: ['Access-Control-Allow-Origin'],
      examples: { schemas: LIST },
    }),
    ...errors(),
  },
});

service.openapi(listSchemas, (c) => c.json(LIST, 200, CACHED));

const sameSchema = empty('It still has the `ETag` of `If-None-Match`.', [
  'ETag',
  'Cache-Control',
  'Access-Control-Allow-Origin',
]);

const getPropertySchema = createRoute({
  method: 'get',
  path: `/schemas/${PROPERTY_SCHEMA}`,
  operationId: 'getPropertySchema',
  tags: TAGS,
  summary: 'The JSON Schema of a property',
  security: [],
  request: { headers: readCondition },
  responses: {
    200: content(JSON_SCHEMA_TYPE, jsonSchema, 'The schema.', {
      headers: ['ETag', 'Access-Control-Allow-Origin'],
    }),
    304: sameSchema,
    ...errors(),
  },
});

service.openapi(getPropertySchema, (c) => schemaFile(c, PROPERTY_SCHEMA, JSON_SCHEMA_TYPE));

const getSchema = createRoute({
  method: 'get',
  path: '/schemas/{name}',
  operationId: 'getSchema',
  tags: TAGS,
  summary: 'An XML Schema of a feed or of its errors',
  security: [],
  request: {
    params: z.object({
      name: z.string().meta({
        description: 'The schema’s file name.',
        enum: XML_SCHEMAS,
        example: 'feed-v3.xsd',
      }),
    }),
    headers: readCondition,
  },
  responses: {
    200: content(XML_TYPE, xmlSchema, 'The schema.', {
      headers: ['ETag', 'Access-Control-Allow-Origin'],
    }),
    304: sameSchema,
    ...errors(error('not_found', 'there is no such schema.', 'Nothing is served at this path.')),
  },
});

service.openapi(getSchema, (c) => {
  const { name } = c.req.valid('param');
  return XML_SCHEMAS.includes(name) ? schemaFile(c, name, XML_TYPE) : c.notFound();
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
service.get('/openapi.json', async (c) => {
  const file = await serveAsset(c, '/openapi.json', { 'Access-Control-Allow-Origin': '*' });
  if (file.status !== 200) return file;
  const origin = c.env.PUBLIC_ORIGIN ?? new URL(c.req.url).origin;
  const headers = new Headers(file.headers);
  headers.delete('Content-Length');
  const text = (await file.text()).replaceAll('http://localhost:8787', origin);
  return new Response(text, { headers });
});
service.get('/docs', (c) =>
  serveAsset(c, '/docs.html', { 'Content-Security-Policy': DOCS_POLICY }),
);
// What the `type` of a problem leads to.
service.get('/problems/:code', (c) =>
  serveAsset(c, `/problems/${encodeURIComponent(c.req.param('code'))}.html`, {
    'Content-Security-Policy': DOCS_POLICY,
  }),
);
service.on('GET', DOCS_FILES, (c) => serveAsset(c, c.req.path));
