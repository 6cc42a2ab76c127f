import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import type * as z from 'zod';
import type { HeaderName } from '../../../src/api/headers.ts';
import { APIS } from '../../../src/apis.ts';
import { feeds } from '../../../src/openapi/feed.ts';
import { CAUSES, type Cause, REQUESTS } from './requests.ts';

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

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: z.ZodType;
      readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

const ROUTES = [...feeds, ...APIS.flatMap(({ described }) => described)];

/** Every operation in the order of the document, in which the test sends their examples. */
export const OPERATIONS: readonly DocumentedOperation[] = ROUTES.map(documented);

function documented(route: Omit<RouteConfig, 'middleware'>): DocumentedOperation {
  const { method, path, operationId = '', security = [], request = {} } = route;
  const own = REQUESTS[operationId] ?? {};
  const content = (request.body?.content ?? {}) as Content;
  const bodies = new Map(
    Object.entries(content).flatMap(([mediaType, { examples }]) =>
      Object.entries(examples).map(([name, { value }]) => [name, { mediaType, body: value }]),
    ),
  );
  const usual = merged({}, [...bodies.values()][0] ?? {}, own.usual ?? {});
  const maxBytes = (request.body as { 'x-max-bytes'?: number } | undefined)?.['x-max-bytes'];
  const allowed = ROUTES.filter((other) => other.path === path)
    .flatMap((other) => (other.method === 'get' ? ['get', 'head'] : other.method))
    .map((one) => one.toUpperCase());
  const computed: Readonly<Record<string, Cause>> = {
    bodyTooLarge: { body: ' '.repeat((maxBytes ?? 0) + 1) },
    methodNotAllowed: {
      body: undefined,
      method: ['DELETE', 'PUT', 'PATCH', 'POST'].find((one) => !allowed.includes(one))!,
    },
  };
  const responses = Object.entries(route.responses as Readonly<Record<string, ResponseConfig>>);
  const shown = responses.map(([status, response]) => {
    const [media] = Object.entries((response.content ?? {}) as Content);
    const examples = Object.entries(media?.[1].examples ?? {});
    return { status: Number(status), response, media, examples };
  });
  const shownNames = shown.flatMap(({ examples }) => examples.map(([name]) => name));
  const isSuccess = (status: number) => status < 300;
  const first = shown.find(({ status }) => isSuccess(status))!.status;
  const otherBodies = [...bodies.keys()].filter(
    (name) => !shownNames.includes(name) && own[name]?.status === undefined,
  );
  return {
    operationId,
    method,
    path,
    security: security as DocumentedOperation['security'],
    request: request as object,
    mediaTypes: Object.keys(content),
    usual,
    responses: shown.map(({ status, response, media, examples }): DocumentedResponse => {
      const tried = Object.keys(own).filter((name) => own[name]!.status === status);
      const names = [
        ...new Set([
          ...examples.map(([name]) => name),
          ...tried,
          ...(status === first ? otherBodies : []),
        ]),
      ];
      if (names.length === 0 && status < 400) names.push(status === 304 ? 'notModified' : 'usual');
      return {
        status,
        headers: Object.keys(response.headers ?? {}) as HeaderName[],
        content: media && { mediaType: media[0], schema: media[1].schema },
        examples: names.map((name) => {
          const cause = computed[name] ?? CAUSES[name];
          if (cause === undefined && own[name] === undefined && status >= 400) {
            throw new Error(
              `State in test/worker/api/requests.ts which request to ${operationId} gets ${name}.`,
            );
          }
          const body = examples.find(([other]) => other === name)?.[1].value;
          return {
            name,
            request: merged(usual, bodies.get(name) ?? {}, cause ?? {}, own[name] ?? {}),
            body: name === 'methodNotAllowed' ? withMethods(body, allowed) : body,
          };
        }),
      };
    }),
  };
}

/** The document shows the same methods for all operations. */
function withMethods(body: unknown, allowed: readonly string[]): unknown {
  const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const methods = order.filter((method) => allowed.includes(method)).join(', ');
  return typeof body === 'object' && body !== null && 'detail' in body
    ? { ...body, detail: `Use ${methods}.` }
    : body;
}

function merged(...requests: readonly Cause[]): Cause {
  const parts = ['path', 'query', 'headers'] as const;
  const all = parts.map((part) => [part, Object.assign({}, ...requests.map((one) => one[part]))]);
  return Object.assign({}, ...requests, Object.fromEntries(all));
}
