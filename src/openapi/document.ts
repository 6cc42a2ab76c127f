import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
  zodToOpenAPIRegistry,
} from '@asteasolutions/zod-to-openapi';
import { HEADERS } from '../api/headers.ts';
import { NAMES } from '../api/schemas.ts';
import { APIS } from '../apis.ts';
import { calls } from '../changes/webhooks/events.ts';
import SCOPE_MEANINGS from '../oauth/scopes.json' with { type: 'json' };
import { withDefaultsInWords } from './defaults.ts';
import { feeds } from './feed.ts';
import { patchOf } from './patch.ts';
import { referredTo, shownOf } from './shown.ts';

const INFO = {
  title: 'Lindero',
  summary: 'Property feeds of estate agencies, and updates of the units of their new developments.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const TAGS = {
  Feed: 'The properties of an agency, for portals and other readers.',
  Report: 'What portals reject or misread in an agency’s properties.',
  Tokens: 'OAuth 2.0 access tokens for the API, issued by the client credentials grant.',
  Units: 'The units of an agency’s new developments: reading and updating them.',
  Properties: 'The properties of an agency: reading and writing them.',
  Imports: 'Importing files into an account, once or on a schedule.',
  Changes: 'What has changed since the last request, for programs that follow an agency.',
  Webhooks: 'Addresses that are called when an account has news.',
  Readers: 'The portals and programs that fetch an agency’s feed, each with its own key.',
  Operator:
    'What operates the service: accounts, clients, databases, backups. With the operator’s key, ' +
    'every other operation works as well, on the account that `?account=CODE` names.',
  Service: 'The service itself.',
};

const SECURITY = {
  feedAccount: {
    type: 'apiKey',
    in: 'query',
    name: 'U',
    description: '`OWNPROPERTIES@` followed by the account code; with `feedPassword`.',
  },
  feedPassword: {
    type: 'apiKey',
    in: 'query',
    name: 'P',
    description: 'The account’s password, or a reader’s key.',
  },
  feedBasic: {
    type: 'http',
    scheme: 'basic',
    description:
      'User name `OWNPROPERTIES@<account code>`, and the account’s password or a reader’s key; ' +
      '`/v1/report` accepts only the password, and `/v1/changes` only a key. Preferable for ' +
      'feeds: URLs end up in logs.',
  },
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The operator’s key, the setting `OPERATOR_KEY`.',
  },
  clientBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'The client’s id and secret, each form-encoded.',
  },
  accessToken: {
    type: 'oauth2',
    description: 'An access token from `POST /oauth/token`, sent as `Authorization: Bearer`.',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: SCOPE_MEANINGS } },
  },
} as const;

interface Media {
  schema?: Readonly<Record<string, unknown>>;
}

/** What the document describes, in its order. */
const ROUTES = [...feeds, ...APIS.flatMap(({ described }) => described)];

/** The API as an OpenAPI 3.1 document. @param description its introduction, in Markdown */
export function openApiDocument(version: string, description: string) {
  for (const [schema, refId] of NAMES) zodToOpenAPIRegistry.add(schema, { _internal: { refId } });
  const named = [...NAMES.keys()].map((schema) => ({ type: 'schema', schema }) as const);
  const registry = new OpenAPIRegistry();
  for (const [name, header] of Object.entries(HEADERS))
    registry.registerComponent('headers', name, header);
  for (const [name, scheme] of Object.entries(SECURITY))
    registry.registerComponent('securitySchemes', name, scheme);
  for (const route of ROUTES) registry.registerPath(route as RouteConfig);
  for (const call of calls) registry.registerWebhook(call);
  const document = new OpenApiGeneratorV31([...named, ...registry.definitions]).generateDocument({
    openapi: '3.1.1',
    info: { ...INFO, version, description },
    servers: [{ url: '/', description: 'This service' }],
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
  });
  const schemas = document.components!.schemas as Record<string, Readonly<Record<string, unknown>>>;
  schemas.PropertyPatch = { ...patchOf(schemas.PropertyDocument!), ...schemas.PropertyPatch };
  const bodies = Object.values(document.paths!).flatMap((item) =>
    Object.values(item).map(({ requestBody }) => requestBody),
  );
  const sent = referredTo(bodies, schemas);
  for (const [schema, name] of NAMES)
    if (schemas[name])
      schemas[name] = sent.has(name)
        ? withDefaultsInWords(schemas[name])
        : shownOf(schemas[name], schema);
  for (const { content = {} } of bodies.filter((one) => one !== undefined))
    for (const media of Object.values<Media>(content))
      if (media.schema !== undefined) media.schema = withDefaultsInWords(media.schema);
  return document;
}
