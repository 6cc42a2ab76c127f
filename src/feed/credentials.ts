import { auth } from 'hono/utils/basic-auth';
import type { GivenParameters } from './parameters.ts';

/** Who asks for a feed. */
export interface Credentials {
  /** The account's code, in upper case. */
  readonly account: string;
  readonly password: string;
}

/** What U and a Basic user must look like, for refusals. */
export const USER_FORM = 'OWNPROPERTIES@<account code>';

/** The account's code in upper case from `OWNPROPERTIES@<account code>`; `undefined` for anything else. */
export function accountCodeIn(user: string): string | undefined {
  // Without the flag u, which would take ſ for S.
  return /^OWNPROPERTIES@(\S.*)$/is.exec(user.trim())?.[1]?.toUpperCase();
}

/** What a query gives of credentials. */
export function credentialsIn({ U, P }: GivenParameters): Partial<Credentials> {
  const account = U === undefined ? undefined : accountCodeIn(U);
  return { ...(account === undefined ? {} : { account }), ...(P === undefined ? {} : { password: P }) };
}

/** Whether credentials have both. */
export function areWhole(given: Partial<Credentials>): given is Credentials {
  return given.account !== undefined && given.password !== undefined;
}

/**
 * The credentials of HTTP Basic (RFC 7617, UTF-8); `undefined` where there are none, none in that form, or others than the
 * query gives.
 */
export function basicCredentials(request: Request, ofQuery: Partial<Credentials>): Credentials | undefined {
  const { username, password } = auth(request) ?? {};
  const account = username === undefined ? undefined : accountCodeIn(username);
  if (account === undefined || password === undefined) return undefined;
  if ((ofQuery.account ?? account) !== account || (ofQuery.password ?? password) !== password) return undefined;
  return { account, password };
}
