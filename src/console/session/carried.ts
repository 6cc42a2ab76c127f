import { Buffer } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../env.ts';
import { openBytes, seal } from '../../lib/secrets/sealed.ts';
import { COOKIE_ATTRIBUTES, COOKIE_PREFIX } from './session.ts';

/** Characters of a cookie's value: with its name and attributes, browsers keep 4,096 bytes (RFC 6265bis section 5.6). */
const MAX_LENGTH = 3_800;

/**
 * Carries a value to the next pages of this browser, encrypted, in a cookie.
 *
 * @param context whom it is for: it cannot be read with another one
 * @returns whether a cookie has room for it
 */
export async function carry(
  c: Context<AppEnv>,
  name: string,
  value: object,
  context: string,
  seconds: number,
): Promise<boolean> {
  const packed = deflateRawSync(Buffer.from(JSON.stringify(value)));
  const sealed = await seal(packed, c.env.SESSION_KEY, `${name}:${context}`);
  if (sealed.length > MAX_LENGTH) return false;
  setCookie(c, name, sealed, { ...COOKIE_ATTRIBUTES, maxAge: seconds });
  return true;
}

/** What {@link carry} carries, in the form that it had; `null` if there is nothing for this context. */
export async function carried<Value extends object>(
  c: Context<AppEnv>,
  name: string,
  context: string,
): Promise<Value | null> {
  const sealed = getCookie(c, name, COOKIE_PREFIX);
  if (sealed === undefined) return null;
  const packed = await openBytes(sealed, c.env.SESSION_KEY, `${name}:${context}`);
  return packed && JSON.parse(new TextDecoder().decode(inflateRawSync(packed)));
}

export function forget(c: Context<AppEnv>, name: string): void {
  setCookie(c, name, '', { ...COOKIE_ATTRIBUTES, maxAge: 0 });
}
