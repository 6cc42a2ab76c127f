import { z } from 'zod';
import { HEADERS, type HeaderName, OPTIONAL_HEADERS } from '../http/headers.ts';
import { NAMED } from '../http/schemas.ts';
import type { SCOPES } from '../oauth/scopes.ts';
import { readerChanges } from '../readers/changing.ts';
import { channels } from '../readers/channels.ts';
import { propertyReaders } from '../readers/deliveries.ts';
import { readerKeys } from '../readers/keys.ts';
import { readers } from '../readers/route.ts';
import { unitReads } from '../units/reading.ts';
import { unitWrites } from '../units/updating.ts';
import { webhooks } from '../webhooks/route.ts';
import { CHANGE_OPERATIONS } from './changes.ts';
import { declared } from './declared.ts';
import { FEED_OPERATIONS } from './feed.ts';
import type { DocumentedResponse, Operation, Parameter, Security } from './operation.ts';
import { REPORT_OPERATIONS } from './report.ts';
import { SERVICE_OPERATIONS } from './service.ts';
import { TOKEN_OPERATIONS } from './tokens.ts';

/** Every operation, in the order of the document. An interface adds its own list here. */
export const OPERATIONS: readonly Operation[] = [
  ...FEED_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...declared([unitWrites, unitReads]),
  ...CHANGE_OPERATIONS,
  ...declared([webhooks]),
  ...declared([readers, readerKeys, readerChanges, propertyReaders, channels]),
  ...SERVICE_OPERATIONS,
];

/** Longer bodies of requests are left out of the document: they are examples of what is too large. */
const MAX_EXAMPLE = 4_000;

const TAGS: readonly { readonly name: Operation['tag']; readonly description: string }[] = [
  { name: 'Feed', description: 'The properties of an agency, for portals and other readers.' },
  { name: 'Report', description: 'What portals reject or misread in an agency’s properties.' },
  { name: 'Tokens', description: 'OAuth 2.0 access tokens for the unit API, issued to clients by client credentials.' },
  { name: 'Units', description: 'The units of an agency’s new developments: reading and updating them.' },
  { name: 'Changes', description: 'What has changed since the last request, for programs that follow an agency.' },
  { name: 'Webhooks', description: 'Addresses that are called when an account has news.' },
  { name: 'Readers', description: 'The portals and programs that fetch an agency’s feed, each with a key of its own.' },
  { name: 'Service', description: 'The service itself.' },
];

const SECURITY: Readonly<Record<Security, { readonly scheme: string; readonly scopes: readonly string[] }[]>> = {
  feedQuery: [
    { scheme: 'feedAccount', scopes: [] },
    { scheme: 'feedPassword', scopes: [] },
  ],
  feedBasic: [{ scheme: 'feedBasic', scopes: [] }],
  clientBasic: [{ scheme: 'clientBasic', scopes: [] }],
  clientBody: [],
  unitsRead: [{ scheme: 'accessToken', scopes: ['units:read'] }],
  unitsWrite: [{ scheme: 'accessToken', scopes: ['units:write'] }],
  propertiesRead: [{ scheme: 'accessToken', scopes: ['properties:read'] }],
  feedsRead: [{ scheme: 'accessToken', scopes: ['feeds:read'] }],
  readersRead: [{ scheme: 'accessToken', scopes: ['readers:read'] }],
  readersWrite: [{ scheme: 'accessToken', scopes: ['readers:write'] }],
  webhooksRead: [{ scheme: 'accessToken', scopes: ['webhooks:read'] }],
  webhooksWrite: [{ scheme: 'accessToken', scopes: ['webhooks:write'] }],
};

const SCOPE_MEANINGS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'units:write': 'Updating units',
  'units:read': 'Reading developments and units',
  'properties:read': 'Reading properties and what has changed',
  'feeds:read': 'Reading the report on the account’s properties',
  'readers:write': 'Managing readers',
  'readers:read': 'Reading readers and what they were given',
  'webhooks:write': 'Managing webhooks',
  'webhooks:read': 'Reading webhooks and their calls',
};

/** The API as an OpenAPI 3.1 document. */
export function openApiDocument(version: string) {
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lindero',
      version,
      summary: 'Property feeds of estate agencies, and updates of the units of their new developments.',
      description:
        'Feeds are XML documents for portals; units are updated and read as JSON with an access token. Errors have a ' +
        'stable code: XML for feeds, RFC 6749 JSON for tokens, RFC 9457 problem documents for everything else.\n\n' +
        'The examples can be sent to a service started with `npm start`, which has the demo account and client that they ' +
        'name.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: TAGS,
    paths: Object.fromEntries(paths.map((path) => [path, pathItem(path)])),
    components: { schemas: schemas(), headers: headers(), securitySchemes: SECURITY_SCHEMES },
  };
}

function pathItem(path: string) {
  const operations = OPERATIONS.filter((operation) => operation.path === path);
  return Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)]));
}

function operationObject({ id, tag, summary, description, security, parameters, body, responses }: Operation) {
  const statuses = [...new Set(responses.map(({ status }) => status))].sort((a, b) => a - b);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security.map((name) => Object.fromEntries(SECURITY[name].map(({ scheme, scopes }) => [scheme, scopes]))),
    ...(parameters === undefined ? {} : { parameters: parameters.map(parameterObject) }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, responses) }),
    responses: Object.fromEntries(
      statuses.map((status) => [status, responseObject(responses.filter((response) => response.status === status))]),
    ),
  };
}

function parameterObject({ name, in: place, required = false, description, schema, example, explode }: Parameter) {
  return {
    name,
    in: place,
    required,
    description,
    ...(explode === undefined ? {} : { style: 'form', explode }),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/** With the examples that the schema accepts: the others show what is rejected, and would mislead here. */
function requestBody({ schema, mediaTypes }: NonNullable<Operation['body']>, responses: readonly DocumentedResponse[]) {
  const requests = responses.flatMap(({ examples }) =>
    examples.flatMap(({ name, request }) => {
      if (!schema.safeParse(request?.body).success || JSON.stringify(request?.body).length > MAX_EXAMPLE) return [];
      return [{ name, mediaType: request?.mediaType ?? mediaTypes[0], value: request?.body }];
    }),
  );
  const contentOf = (mediaType: string) => {
    const examples = requests.filter((request) => request.mediaType === mediaType);
    const named = Object.fromEntries(examples.map(({ name, value }) => [name, { value }]));
    return { schema: reference(schema), examples: named };
  };
  return {
    required: true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, contentOf(mediaType)])),
  };
}

/** All responses with one status. */
function responseObject(responses: readonly DocumentedResponse[]) {
  const names = [...new Set(responses.flatMap(({ headers = [] }) => headers))];
  const mediaTypes = [...new Set(responses.flatMap(({ content }) => content?.mediaType ?? []))];
  const descriptions = [...new Set(responses.map(({ description }) => description))];
  const contentOf = (mediaType: string) => {
    const contents = responses.filter(({ content }) => content?.mediaType === mediaType);
    const examples = contents.flatMap(({ examples }) => examples.filter(({ body }) => body !== undefined));
    return {
      schema: reference(contents[0]!.content!.schema),
      examples: Object.fromEntries(examples.map(({ name, body }) => [name, { value: body }])),
    };
  };
  return {
    description: descriptions.length === 1 ? descriptions[0]! : descriptions.map((text) => `- ${text}`).join('\n'),
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(mediaTypes.length === 0
      ? {}
      : { content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, contentOf(mediaType)])) }),
  };
}

function reference(schema: z.ZodType) {
  return { $ref: `#/components/schemas/${NAMED.get(schema)!.id}` };
}

function schemas() {
  const { schemas } = z.toJSONSchema(NAMED, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}

function headers() {
  return Object.fromEntries(
    (Object.keys(HEADERS) as HeaderName[]).map((name) => {
      const { description, example } = HEADERS[name];
      return [name, { description, required: !OPTIONAL_HEADERS.includes(name), schema: { type: 'string' }, example }];
    }),
  );
}

const SECURITY_SCHEMES = {
  feedAccount: {
    type: 'apiKey',
    in: 'query',
    name: 'U',
    description: '`OWNPROPERTIES@` followed by the account code; with `feedPassword`.',
  },
  feedPassword: { type: 'apiKey', in: 'query', name: 'P', description: 'The account’s password.' },
  feedBasic: {
    type: 'http',
    scheme: 'basic',
    description:
      'User name `OWNPROPERTIES@<account code>`, and the account’s password. Preferable: URLs end up in logs.',
  },
  clientBasic: { type: 'http', scheme: 'basic', description: 'The client’s id and secret, each form-encoded.' },
  accessToken: {
    type: 'oauth2',
    description: 'An access token from `POST /oauth/token`, sent as `Authorization: Bearer`.',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: SCOPE_MEANINGS } },
  },
};
