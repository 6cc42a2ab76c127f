import * as z from 'zod';
import type { Api } from '../api/api.ts';
import HEADERS from '../api/headers.json' with { type: 'json' };
import type { DocumentedResponse, Operation, RequestSchemas } from '../api/operation.ts';
import { NAMED } from '../api/schemas.ts';
import TAGS from '../api/tags.json' with { type: 'json' };
import { APIS } from '../apis.ts';
import SCOPES from '../oauth/scopes.json' with { type: 'json' };
import { feed } from './feed.ts';
import { responsesOf } from './responses.ts';
import SECURITY from './security.json' with { type: 'json' };

/** Every operation with every response it can have, in the order of the document. */
export const OPERATIONS = documented([feed, ...APIS]);

export type DocumentedOperation = ReturnType<typeof documented>[number];

function documented(apis: readonly Api[]) {
  const all = apis.flatMap(({ tag, operations }) =>
    operations.map((operation) => ({ tag, operation })),
  );
  return all.map(({ tag, operation }) => {
    const methods = all
      .filter((other) => other.operation.path === operation.path)
      .flatMap((other) =>
        other.operation.method === 'get' ? ['GET', 'HEAD'] : other.operation.method.toUpperCase(),
      );
    return { tag, operation, responses: responsesOf(operation, methods) };
  });
}

/** Maximum length, in characters, of an example of a request's body in the document; longer ones are left out. */
const MAX_EXAMPLE_LENGTH = 4_000;

const SECURITY_SCHEMES = {
  ...SECURITY,
  accessToken: {
    type: 'oauth2',
    description: 'An access token from `POST /oauth/token`, sent as `Authorization: Bearer`.',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: SCOPES } },
  },
};

/** The API as an OpenAPI 3.1 document. @param description its introduction, in Markdown */
export function openApiDocument(version: string, description: string) {
  const paths = Map.groupBy(OPERATIONS, ({ operation }) => operation.path);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lindero',
      version,
      summary:
        'Property feeds of estate agencies, and updates of the units of their new developments.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      [...paths].map(([path, operations]) => [
        path,
        Object.fromEntries(
          operations.map((entry) => [entry.operation.method, operationObject(entry)]),
        ),
      ]),
    ),
    components: { schemas: schemas(), headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function operationObject({ tag, operation, responses }: DocumentedOperation) {
  const { operationId, summary, middleware, security, request, method } = operation;
  const head = method === 'get' && 'HEAD works as well.';
  const description = [operation.description, head].filter(Boolean).join(' ');
  const byStatus = Map.groupBy(responses, ({ status }) => status);
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    security: middleware?.security ?? security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(request?.body !== undefined && {
      requestBody: requestBody(request.body.content, operation.examples),
    }),
    responses: Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [status, responseObject(ofStatus)]),
    ),
  };
}

function parametersOf({ request = {} }: Operation) {
  const places = { path: request.params, query: request.query, header: request.headers };
  return Object.entries(places).flatMap(([place, schema]) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) =>
      parameterObject(name, place, field as z.ZodType),
    ),
  );
}

function parameterObject(name: string, place: string, field: z.ZodType) {
  const { $schema: _, description, example, ...schema } = z.toJSONSchema(field, { io: 'input' });
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema,
    ...(example !== undefined && { example }),
  };
}

function requestBody(content: DocumentedBody, examples: Operation['examples']) {
  const shown = Object.entries(examples).map(([name, { request: { mediaType, body } = {} }]) => ({
    name,
    mediaType: mediaType ?? Object.keys(content)[0],
    body: JSON.stringify(body ?? '').length > MAX_EXAMPLE_LENGTH ? undefined : body,
  }));
  return { required: true, content: contentObject(content, shown) };
}

/** The responses with one status as one object of the document. */
function responseObject(responses: readonly DocumentedResponse[]) {
  const names = [...new Set(responses.flatMap(({ headers }) => headers))];
  const descriptions = [...new Set(responses.map(({ description }) => description))];
  const bodies = responses.flatMap(({ content }) =>
    content ? [[content.mediaType, content.schema] as const] : [],
  );
  const examples = responses.flatMap(({ content, examples }) =>
    Object.entries(examples).map(([name, { body }]) => ({
      name,
      mediaType: content?.mediaType,
      body,
    })),
  );
  return {
    description:
      descriptions.length === 1
        ? descriptions[0]!
        : descriptions.map((text) => `- ${text}`).join('\n'),
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...(bodies.length > 0 && { content: contentObject(Object.fromEntries(bodies), examples) }),
  };
}

type DocumentedBody = NonNullable<RequestSchemas['body']>['content'];

/** Bodies of some media types, with the examples of each. */
function contentObject(
  schemas: DocumentedBody,
  examples: readonly {
    readonly name: string;
    readonly mediaType: string | undefined;
    readonly body: unknown;
  }[],
) {
  const media = Object.entries(schemas).map(([type, schema]) => {
    const shown = examples.filter(
      ({ mediaType, body }) => mediaType === type && body !== undefined,
    );
    const named = Object.fromEntries(shown.map(({ name, body }) => [name, { value: body }]));
    return [
      type,
      { schema: { $ref: `#/components/schemas/${NAMED.get(schema)!.id}` }, examples: named },
    ];
  });
  return Object.fromEntries(media);
}

function schemas() {
  const { schemas } = z.toJSONSchema(NAMED, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}
