import * as z from 'zod';
import { serveAsset } from '../assets.ts';
import { Api } from '../http/api.ts';
import { empty, ok } from '../http/operation.ts';
import { named } from '../http/schemas.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { PROPERTY_SCHEMA, SCHEMAS } from './schema-files.ts';

const CACHED = { 'Cache-Control': 'public, max-age=3600' };
const XML = 'application/xml; charset=utf-8';
const LIST = { schemas: SCHEMAS.map((name) => `/schemas/${name}`) };

const DIRECTORY = {
  service: 'Lindero',
  documentation: '/docs',
  feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
  kyero: '/kyero.xml?U=OWNPROPERTIES@{account}&P={password}',
  ...LIST,
  developments: '/v1/developments',
};

const ISSUER = { token_metadata: '/.well-known/oauth-authorization-server' };

const directorySchema = named(
  'Directory',
  z.object({
    service: z.string(),
    documentation: z.string(),
    feed: z.string().meta({ description: 'An RFC 6570 template.' }),
    kyero: z.string().meta({ description: 'The same for the Kyero format.' }),
    schemas: z.array(z.string()),
    developments: z.string(),
    token_metadata: z.string().optional().meta({ description: 'Absent if another issuer issues the tokens.' }),
  }),
);

const schemaList = named('SchemaList', z.object({ schemas: z.array(z.string()) }));
const xmlSchema = named('XmlSchema', z.string().meta({ description: 'An XML Schema.' }));

/** An overview of the service's interfaces for programs, and the schemas of feeds, of their errors and of properties. */
export const directory = new Api('Service');

directory.read({
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

directory.read({
  path: '/schemas',
  operationId: 'listSchemas',
  summary: 'List the schemas',
  responses: { 200: ok(schemaList, 'The paths of the schemas.') },
  examples: { schemas: { body: LIST } },
  handle: async () => ({ body: LIST, headers: CACHED }),
});

directory.read({
  path: '/schemas/{name}',
  operationId: 'getSchema',
  summary: 'An XML Schema of a feed or of its errors, or the JSON Schema of a property',
  request: {
    params: z.object({
      name: z.string().meta({ description: 'The schema’s file name.', enum: [...SCHEMAS], example: 'feed-v3.xsd' }),
    }),
  },
  responses: { 200: { ...empty('The schema.', 'ETag'), content: { mediaType: XML, schema: xmlSchema } } },
  problems: {
    not_found: {
      description: 'there is no such schema.',
      detail: 'Nothing is served at this path.',
      request: { path: { name: 'feed-v9.xsd' } },
    },
  },
  examples: { feed: {}, notModified: { status: 304, when: 'unchanged since the last request' } },
  handle: async (c, { params: { name } }) => {
    if (!SCHEMAS.includes(name)) return c.notFound();
    const type = name === PROPERTY_SCHEMA ? 'application/schema+json' : XML;
    const file = await serveAsset(c.env, c.req.raw, `/schemas/${name}`);
    const headers = { ...CACHED, ETag: file.headers.get('ETag')!, 'Content-Type': type };
    return new Response(file.body, { status: file.status, headers });
  },
});
