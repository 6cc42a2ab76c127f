import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import type * as z from 'zod';
import type { HeaderName } from '../../../src/api/headers.ts';
import type { Body } from '../../../src/api/requests.ts';
import { APIS } from '../../../src/apis.ts';
import { feeds } from '../../../src/openapi/feed.ts';
import { allowed } from '../../../src/problem.ts';
import { CAUSES, type Cause, REQUESTS } from './requests.ts';

type Route = Omit<RouteConfig, 'middleware'>;

/** An operation of the API with every response that it documents. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly request: Readonly<Partial<Record<'params' | 'query' | 'headers', z.ZodObject>>>;
  /** The media types of its body. */
  readonly mediaTypes: readonly string[];
  /** The usual request, of which those of its examples are variations. */
  readonly usual: Cause;
  readonly responses: readonly DocumentedResponse[];
}

export interface DocumentedResponse {
  readonly status: number;
  readonly headers: readonly HeaderName[];
  readonly content?: { readonly mediaType: string; readonly schema: z.ZodType } | undefined;
  readonly examples: readonly DocumentedExample[];
}

/** A response that is documented, and the request that leads to it. */
interface DocumentedExample {
  readonly name: string;
  readonly request: Cause;
  /** If the document shows one. */
  readonly body?: unknown;
}

const ROUTES: readonly Route[] = [
  ...feeds,
  ...APIS.flatMap(({ described }) => [
    ...described.filter(({ method }) => method !== 'delete'),
    ...described.filter(({ method }) => method === 'delete'),
  ]),
];

/**
 * Every operation in the order in which the test sends their examples: that of the document, except
 * that what an interface deletes is deleted last.
 */
export const OPERATIONS: readonly DocumentedOperation[] = ROUTES.map(documented);

function documented(route: Route): DocumentedOperation {
  const { method, path, operationId = '', security = [], request = {} } = route;
  const own = REQUESTS[operationId] ?? {};
  const body = request.body as Body | undefined;
  const bodies = Object.entries(body?.content ?? {}).flatMap(([mediaType, { examples }]) =>
    Object.entries(examples).map(
      ([name, { value }]) => [name, { mediaType, body: value }] as const,
    ),
  );
  const usual = merged(bodies[0]?.[1] ?? {}, own.usual ?? {});
  const methods = methodsOf(path);
  const causes: Readonly<Record<string, Cause>> = {
    ...CAUSES,
    bodyTooLarge: { body: ' '.repeat((body?.['x-max-bytes'] ?? 0) + 1) },
    methodNotAllowed: {
      body: undefined,
      method: ['DELETE', 'PUT', 'PATCH', 'POST'].find((one) => !methods.includes(one))!,
    },
  };
  const requestOf = (name: string) => {
    const { query: usualQuery, ...cause } = causes[name] ?? {};
    // A parameter that the operation does not have would be the error.
    const query = own[name]?.query ?? usualQuery;
    return merged(
      usual,
      new Map(bodies).get(name) ?? {},
      cause,
      own[name] ?? {},
      query ? { query } : {},
    );
  };
  const responses = Object.entries(route.responses as Readonly<Record<string, ResponseConfig>>);
  const all = responses.map(([key, response]): DocumentedResponse => {
    const status = Number(key);
    const [media] = Object.entries((response.content ?? {}) as Body['content']);
    const shown = media?.[1].examples ?? {};
    const tried = Object.keys(own).filter((name) => own[name]!.status === status);
    const names = [...new Set([...Object.keys(shown), ...tried])];
    if (names.length === 0 && status < 400) names.push(status === 304 ? 'notModified' : 'usual');
    const unknown = names.find((name) => status >= 400 && !causes[name] && !own[name]);
    if (unknown !== undefined) {
      throw new Error(
        `State in test/worker/api/requests.ts which request to ${operationId} gets ${unknown}.`,
      );
    }
    return {
      status,
      headers: Object.keys(response.headers ?? {}) as HeaderName[],
      content: media && { mediaType: media[0], schema: media[1].schema },
      examples: names.map((name) => ({
        name,
        request: requestOf(name),
        body: withMethods(shown[name]?.value, methods),
      })),
    };
  });
  const known = all.flatMap(({ examples }) => examples.map(({ name }) => name));
  const unused = Object.keys(own).find((name) => name !== 'usual' && !known.includes(name));
  if (unused !== undefined) {
    throw new Error(`${operationId} documents no example ${unused}: give its status or remove it.`);
  }
  return {
    operationId,
    method,
    path,
    security: security as DocumentedOperation['security'],
    request: request as DocumentedOperation['request'],
    mediaTypes: Object.keys(body?.content ?? {}),
    usual,
    responses: all,
  };
}

function methodsOf(path: string): string[] {
  const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
  return [...methods, ...(methods.includes('get') ? ['head'] : [])].map((one) => one.toUpperCase());
}

/** The example of a 405 with the methods of its path: the document shows the same for all. */
function withMethods(body: unknown, methods: readonly string[]): unknown {
  const { code } = Object(body) as { readonly code?: string };
  return code === 'method_not_allowed'
    ? { ...(body as object), detail: `Use ${allowed(methods)}.` }
    : body;
}

function merged(...requests: readonly Cause[]): Cause {
  const parts = ['path', 'query', 'headers'] as const;
  const all = parts.map((part) => [part, Object.assign({}, ...requests.map((one) => one[part]))]);
  return Object.assign({}, ...requests, Object.fromEntries(all));
}
