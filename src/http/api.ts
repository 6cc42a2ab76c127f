import type { RouteHandler } from '@hono/zod-openapi';
import { Hono, type MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { tooManyRequestsError } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS, mayUpdate } from '../rate-limits.ts';
import type { Operation } from './operation.ts';
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

/** The operations of one interface, as routes of Hono and as declarations. */
export class Api extends Hono<AppEnv> {
  readonly tag: Tag;
  readonly operations: Operation[] = [];

  constructor(tag: Tag) {
    super();
    this.tag = tag;
  }

  /** Describes an operation that is not served through a route. */
  describe(operation: Operation): this {
    this.operations.push(operation);
    return this;
  }

  /**
   * Adds an operation. Its handler gets validated input from `c.req.valid('json' | 'query' | 'param' | 'header')`, responds
   * as declared, and throws `ProblemError` for everything else.
   */
  operation<const Declared extends Operation>(
    operation: Declared,
    handler: RouteHandler<Declared, EnvOf<Declared>>,
  ): this {
    this.operations.push(operation);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const access = operation.middleware === undefined ? [] : [operation.middleware];
    const limit = operation.limited ? [limitChanges] : [];
    this.on([operation.method], [path], ...access, validation(operation), ...limit, handler as MiddlewareHandler);
    return this;
  }
}

/** Middleware that limits the changes of a client per minute. */
const limitChanges = createMiddleware<AppEnv>(async (c, next) => {
  if (!(await mayUpdate(c.env, c.var.caller!, 1))) throw tooManyRequestsError(LIMIT_PERIOD_SECONDS);
  return next();
});
