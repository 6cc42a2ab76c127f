import type { RouteHandler } from '@hono/zod-openapi';
import { type Context, type Env, Hono, type MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { notModified } from '../lib/http/conditional.ts';
import { tooManyRequestsError } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS, mayUpdate } from '../rate-limits.ts';
import type {
  Answer,
  Declaration,
  DeclaredResponses,
  Entry,
  Handled,
  Input,
  Operation,
  RequestSchemas,
} from './operation.ts';
import { empty } from './operation.ts';
import { NOT_CACHED, nextLink, type PageRequest, pageQuery, REVALIDATED } from './page.ts';
import { validation } from './validation.ts';

/** A section of the OpenAPI document. */
export type Tag =
  | 'Feed'
  | 'Report'
  | 'Tokens'
  | 'Units'
  | 'Properties'
  | 'Imports'
  | 'Changes'
  | 'Webhooks'
  | 'Readers'
  | 'Service';

/** The variables of a handler: those that the operation's middleware sets. */
type EnvOf<Declared extends Operation> = Declared['middleware'] extends MiddlewareHandler<infer Env> ? Env : AppEnv;

/** The errors and examples of operations, by their ids. */
type Documentation = Readonly<Record<string, object>>;

/** The operations of one interface, as routes of Hono and as declarations. */
export class Api extends Hono<AppEnv> {
  readonly tag: Tag;
  readonly operations: Operation[] = [];
  readonly #documentation: Documentation;

  /** @param documentation errors and examples of operations that do not declare them, from a file of data */
  constructor(tag: Tag, documentation: Documentation = {}) {
    super();
    this.tag = tag;
    this.#documentation = documentation;
  }

  /** Describes an operation that is not served through a route. */
  describe(operation: Operation): this {
    this.operations.push(operation);
    return this;
  }

  /** Adds an operation whose handler makes the response itself. */
  operation<const Declared extends Operation>(
    operation: Declared,
    handler: RouteHandler<Declared, EnvOf<Declared>>,
  ): this {
    this.operations.push(operation);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const access = operation.middleware === undefined ? [] : [operation.middleware];
    const limit = operation.limited ? [limitChange] : [];
    this.on([operation.method], [path], ...access, validation(operation), ...limit, handler as MiddlewareHandler);
    return this;
  }

  /**
   * Adds an operation that changes something. Its handler gets validated input, returns what the response contains, and
   * throws `ProblemError` for everything else. The response is a 204 without a body, otherwise a 200 unless stated.
   */
  write<E extends Env, Request extends RequestSchemas, Responses extends DeclaredResponses>(
    declared: Declaration<E, Request, Responses> & Handled<E, Request, Responses> & Pick<Operation, 'method'>,
  ): this {
    return this.#add(declared, async (c) => respond(c, await declared.handle(c, inputOf(c)), NOT_CACHED));
  }

  /** Adds a GET. If its response has an ETag, a request with that one in `If-None-Match` gets a 304. */
  read<E extends Env, Request extends RequestSchemas, Responses extends DeclaredResponses>(
    declared: Declaration<E, Request, Responses> & Handled<E, Request, Responses>,
  ): this {
    const responses: DeclaredResponses = declared.responses;
    const { description, documentedHeaders } = responses[200]!;
    const unchanged = `${description.replace(/\.$/, '')} still has the \`ETag\` of \`If-None-Match\`.`;
    const hasTag = documentedHeaders.includes('ETag');
    const all = hasTag ? { ...responses, 304: empty(unchanged, 'ETag', 'Cache-Control') } : responses;
    const operation = { ...declared, method: 'get', responses: all };
    return this.#add(operation, async (c) => {
      const answer = await declared.handle(c, inputOf(c));
      const { ETag } = answer.headers ?? {};
      if (ETag === undefined || !notModified(c.req.raw.headers, ETag, null)) return respond(c, answer, REVALIDATED);
      return c.body(null, 304, { ...REVALIDATED, ETag });
    });
  }

  /**
   * Adds the GET of a list in pages. The schema of its response is an object with the list as its only member. Its handler
   * returns the entries after a name, at most `limit`, each with the name by which they are ordered.
   */
  list<E extends Env, Request extends RequestSchemas, Responses extends DeclaredResponses>(
    declared: Declaration<E, Request, Responses> & {
      readonly handle: (
        c: Context<E>,
        input: Input<Request>,
        after: string | null,
        limit: number,
      ) => Promise<readonly (readonly [name: string, entry: Entry<Responses>])[]>;
    },
  ): this {
    const { schema } = (declared.responses as DeclaredResponses)[200]!.content!['application/json']!;
    const [member] = Object.keys((schema as unknown as { readonly shape: object }).shape) as [string];
    const request = { query: pageQuery, ...declared.request };
    const operation = { ...declared, method: 'get', request };
    return this.#add(operation, async (c) => {
      const { cursor, limit } = c.req.valid('query' as never) as PageRequest;
      const found = await declared.handle(c, inputOf(c), cursor, limit + 1);
      const entries = found.slice(0, limit);
      const link = found.length > limit ? { Link: nextLink(c.req.url, entries.at(-1)![0]) } : {};
      return c.json({ [member]: entries.map(([, entry]) => entry) }, 200, { ...REVALIDATED, ...link });
    });
  }

  #add(declared: object & Pick<Operation, 'operationId'>, handler: (c: Context) => Promise<Response>): this {
    const operation = { examples: {}, ...this.#documentation[declared.operationId], ...declared } as Operation;
    return this.operation(operation, handler as never);
  }
}

function inputOf<Request extends RequestSchemas>(c: Context): Input<Request> {
  const part = (name: 'param' | 'query' | 'header' | 'json') => c.req.valid(name as never);
  return {
    params: part('param'),
    query: part('query'),
    headers: part('header'),
    body: part('json'),
  } as Input<Request>;
}

function respond(c: Context, { status, body, headers }: Answer<unknown>, cached: Record<string, string>): Response {
  if (body === undefined) return c.body(null, 204);
  return c.json(body as object, (status ?? 200) as 200, { ...cached, ...headers });
}

/** @throws ProblemError if the clients of the account have made too many changes in this minute */
export async function limitChanges(
  c: { readonly env: AppEnv['Bindings']; readonly var: Pick<AppEnv['Variables'], 'caller'> },
  changes: number,
): Promise<void> {
  if (!(await mayUpdate(c.env, c.var.caller!, changes))) throw tooManyRequestsError(LIMIT_PERIOD_SECONDS);
}

const limitChange = createMiddleware<AppEnv>(async (c, next) => {
  await limitChanges(c, 1);
  return next();
});
