import type { z } from 'zod';
import type { HeaderName } from '../http/headers.ts';

/** An operation of the API: one method of one path, with every response it can have. */
export interface Operation {
  /** An OpenAPI path template. */
  readonly path: string;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** Unique. */
  readonly id: string;
  readonly tag: 'Feed' | 'Report' | 'Tokens' | 'Units' | 'Changes' | 'Webhooks' | 'Readers' | 'Service';
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly security: readonly Security[];
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: z.ZodType; readonly mediaTypes: readonly string[] };
  readonly responses: readonly DocumentedResponse[];
}

/** A way to authenticate; several are alternatives. */
export type Security =
  | 'feedQuery'
  | 'feedBasic'
  | 'clientBasic'
  | 'clientBody'
  | 'unitsRead'
  | 'unitsWrite'
  | 'propertiesRead'
  | 'feedsRead'
  | 'readersRead'
  | 'readersWrite'
  | 'webhooksRead'
  | 'webhooksWrite';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  /** JSON Schema. */
  readonly schema: object;
  readonly example?: string;
  /** Whether commas of a list are sent as they are. */
  readonly explode?: false;
}

/** One status of an operation, for one reason. */
export interface DocumentedResponse {
  readonly status: number;
  /** Markdown: when it occurs. */
  readonly description: string;
  /** Headers in addition to those of every response of its kind. */
  readonly headers?: readonly HeaderName[];
  readonly content?: ResponseContent;
  /** At least one, so that a test can cause it. */
  readonly examples: readonly [Example, ...Example[]];
}

export interface ResponseContent {
  readonly mediaType: string;
  readonly schema: z.ZodType;
}

/** A request and the response to it, which a test compares with the service's. */
export interface Example {
  /** Unique within its operation. */
  readonly name: string;
  readonly request?: ExampleRequest;
  /** The body of the response: JSON, or the text of any other media type. Omitted, it is not shown. */
  readonly body?: unknown;
  /** What must be the case for this response. */
  readonly when?: Circumstance;
}

export interface ExampleRequest {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of the body; the operation's first media type by default. */
  readonly mediaType?: string;
  /** Another than the operation's. */
  readonly method?: string;
}

/** A state of the service or of the caller that no request can describe. */
export type Circumstance =
  | 'unchanged since the last request'
  | 'the database fails'
  | 'a rate limit is exceeded'
  | 'an unexpected error'
  | 'the token lacks the scope'
  | 'the reader exists'
  | 'a reader has the channel'
  | 'the channel exists'
  | 'the webhook exists'
  | 'the account has too many webhooks'
  | 'no credentials';
