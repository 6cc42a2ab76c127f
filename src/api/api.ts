import { type Context, type Env, Hono, type MiddlewareHandler } from 'hono';
import type { AppEnv } from '../env.ts';
import { notModified } from '../lib/http/conditional.ts';
import { mayUpdate, tooManyRequests } from '../rate-limits.ts';
import { validated } from './old-validation.ts';
import {
  type Answer,
  type Declaration,
  type DeclaredResponses as Declared,
  type Entry,
  empty,
  type Input,
  type Operation,
  type RequestSchemas as Schemas,
} from './operation.ts';
import {
  NOT_CACHED,
  nextLink,
  type PageRequest,
  pageQuery,
  REVALIDATED,
  readCondition,
} from './schemas.ts';

/** A section of the OpenAPI document. */
export type Tag = string;

/** The errors and examples of an operation. */
interface Documented {
  readonly problems?: object;
  readonly examples?: object;
}

/** By the ids of operations. */
export type Documentation = Readonly<Record<string, Documented>>;

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

  /** Describes an operation, which {@link read}, {@link list} and {@link write} also serve through a route. */
  describe(declared: Omit<Operation, 'examples' | 'problems'> & Documented): Operation {
    const { examples, problems } = this.#documentation[declared.operationId] ?? {};
    const operation = {
      ...declared,
      examples: { ...declared.examples, ...examples },
      problems: { ...declared.problems, ...problems },
    } as Operation;
    this.operations.push(operation);
    return operation;
  }

  /**
   * Adds an operation that changes something. Its handler gets validated input, returns what the response contains, and
   * throws `ProblemError` for everything else. The response is a 204 without a body, otherwise a 200 unless stated.
   */
  write<
    E extends Env = AppEnv,
    Request extends Schemas = Schemas,
    Responses extends Declared = Declared,
  >(declared: Declaration<E, Request, Responses> & Pick<Operation, 'method'>): this {
    return this.#add<E, Request>(declared, async (c, input) =>
      respond(c, await declared.handle(c, input), NOT_CACHED),
    );
  }

  /** Adds a GET. If its response has an ETag, a request with that one in `If-None-Match` gets a 304. */
  read<
    E extends Env = AppEnv,
    Request extends Schemas = Schemas,
    Responses extends Declared = Declared,
  >(declared: Declaration<E, Request, Responses>): this {
    const { description, headers } = (declared.responses as Declared)[200]!;
    const unchanged = `${description.replace(/\.$/, '')} still has the \`ETag\` of \`If-None-Match\`.`;
    const operation = !headers.includes('ETag')
      ? declared
      : {
          ...declared,
          request: {
            ...declared.request,
            headers: readCondition.extend(declared.request?.headers?.shape ?? {}),
          },
          responses: { 304: empty(unchanged, 'ETag', 'Cache-Control'), ...declared.responses },
        };
    return this.#add<E, Request>(operation, async (c, input) => {
      const answer = await declared.handle(c, input);
      if (answer instanceof Response) return answer;
      const headers = { ...REVALIDATED, ...answer.headers };
      const isSame =
        headers.ETag !== undefined && notModified(c.req.raw.headers, headers.ETag, null);
      return isSame ? c.body(null, 304, headers) : respond(c, answer, headers);
    });
  }

  /**
   * Adds the GET of a list in pages. The schema of its response is an object with the list as its only member. Its handler
   * returns the entries after a name, at most `limit`, each with the name by which they are ordered. `null` as an
   * entry ends the page; the next one begins after its name.
   */
  list<
    E extends Env = AppEnv,
    Request extends Schemas = Schemas,
    Responses extends Declared = Declared,
  >(
    declared: Declaration<
      E,
      Request,
      Responses,
      (
        c: Context<E>,
        input: Input<Request>,
        after: string | null,
        limit: number,
      ) => Promise<readonly (readonly [name: string, entry: Entry<Responses> | null])[]>
    >,
  ): this {
    const { schema } = (declared.responses as Declared)[200]!.content!;
    const [member] = Object.keys((schema as unknown as { readonly shape: object }).shape) as [
      string,
    ];
    const request = { query: pageQuery, ...declared.request };
    return this.#add<E, Request>({ ...declared, request }, async (c, input) => {
      const { cursor, limit } = input.query as PageRequest;
      const found = await declared.handle(c, input, cursor, limit + 1);
      const entries = found.slice(0, limit).filter(([, entry]) => entry !== null);
      const link =
        found.length > entries.length
          ? { Link: nextLink(c.req.url, found.slice(0, limit).at(-1)![0]) }
          : {};
      return c.json({ [member]: entries.map(([, entry]) => entry) }, 200, {
        ...REVALIDATED,
        ...link,
      });
    });
  }

  #add<E extends Env, Request extends Schemas>(
    declared: object,
    respondTo: (c: Context<E>, input: Input<Request>) => Promise<Response>,
  ): this {
    const operation = this.describe({ method: 'get', ...declared } as Operation);
    const { method, path, middleware, limited, request = {} } = operation;
    const serve: MiddlewareHandler = async (c) => {
      const input = await validated(c, request);
      if (limited === true) await limitChanges(c as Context<AppEnv>, 1);
      return respondTo(c, input as Input<Request>);
    };
    this.on(
      [method],
      [path.replaceAll(/\{(\w+)\}/g, ':$1')],
      ...(middleware === undefined ? [] : [middleware]),
      serve,
    );
    return this;
  }
}

function respond(
  c: Context,
  answer: Answer<unknown> | Response,
  headers: Record<string, string>,
): Response {
  if (answer instanceof Response) return answer;
  const { status = 200, body, headers: own } = answer;
  if (body === undefined) return c.body(null, 204);
  // What a PUT creates is at its own path.
  const location =
    status === 201 && c.req.method === 'PUT' ? { Location: new URL(c.req.url).pathname } : {};
  return c.json(body as object, status as 200, { ...headers, ...location, ...own });
}

/** @throws ProblemError if the clients of the account have made too many changes in this minute */
export async function limitChanges(
  c: { readonly env: AppEnv['Bindings']; readonly var: Pick<AppEnv['Variables'], 'caller'> },
  changes: number,
): Promise<void> {
  if (c.var.caller!.isOperator) return;
  if (!(await mayUpdate(c.env, c.var.caller!, changes))) throw tooManyRequests();
}
