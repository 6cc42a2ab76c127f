import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DAY_SECONDS } from '../lib/time/time.ts';
import { COOKIE_ATTRIBUTES, COOKIE_PREFIX } from './session/session.ts';

const LIFETIME_SECONDS = 365 * DAY_SECONDS;

/**
 * How this browser is to show pages: as a link of a page says in its query, which a cookie keeps, or as that cookie says.
 *
 * @param values those to choose from; the first one by default
 */
export function preferenceOf<Value extends string>(
  c: Context,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const oneOf = (given: string | undefined) => values.find((value) => value === given);
  const chosen = oneOf(c.req.query(name));
  if (chosen !== undefined)
    setCookie(c, name, chosen, { ...COOKIE_ATTRIBUTES, maxAge: LIFETIME_SECONDS });
  return chosen ?? oneOf(getCookie(c, name, COOKIE_PREFIX)) ?? values[0];
}
