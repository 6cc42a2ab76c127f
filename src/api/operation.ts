import type { Context, Env as HonoEnv, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import type { FieldError } from '../problem.ts';
import type { HeaderName } from './headers.ts';

/**
 * One method of one path: parameters, body, responses, errors and examples. Validation, the types of the handler and the
 * OpenAPI document derive from it. {@link Api} registers it.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** It can have parameters, such as `{name}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly request?: RequestSchemas;
  readonly responses: DeclaredResponses;
  /** How to authenticate, if no middleware of the operation says it. */
  readonly security?: readonly Security[];
  /** Who may send the request; without it, anybody. */
  readonly middleware?: Access;
  /** Errors by name, in addition to those that follow from access, parameters and body. */
  readonly problems?: Readonly<Record<string, ProblemExample>>;
  /** Whether the client's changes per minute are limited; `'in bulk'` if its handler counts them. */
  readonly limited?: true | 'in bulk';
  /** The form of its errors if they are not problem documents. */
  readonly errorForm?: ErrorForm;
  /** Successful requests, by name. Other examples derive from the first one. */
  readonly examples: Readonly<Record<string, Example>>;
}

/** An operation with the handler of its requests. How it is added to an {@link Api} may determine its method. */
export type Declaration<
  Env extends HonoEnv,
  Request extends RequestSchemas,
  Responses extends DeclaredResponses,
  Handle = (c: Context<Env>, input: Input<Request>) => Promise<Answer<Body<Responses>> | Response>,
> = Omit<Operation, 'method' | 'middleware' | 'request' | 'responses' | 'examples'> & {
  readonly middleware?: MiddlewareHandler<Env> & Pick<Access, 'security'>;
  readonly request?: Request;
  readonly responses: Responses;
  readonly examples?: Operation['examples'];
  readonly handle: Handle;
};

/** What a request consists of. */
export interface RequestSchemas {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** The schemas of the body by media type. A body without a limit is read by its handler. */
  readonly body?: {
    readonly maxBytes?: number;
    readonly content: Readonly<Record<string, z.ZodType>>;
  };
}

/** What {@link ok} and {@link empty} return, by status. */
export type DeclaredResponses = Readonly<Record<number, DeclaredResponse>>;

interface DeclaredResponse {
  /** Markdown: when it occurs. */
  readonly description: string;
  readonly headers: readonly HeaderName[];
  readonly content?: { readonly mediaType: string; readonly schema: z.ZodType };
}

/** A request as the schemas of its operation return it. */
export interface Input<Request extends RequestSchemas> {
  readonly params: Output<Request['params']>;
  readonly query: Output<Request['query']>;
  readonly headers: Output<Request['headers']>;
  readonly body: Output<NonNullable<Request['body']>['content']['application/json']>;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A successful response. */
export interface Answer<Body> {
  readonly status?: number;
  readonly body?: Body;
  readonly headers?: Readonly<Partial<Record<HeaderName, string>>>;
}

/** The bodies of an operation's responses. */
type Body<Responses extends DeclaredResponses> = z.input<
  NonNullable<Responses[keyof Responses & number]['content']>['schema']
>;

/** An entry of the list that is the only member of an operation's response. */
export type Entry<Responses extends DeclaredResponses> =
  Body<Responses> extends Readonly<Record<string, readonly (infer One)[]>> ? One : never;

/** A response of one status, for one reason. */
export interface DocumentedResponse extends DeclaredResponse {
  readonly status: number;
  /** By name. */
  readonly examples: Readonly<Record<string, Example>>;
}

/** Middleware that checks credentials, with the alternatives that it accepts. */
export type Access = MiddlewareHandler & { readonly security: readonly Security[] };

/** A security requirement of OpenAPI: schemes that are needed together, with the scopes of each. */
export type Security = Readonly<Record<string, readonly string[]>>;

/** A request and the response to it. A test sends every example to the Worker. */
export interface Example {
  readonly request?: ExampleRequest | undefined;
  /** The first status that the operation declares, unless stated. */
  readonly status?: number;
  /** The body of the response: JSON, or the text of any other media type. Omitted, it is not shown. */
  readonly body?: unknown;
  /** Names a state of the service or of the caller that no request can describe; the test sets it up. */
  readonly when?: string | undefined;
}

/** An error: when it occurs, and the parts of its request that differ from the operation's first example. */
export interface ProblemExample extends Omit<Example, 'status' | 'body'> {
  /** Markdown: completes the sentence that begins with the code. Some codes have a usual one. */
  readonly description?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
}

/** What the errors of an interface look like. */
export interface ErrorForm {
  readonly mediaType: string;
  readonly schema: z.ZodType;
  /** Statuses by code, or by a name of its own for an error whose status is not the usual one of its code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The codes of the errors with names of their own. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Headers in addition to those that every error has. */
  readonly headers?: readonly HeaderName[];
  readonly bodyOf: (code: string, detail: string, errors?: readonly FieldError[]) => unknown;
}

export interface ExampleRequest {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** The media type of the body; the operation's first one unless stated. */
  readonly mediaType?: string;
  /** The operation's unless stated. */
  readonly method?: string;
}

/** A JSON body of at most `maxBytes`. */
export function json<Schema extends z.ZodType>(schema: Schema, maxBytes: number) {
  return { maxBytes, content: { 'application/json': schema } } as const;
}

/** A JSON Merge Patch (RFC 7396) of at most `maxBytes`, which may also be sent as JSON. */
export function mergePatchOf<Schema extends z.ZodType>(schema: Schema, maxBytes: number) {
  return {
    maxBytes,
    content: { 'application/json': schema, 'application/merge-patch+json': schema },
  } as const;
}

/** A response with a JSON body. */
export function ok<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...headers: HeaderName[]
) {
  return { description, headers, content: { mediaType: 'application/json', schema } } as const;
}

/** A response without a body. */
export function empty(description: string, ...headers: HeaderName[]) {
  return { description, headers };
}
