import * as z from 'zod';
import { Api } from '../api/api.ts';
import type { DocumentedResponse, Operation, RequestSchemas } from '../api/operation.ts';
import { NAMED } from '../api/schemas.ts';
import { APIS } from '../apis.ts';
import { responsesOf } from './responses.ts';

/** Every operation with every response it can have, in the order of the document. */
export const OPERATIONS = documented(APIS.filter((api) => api instanceof Api));

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

export function oldPaths() {
  const paths = Map.groupBy(OPERATIONS, ({ operation }) => operation.path);
  return Object.fromEntries(
    [...paths].map(([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map((entry) => [entry.operation.method, operationObject(entry)]),
      ),
    ]),
  );
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

export function oldSchemas() {
  const { schemas } = z.toJSONSchema(NAMED, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}
