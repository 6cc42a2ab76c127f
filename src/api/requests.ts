import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import * as z from 'zod';
import type { AppEnv } from '../env.ts';
import { notModified } from '../lib/http/conditional.ts';
import { because } from '../messages/messages.ts';
import {
  LIMIT_PERIOD_SECONDS,
  mayUpdate,
  tooManyRequests,
  UPDATES_EXCEEDED,
} from '../rate-limits.ts';
import { REVALIDATED } from './headers.ts';
import { integerParameter } from './schemas.ts';

/** The body of a request, as the OpenAPI document describes it. */
export interface Body {
  readonly required: true;
  /** Its maximum size. A body without it is read by the handler. */
  readonly 'x-max-bytes'?: number;
  readonly content: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: z.ZodType;
  readonly examples: NamedValues;
}

/** Examples by name, in the form of OpenAPI. */
type NamedValues = Readonly<Record<string, { readonly value: unknown }>>;

/** Values of a schema, by the names of the examples that they belong to. */
export type Examples<Schema extends z.ZodType> = Readonly<Record<string, z.input<Schema>>>;

/** A kibibyte, in bytes. */
export const KIB = 1024;

/** A JSON body of at most `maxBytes`. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  maxBytes: number,
  examples: Examples<Schema> = {},
) {
  const content = { 'application/json': { schema, examples: namedValues(examples) } };
  return { required: true, 'x-max-bytes': maxBytes, content } as const;
}

/** A JSON Merge Patch (RFC 7396) of at most `maxBytes`, which may also be sent as JSON. */
export function mergePatch<Schema extends z.ZodType>(
  schema: Schema,
  maxBytes: number,
  examples: Examples<Schema>,
) {
  const { content, ...body } = json(schema, maxBytes, examples);
  const patch = { 'application/merge-patch+json': { schema, examples: {} } };
  return { ...body, content: { ...content, ...patch } };
}

export function namedValues(examples: Readonly<Record<string, unknown>>): NamedValues {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

/** The media types of a body, in words. */
export function typesOf(content: object): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(content));
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** The query of a list: how many entries, and after which name. */
export const pageQuery = z.object({
  limit: integerParameter(1, MAX_LIMIT, DEFAULT_LIMIT).describe(
    'Maximum number of entries in a page; pages with long texts have fewer.',
  ),
  cursor: z
    .string()
    .transform((cursor, context): string => {
      const name = Buffer.from(cursor, 'base64url').toString().slice(1);
      if (encodeCursor(name) !== cursor)
        context.addIssue({ code: 'custom', ...because('not_from_link') });
      return name;
    })
    .nullable()
    .default(null)
    .describe('From the `Link` header of the previous page.'),
});

/**
 * A page of a list, and the headers of its response.
 *
 * @param found up to one entry more than the page can have
 * @param nameOf the name by which the entries are ordered
 */
export function pageOf<Entry>(
  c: Context,
  found: readonly Entry[],
  limit: number,
  nameOf: (entry: Entry) => string | number,
): { readonly entries: Entry[]; readonly headers: Record<string, string> } {
  const entries = found.slice(0, limit);
  if (found.length <= limit) return { entries, headers: REVALIDATED };
  const Link = nextLink(c.req.url, String(nameOf(entries.at(-1)!)));
  return { entries, headers: { ...REVALIDATED, Link } };
}

/** The Link header (RFC 8288) to the next page. Its URL is relative: proxies use other origins. */
export function nextLink(requestUrl: string, last: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', encodeCursor(last));
  return `<${pathname}?${searchParams}>; rel="next"`;
}

/** A name, which may be empty, as a parameter, which may not. */
function encodeCursor(name: string): string {
  return Buffer.from(`:${name}`).toString('base64url');
}

/** Whether the caller of a GET has the state with an ETag already, so that a 304 says enough. */
export function isUnchanged(c: Context, etag: string): boolean {
  return notModified(c.req.raw.headers, etag, null) !== null;
}

/** @throws ProblemError if the account's clients have made too many changes in this minute */
export async function limitChanges(
  c: {
    readonly env: AppEnv['Bindings'];
    readonly var: Pick<AppEnv['Variables'], 'caller'>;
  },
  changes = 1,
): Promise<void> {
  if (c.var.caller!.isOperator) return;
  if (!(await mayUpdate(c.env, c.var.caller!, changes)))
    throw tooManyRequests(LIMIT_PERIOD_SECONDS, UPDATES_EXCEEDED);
}

/** The headers of the response to a PUT that has created what its path names. */
export function created(c: Context): { readonly Location: string } {
  return { Location: new URL(c.req.url).pathname };
}
