import { z } from 'zod';
import type { Api } from '../http/api.ts';
import type { HeaderName } from '../http/headers.ts';
import type { Operation as Declared, ExampleRequest, ProblemExample } from '../http/operation.ts';
import { allowed, type ProblemCode } from '../problem.ts';
import type { DocumentedResponse, Operation, Parameter, Security } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { badPage, tooManyChanges, withBody } from './responses.ts';

/** Declared operations in the form of the others. */
export function declared(apis: readonly Api[]): Operation[] {
  const all = apis.flatMap(({ operations }) => operations);
  return apis.flatMap(({ tag, operations }) =>
    operations.map((operation): Operation => {
      const request = Object.values(operation.examples)[0]?.request ?? {};
      return {
        path: operation.path,
        method: operation.method as Operation['method'],
        id: operation.operationId,
        tag,
        summary: operation.summary,
        ...(operation.description !== undefined && { description: operation.description }),
        security: (operation.middleware?.security ?? []).map((alternative) => securityOf(alternative)),
        parameters: parametersOf(operation),
        ...bodyOf(operation),
        responses: [...successes(operation), ...derived(operation, request, all), ...problems(operation)],
      };
    }),
  );
}

function securityOf(alternative: Readonly<Record<string, readonly string[]>>): Security {
  const [[, [scope]]] = Object.entries(alternative) as [[string, [string]]];
  return scope.replace(/:(.)/, (_, letter) => letter.toUpperCase()) as Security;
}

function parametersOf({ request = {} }: Declared): Parameter[] {
  const places = [
    ['path', request.params],
    ['query', request.query],
    ['header', request.headers],
  ] as const;
  return places.flatMap(([place, schema]) => {
    if (!(schema instanceof z.ZodObject)) return [];
    return Object.entries(schema.shape).map(([name, field]): Parameter => {
      const { description = '', example, ...rest } = z.toJSONSchema(field as z.ZodType, { io: 'input' });
      return {
        name,
        in: place,
        required: place === 'path',
        description,
        schema: Object.fromEntries(Object.entries(rest).filter(([key]) => key !== '$schema')),
        ...(example !== undefined && { example: String(example) }),
      };
    });
  });
}

function bodyOf({ request }: Declared): Pick<Operation, 'body'> {
  const content = request?.body?.content as DeclaredResponse['content'];
  if (content === undefined) return {};
  return { body: { schema: Object.values(content)[0]!.schema, mediaTypes: Object.keys(content) } };
}

interface DeclaredResponse {
  readonly description: string;
  readonly documentedHeaders?: readonly HeaderName[];
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

function successes({ responses, examples }: Declared): DocumentedResponse[] {
  const statuses = Object.keys(responses).map(Number);
  return statuses.map((status) => {
    const { description, documentedHeaders = [], content } = responses[status] as unknown as DeclaredResponse;
    const own = Object.entries(examples).filter(([, example]) => (example.status ?? statuses[0]) === status);
    const [media] = Object.entries(content ?? {});
    return {
      status,
      description,
      headers: [...(media === undefined ? [] : (['Cache-Control'] as const)), ...documentedHeaders, ...LOGGED],
      ...(media !== undefined && { content: { mediaType: media[0], schema: media[1].schema } }),
      examples: own.map(([name, { status: _, ...example }]) => ({ name, ...example })) as never,
    };
  });
}

function derived(operation: Declared, request: ExampleRequest, all: readonly Declared[]): DocumentedResponse[] {
  const { path, middleware, limited } = operation;
  const scope = Object.values(middleware?.security[0] ?? {})[0]?.[0];
  const body = operation.request?.body as { readonly maxBytes: number } | undefined;
  const methods = all.filter((other) => other.path === path).map((other) => other.method.toUpperCase());
  const allow = allowed(methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name)));
  const retry = path.startsWith('/v1/developments') ? 'Retry later; updates are idempotent.' : RETRY;
  return [
    ...(scope === undefined ? [] : tokenProblems(scope, request, retry)),
    ...(body === undefined ? [] : withBody(request, body.maxBytes / 1024)),
    ...(body === undefined && limited ? [tooManyChanges(request)] : []),
    ...(operation.request?.query === undefined ? [] : [badPage(request)]),
    methodNotAllowed(
      allow,
      { ...request, body: undefined },
      ['DELETE', 'PUT', 'PATCH'].find((other) => !methods.includes(other)),
    ),
  ];
}

function problems({ problems: declaredProblems = {} }: Declared): DocumentedResponse[] {
  const entries = Object.entries(declaredProblems) as [ProblemCode, ProblemExample][];
  return entries.flatMap(([code, { description, detail, request, when, errors, headers = [] }]) => {
    if (code === 'too_many_requests') return [];
    return problem(
      code,
      description ?? '`errors` lists the invalid fields.',
      detail ?? 'See errors for the invalid fields.',
      {
        name: code.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()),
        ...(request !== undefined && { request }),
        ...(when !== undefined && { when }),
      },
      headers,
      errors,
    );
  });
}
