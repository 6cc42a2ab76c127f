import type { Context } from 'hono';
import * as z from 'zod';
import type { Address } from '../db/statements.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { existing, notFound, ProblemError } from '../problem.ts';
import { Api, type Documentation, type Tag } from './api.ts';
import {
  type Answer,
  type DeclaredResponses,
  empty,
  json,
  mergePatchOf,
  type Operation,
  ok,
} from './operation.ts';
import { byName, byNewName, namedObject } from './schemas.ts';

export type Caller = Context<CallerEnv>;
type State = Readonly<Record<string, unknown>>;

/** A kind of resource: an account can have several, each with a name. */
interface Definition {
  readonly kind: 'reader' | 'channel' | 'webhook' | 'source';
  /** Reading takes the scope `<scope>:read`, changing `<scope>:write`. */
  readonly scope: 'readers' | 'webhooks' | 'properties';
  readonly schema: z.ZodObject;
  /** The resource that the examples use. */
  readonly example: State & { readonly name: string };
  /** An entry of the list, if it differs from the response about a single resource. */
  readonly entry?: { readonly schema: z.ZodObject; readonly example: object };
  /** What the response about a single resource contains. */
  readonly contents: string;
  /** Up to `limit` of an account's resources after a name, in the order of their names, as responses show them. */
  list(
    c: Caller,
    account: number,
    after: string | null,
    limit: number,
  ): Promise<readonly { readonly name: string }[]>;
  /** A resource as responses show it; `null` if the account has none with this name. */
  find(c: Caller, address: Address): Promise<State | null>;
  /** Removes a resource, and returns whether it existed. */
  remove(c: Caller, address: Address): Promise<boolean>;
}

type Documented = Pick<Operation, 'description' | 'problems'> &
  Partial<Pick<Operation, 'examples'>>;

/** What can be done with a single resource: a POST to `<its path>/<verb>`. */
interface Action<Sent extends z.ZodType, Result>
  extends Documented,
    Pick<Operation, 'operationId' | 'summary'> {
  readonly body?: Sent;
  readonly maxBytes?: number;
  /** Whether it creates what does not exist. */
  readonly creates?: true;
  readonly responses: DeclaredResponses;
  handle(c: Caller, address: Address, body: z.output<Sent>): Promise<Result>;
}

/** An action whose response is the state afterwards. */
interface Change<Sent extends z.ZodType>
  extends Omit<Action<Sent, unknown>, 'responses' | 'examples'> {
  /** The response, if it contains more than the state. */
  readonly responses?: DeclaredResponses;
  /** The body of the example, and how the state after it differs from the definition's example. */
  readonly sent?: object;
  readonly after?: object;
}

interface Put<Sent extends z.ZodType> extends Documented {
  readonly body: Sent;
  /** The body of the examples, which leads to the state of the definition's example. */
  readonly sent: object;
  /** How many an account can have. */
  readonly most: number;
  /** The schema of the response to a creation, and what it contains in addition to the state. */
  readonly created?: { readonly schema: z.ZodObject; readonly added: object };
  /** Returns whether it is new, and then what the response adds to its state; `null` if the account has `most`. */
  handle(
    c: Caller,
    address: Address,
    body: z.output<Sent>,
  ): Promise<{ isNew: boolean; added?: object } | null>;
}

const MAX_BYTES = 16 * 1024;

/**
 * The API of a kind of resource: their list at `/v1/<kind>s`, each at `/v1/<kind>s/{<kind>}`.
 * The document has the operations in the order in which they are added.
 */
export class Resource extends Api {
  readonly #definition: Definition;
  readonly #path: string;
  /** Its kind, capitalised, for names of schemas and operations. */
  readonly #title: string;
  readonly #byName: z.ZodObject;
  readonly #reading;
  readonly #writing;
  /** What the examples of earlier operations have created. */
  readonly #created: object[] = [];

  constructor(tag: Tag, definition: Definition, documentation: Documentation = {}) {
    super(tag, documentation);
    const { kind, scope, example } = definition;
    this.#definition = definition;
    this.#path = `/v1/${kind}s/{${kind}}`;
    this.#title = kind[0]!.toUpperCase() + kind.slice(1);
    this.#byName = byName(kind, example.name);
    this.#reading = { middleware: requireScope(`${scope}:read`) };
    this.#writing = { middleware: requireScope(`${scope}:write`), limited: true } as const;
  }

  /** @throws ProblemError if the account has none with this name */
  async current(c: Caller, address: Address): Promise<State> {
    const { kind, find } = this.#definition;
    return existing(await find(c, address), notFound(kind, address.name));
  }

  /** Adds a PUT, which creates or changes a resource. */
  puts<Sent extends z.ZodType>({
    body,
    sent,
    most,
    created,
    handle,
    ...documented
  }: Put<Sent>): this {
    const { schema, example } = this.#definition;
    const kind = this.#definition.kind as 'source' | 'webhook';
    const tooMany = {
      code: `too_many_${kind}s`,
      detail: `An account has at most ${most} ${kind}s.`,
    } as const;
    const another = { ...example, name: `${example.name}-2` };
    this.#created.push(another);
    return this.write({
      ...documented,
      method: 'put',
      path: this.#path,
      operationId: `put${this.#title}`,
      summary: `Create or change a ${kind}`,
      ...this.#writing,
      request: { params: byNewName(kind, example.name), body: json(body, MAX_BYTES) },
      responses: {
        201: ok(created?.schema ?? schema, `The new ${kind}.`, 'Location'),
        200: ok(schema, `The changed ${kind}.`),
      },
      problems: {
        [tooMany.code]: {
          description: `the account has ${most} ${kind}s.`,
          detail: tooMany.detail,
          request: { path: { [kind]: 'one-more' }, body: sent },
          when: `the account has too many ${kind}s`,
        },
        ...documented.problems,
      },
      examples: {
        created: {
          request: { path: { [kind]: another.name }, body: sent },
          status: 201,
          body: { ...another, ...created?.added },
        },
        changed: {
          request: { body: sent },
          status: 200,
          body: example,
          when: `the ${kind} exists`,
        },
      },
      handle: async (c: Caller, input) => {
        const address = this.addressOf(c, input.params);
        const result = await handle(c, address, input.body as z.output<Sent>);
        if (result === null) throw new ProblemError(tooMany);
        const state = await this.current(c, address);
        return result.isNew
          ? { status: 201, body: { ...state, ...result.added } }
          : { body: state };
      },
    });
  }

  /** Adds the GET of the list, and of a single resource. */
  reads(): this {
    const { kind, schema, example, entry = { schema, example }, contents, list } = this.#definition;
    const kinds = `${kind}s`;
    const page = namedObject(`${this.#title}s`, { [kinds]: z.array(entry.schema) });
    this.list({
      path: `/v1/${kinds}`,
      operationId: `list${this.#title}s`,
      summary: `List ${kinds}`,
      description: 'Ordered by name.',
      ...this.#reading,
      responses: { 200: ok(page, `The account’s ${kinds}.`, 'Link') },
      examples: { [kinds]: { body: { [kinds]: [entry.example, ...this.#created] } } },
      handle: async (c: Caller, _, after, limit) =>
        (await list(c, c.var.caller.accountId, after, limit)).map((one) => [one.name, one]),
    });
    return this.read({
      path: this.#path,
      operationId: `get${this.#title}`,
      summary: `Get a ${kind}`,
      description: contents,
      ...this.#reading,
      request: { params: this.#byName },
      responses: { 200: ok(schema, `The ${kind}.`) },
      examples: { [kind]: { body: example } },
      handle: async (c: Caller, { params }) => ({
        body: await this.current(c, this.addressOf(c, params)),
      }),
    });
  }

  /** Adds an action with its own response; without a verb, a PATCH. */
  action<Sent extends z.ZodType>(
    verb: string | null,
    { body, maxBytes = MAX_BYTES, creates, handle, ...declared }: Action<Sent, Answer<State>>,
  ): this {
    const { kind, example } = this.#definition;
    const bodyOf = verb === null ? mergePatchOf : json;
    const params = creates ? byNewName(kind, example.name) : this.#byName;
    return this.write({
      ...declared,
      method: verb === null ? 'patch' : 'post',
      path: verb === null ? this.#path : `${this.#path}/${verb}`,
      ...this.#writing,
      request: { params, ...(body !== undefined && { body: bodyOf(body, maxBytes) }) },
      handle: (c: Caller, input) =>
        handle(c, this.addressOf(c, input.params), input.body as z.output<Sent>),
    });
  }

  /** Adds an action whose response is the state afterwards, with the fields that the handler returns. */
  changes<Sent extends z.ZodType>(
    verb: string | null,
    { handle, sent, after, ...declared }: Change<Sent>,
  ): this {
    const { schema, kind, example } = this.#definition;
    return this.action<Sent>(verb, {
      responses: { 200: ok(schema, `The ${kind} as it is now.`) },
      examples: {
        [declared.operationId]: { request: { body: sent }, body: { ...example, ...after } },
      },
      ...declared,
      handle: async (c, address, body) => {
        const added = await handle(c, address, body);
        return { body: { ...(await this.current(c, address)), ...(added as object) } };
      },
    });
  }

  /** Adds the DELETE. */
  deletes(documented: Documented): this {
    const { kind, remove } = this.#definition;
    return this.write({
      method: 'delete',
      path: this.#path,
      operationId: `delete${this.#title}`,
      summary: `Delete a ${kind}`,
      examples: { deleted: {} },
      ...documented,
      ...this.#writing,
      request: { params: this.#byName },
      responses: { 204: empty(`The ${kind} no longer exists.`) },
      handle: async (c: Caller, { params }) => {
        const address = this.addressOf(c, params);
        if (!(await remove(c, address))) throw new ProblemError(notFound(kind, address.name));
        return {};
      },
    });
  }

  /** The path, access and parameters of a GET of `part` of a single resource. */
  ofOne(part: string) {
    return { path: `${this.#path}/${part}`, ...this.#reading, request: { params: this.#byName } };
  }

  /** The address of the resource that a request's path names. */
  addressOf(c: Caller, params: Readonly<Record<string, unknown>>): Address {
    return { accountId: c.var.caller.accountId, name: params[this.#definition.kind] as string };
  }
}
