import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { findAccountId } from '../accounts/accounts.ts';
import {
  environmentFor,
  environmentsOf,
  FIRST,
  writableEnvironmentFor,
} from '../accounts/environments.ts';
import type { AppEnv, Env } from '../env.ts';
import { isOperatorKey } from '../oauth/operator-key.ts';
import { noAccount, type Problem, ProblemError } from '../problem.ts';
import { checkLimitedByAddress, retryAfter, tooManyRequests } from '../rate-limits.ts';
import type { NamedDatabase } from './databases.ts';
import { isOpen } from './operations.ts';

export type OperatorContext = Context<AppEnv>;

/** Middleware that requires the operator's key as a bearer token (RFC 6750). */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const authorization = c.req.header('Authorization') ?? '';
  if (!/^Bearer( |$)/i.test(authorization)) {
    throw denied({
      code: 'missing_token',
      detail: 'Send the operator’s key as Authorization: Bearer.',
    });
  }
  const key = authorization.slice('Bearer'.length).trim();
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => ({
    kind: isOperatorKey(c.env, key) ? 'authorized' : 'denied',
  }));
  if (verdict.kind === 'too many attempts') throw tooManyRequests(retryAfter(c.req.raw));
  if (verdict.kind === 'denied')
    throw denied({ code: 'invalid_token', detail: 'This is not the operator’s key.' });
  c.set('account', c.req.param('account')?.toUpperCase() ?? '');
  await next();
});

function denied(problem: Problem): ProblemError {
  return new ProblemError(problem, { 'WWW-Authenticate': 'Bearer realm="Lindero operator"' });
}

/** All databases of the service, the first one first. */
export function databasesOf(env: Env): NamedDatabase[] {
  return [...environmentsOf(env)].map(([name, { DB }]) => ({ name, db: DB }));
}

/** The environment of the first database, which has the directory and the operations. */
export function firstOf(env: Env): Env {
  return environmentsOf(env).get(FIRST)!;
}

/** An account in the environment of its database. */
export interface FoundAccount {
  readonly env: Env;
  readonly id: number;
  readonly code: string;
}

/**
 * The account with a code, disabled or not.
 *
 * @throws ProblemError if there is none
 */
export async function accountNamed(env: Env, given: string): Promise<FoundAccount> {
  const code = given.toUpperCase();
  const found = await environmentFor(env, { kind: 'account', name: code }, 0);
  const id = await findAccountId(found.DB, code);
  if (id === null) throw new ProblemError(noAccount(code));
  return { env: found, id, code };
}

/** @throws ProblemError if the account is being deleted: part of it is gone */
export async function refuseDeleted(env: Env, code: string): Promise<void> {
  if (!(await isOpen(firstOf(env).DB, code.toUpperCase(), 'delete'))) return;
  throw new ProblemError({
    code: 'account_deleting',
    detail: `${code.toUpperCase()} is being deleted.`,
  });
}

/** Like {@link accountNamed}, to change it. @throws also AccountMoving, and ProblemError if it is being deleted */
export async function changeableAccount(env: Env, code: string): Promise<FoundAccount> {
  await refuseDeleted(env, code);
  await writableEnvironmentFor(env, { kind: 'account', name: code.toUpperCase() }, 0);
  return accountNamed(env, code);
}
