import type { Context } from 'hono';
import * as z from 'zod';
import { type CallerEnv, withScope } from '../oauth/bearer.ts';
import { type NotFoundKind, notFound, ProblemError } from '../problem.ts';
import { REVALIDATED } from './headers.ts';
import { limitChanges, pageOf, pageQuery } from './requests.ts';
import {
  clientChanges,
  clientReads,
  type DocumentedError,
  empty,
  errors,
  missing,
  ok,
  page,
} from './responses.ts';
import { createRoute, type Router } from './router.ts';
import { byName, namedObject } from './schemas.ts';

/** What an account has several of, each by its name: how they are listed, shown and deleted. */
export interface Collection<Entry extends Named, One extends Named> {
  /** `webhook` is served at `/v1/webhooks` and `/v1/webhooks/{webhook}`. */
  readonly kind: NotFoundKind;
  readonly tag: string;
  /** What its scopes begin with. */
  readonly scope: 'properties' | 'readers' | 'webhooks';
  readonly list: {
    readonly entry: z.ZodType<Entry>;
    readonly examples: [Entry, ...Entry[]];
    /** The next ones in the order of their names, after that one. */
    readonly read: (
      c: Context<CallerEnv>,
      after: string | null,
      limit: number,
    ) => Promise<readonly Entry[]>;
  };
  readonly get: {
    readonly description: string;
    readonly schema: z.ZodType<One>;
    readonly example: One;
    /** @throws ProblemError if the account has none with this name */
    readonly read: (c: Context<CallerEnv>, name: string) => Promise<One>;
  };
  readonly delete: {
    readonly description: string;
    /** Besides those that every deletion has. */
    readonly errors?: readonly DocumentedError[];
    /** Returns whether there was one with this name. */
    readonly remove: (c: Context<CallerEnv>, name: string) => Promise<boolean>;
  };
}

interface Named {
  readonly name: string;
}

/** Describes and serves the operations that all collections have in common. */
export function serveCollection<Entry extends Named, One extends Named>(
  router: Router,
  { kind, tag, scope, list, get, delete: deletion }: Collection<Entry, One>,
): void {
  const plural = `${kind}s`;
  const Kind = capitalized(kind);
  const path = `/v1/${plural}`;
  const read = { tags: [tag], ...withScope(`${scope}:read`) };
  const write = { tags: [tag], ...withScope(`${scope}:write`) };
  const params = byName(kind, list.examples[0].name);

  const listed = createRoute({
    method: 'get',
    path,
    operationId: `list${Kind}s`,
    summary: `List ${plural}`,
    description: 'Ordered by name.',
    ...read,
    request: { query: pageQuery },
    responses: {
      200: ok(
        namedObject(`${Kind}s`, { [plural]: z.array<z.ZodType>(list.entry) }),
        `The account’s ${plural}.`,
        { headers: ['Link'], examples: { [plural]: { [plural]: list.examples } } },
      ),
      ...errors(clientReads(`${scope}:read`), page),
    },
  });
  router.openapi(listed, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const found = await list.read(c, cursor, limit + 1);
    const { entries, headers } = pageOf(c, found, limit, ({ name }) => name);
    return c.json({ [plural]: entries }, 200, headers);
  });

  const one = createRoute({
    method: 'get',
    path: `${path}/{${kind}}`,
    operationId: `get${Kind}`,
    summary: `Get a ${kind}`,
    description: get.description,
    ...read,
    request: { params },
    responses: {
      200: ok<z.ZodType>(get.schema, `The ${kind}.`, { examples: { [kind]: get.example } }),
      ...errors(clientReads(`${scope}:read`), missing(kind)),
    },
  });
  router.openapi(one, async (c) =>
    c.json(await get.read(c, c.req.valid('param')[kind]), 200, REVALIDATED),
  );

  const deleted = createRoute({
    method: 'delete',
    path: `${path}/{${kind}}`,
    operationId: `delete${Kind}`,
    summary: `Delete a ${kind}`,
    description: deletion.description,
    ...write,
    request: { params },
    responses: {
      204: empty(`The ${kind} no longer exists.`),
      ...errors(clientChanges(`${scope}:write`), missing(kind), deletion.errors ?? []),
    },
  });
  router.openapi(deleted, async (c) => {
    const name = c.req.valid('param')[kind];
    await limitChanges(c);
    if (!(await deletion.remove(c, name))) throw new ProblemError(notFound(kind, name));
    return c.body(null, 204);
  });
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
