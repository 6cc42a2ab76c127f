import { decodeJwt } from 'jose';
import * as z from 'zod';
import { isAccountCode } from '../../accounts/directory.ts';

/** The name of the cookie that contains a session: as `hono/cookie` composes it with the prefix. */
export const SESSION_COOKIE = '__Host-session';

/**
 * What a session, a signed JWT, claims before it is verified: the account's code; who has signed in: `` for the account's
 * password, the digest of a reader's key, or `person:7`, and `code:person:7` for a person who has yet to enter a code, which is
 * no session; and the random id that identifies it when it is ended.
 */
const claim = z.object({
  account: z.string().refine(isAccountCode),
  sub: z.string().max(100),
  exp: z.int(),
  jti: z.string().max(22),
});

/** Characters of the longest token: about twice those of one with the longest claims. */
const MAX_TOKEN_LENGTH = 1_000;

/**
 * What a token claims; `null` if it does not have the form of one, which bounds what anybody can
 * make the service look up.
 */
export function parseSession(token: string): z.output<typeof claim> | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    return claim.parse(decodeJwt(token));
  } catch {
    return null;
  }
}
