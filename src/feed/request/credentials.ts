import { randomBytes } from 'node:crypto';
import { auth } from 'hono/utils/basic-auth';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { GivenParameters } from '../formats/parameters.ts';

export interface Credentials {
  readonly account: string;
  readonly password: string;
}

/** The account's code, in upper case, from `OWNPROPERTIES@<account code>`; `undefined` for any other text. */
export function accountCodeIn(user: string): string | undefined {
  // Without the flag u, with which ſ would match S.
  return /^OWNPROPERTIES@(\S.*)$/is.exec(user.trim())?.[1]?.toUpperCase();
}

export function queryCredentials({ U, P }: GivenParameters): Partial<Credentials> {
  const account = U === undefined ? undefined : accountCodeIn(U);
  return {
    ...(account === undefined ? {} : { account }),
    ...(P === undefined ? {} : { password: P }),
  };
}

/**
 * The credentials in a path, `/feeds/<account code>/<key of a reader>/<file>`: some portals send no others. The account's code
 * tells which database knows the key.
 */
export function pathCredentials(path: string): Partial<Credentials> {
  const [, account, password] =
    /^\/feeds\/([^/]{1,40})\/(lindero_[A-Za-z0-9_-]{32})\/[^/]*$/.exec(path) ?? [];
  return account === undefined || password === undefined
    ? {}
    : { account: account.toUpperCase(), password };
}

/**
 * The credentials of a request: those of its query if both are there, else those of HTTP Basic (RFC 7617, UTF-8).
 * `undefined` if there are none of the right form, or if the query contradicts Basic.
 */
export function credentialsOf(
  request: Request,
  { account, password }: Partial<Credentials>,
): Credentials | undefined {
  if (account !== undefined && password !== undefined) return { account, password };
  const basic = auth(request);
  const basicAccount = basic && accountCodeIn(basic.username);
  if (basic === undefined || basicAccount === undefined) return undefined;
  if ((account ?? basicAccount) !== basicAccount || (password ?? basic.password) !== basic.password)
    return undefined;
  return { account: basicAccount, password: basic.password };
}

/** A key of a reader: recognisable in a log or a repository, and readable in a URL without encoding. */
const KEY = /^lindero_[A-Za-z0-9_-]{32}$/;

export function newReaderKey(): string {
  return `lindero_${randomBytes(24).toString('base64url')}`;
}

/** Whether a text has the form of a reader's key. No account may have such a password. */
export function isReaderKey(text: string): boolean {
  return KEY.test(text);
}

/** The digest under which a key is stored, if a password has the form of a key; otherwise `null`. */
export function keyDigest(password: string): string | null {
  return isReaderKey(password) ? sha256Hex(password) : null;
}
