import { SCHEMA_FILES } from '../schemas/files.ts';
import type { Operation } from './operation.ts';
import { internal, LOGGED, methodNotAllowed, problem } from './problems.ts';
import { directory, health, xmlSchema } from './schemas/service.ts';

const JSON_TYPE = 'application/json';

/** Operations that describe the service and its state. */
export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    path: '/',
    method: 'get',
    id: 'getDirectory',
    tag: 'Service',
    summary: 'The interfaces of the service',
    description: 'JSON for programs, a page for browsers. HEAD works as well.',
    security: [],
    responses: [
      {
        status: 200,
        description: 'Where the interfaces are.',
        headers: ['Cache-Control', 'Vary', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: directory },
        examples: [
          {
            name: 'directory',
            body: {
              service: 'Lindero',
              documentation: '/docs',
              feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
              kyero: '/kyero.xml?U=OWNPROPERTIES@{account}&P={password}',
              schemas: Object.keys(SCHEMA_FILES).map((name) => `/schemas/${name}`),
              developments: '/v1/developments',
              token_metadata: '/.well-known/oauth-authorization-server',
            },
          },
        ],
      },
      methodNotAllowed('GET, HEAD', {}),
      internal('internal', {}),
    ],
  },
  {
    path: '/health',
    method: 'get',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Whether the database responds',
    description: 'For uptime monitors; checked at most once a second. HEAD works as well.',
    security: [],
    responses: [
      {
        status: 200,
        description: 'It responds.',
        headers: ['Cache-Control', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: health },
        examples: [{ name: 'ok', body: { status: 'ok' } }],
      },
      methodNotAllowed('GET, HEAD', {}),
      internal('internal', {}),
      {
        status: 503,
        description: 'It does not.',
        headers: ['Cache-Control', 'Retry-After', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: health },
        examples: [{ name: 'unavailable', when: 'the database fails', body: { status: 'unavailable' } }],
      },
    ],
  },
  {
    path: '/schemas/{name}',
    method: 'get',
    id: 'getSchema',
    tag: 'Service',
    summary: 'An XML Schema of the feed or its errors',
    description: 'HEAD works as well.',
    security: [],
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'The schema’s file name.',
        schema: { type: 'string', enum: Object.keys(SCHEMA_FILES) },
        example: 'feed-v3.xsd',
      },
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The `ETag` of the last response: 304 if the schema is the same.',
        schema: { type: 'string' },
      },
    ],
    responses: [
      {
        status: 200,
        description: 'The schema.',
        headers: ['ETag', 'Cache-Control', ...LOGGED],
        content: { mediaType: 'application/xml; charset=utf-8', schema: xmlSchema },
        examples: [{ name: 'error', request: { path: { name: 'error.xsd' } } }],
      },
      {
        status: 304,
        description: 'The schema still has this `ETag`.',
        headers: ['ETag', 'Cache-Control', ...LOGGED],
        examples: [
          {
            name: 'notModified',
            request: { path: { name: 'feed-v3.xsd' } },
            when: 'unchanged since the last request',
          },
        ],
      },
      problem('not_found', 'there is no such schema.', 'Nothing is served at this path.', {
        name: 'notFound',
        request: { path: { name: 'feed-v9.xsd' } },
      }),
      methodNotAllowed('GET, HEAD', { path: { name: 'feed-v3.xsd' } }),
      problem('precondition_failed', 'the schema has another `ETag` than `If-Match`.', 'The schema has another ETag.', {
        name: 'preconditionFailed',
        request: { path: { name: 'feed-v3.xsd' }, headers: { 'If-Match': '"other"' } },
      }),
      internal('internal', { path: { name: 'feed-v3.xsd' } }),
    ],
  },
];
