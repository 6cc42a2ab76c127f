import { auth } from 'hono/utils/basic-auth';
import type { GivenParameters } from './parameters.ts';

/** Who asks for a feed. */
export interface Credentials {
  /** The account's code, in upper case. */
  readonly account: string;
  readonly password: string;
}

const FEED_TYPE = 'OWNPROPERTIES@';

/** What U and a Basic user must look like, for refusals. */
export const USER_FORM = `${FEED_TYPE}<account code>`;

/** The account's code in upper case from `OWNPROPERTIES@<account code>`; `undefined` for anything else. */
export function accountCodeIn(user: string): string | undefined {
  if (user.slice(0, FEED_TYPE.length).toUpperCase() !== FEED_TYPE) return undefined;
  return user.slice(FEED_TYPE.length).trim().toUpperCase() || undefined;
}

/** The credentials that a query gives, where it has U and P. */
export function credentialsIn({ U, P }: GivenParameters): Credentials | undefined {
  return U === undefined || P === undefined ? undefined : credentials(U, P);
}

/** The credentials of HTTP Basic (RFC 7617, UTF-8); `undefined` where there are none, or none in that form. */
export function basicCredentials(request: Request): Credentials | undefined {
  const given = auth(request);
  return given === undefined ? undefined : credentials(given.username, given.password);
}

function credentials(user: string, password: string): Credentials | undefined {
  const account = accountCodeIn(user);
  return account === undefined ? undefined : { account, password };
}
