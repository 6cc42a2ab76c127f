import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { acceptInvitation, invite } from '../../../src/accounts/people.ts';
import type { Env } from '../../../src/env.ts';
import { hashPassword, sha256Hex } from '../../../src/lib/secrets/secrets.ts';
import { ask, type CompleteResponse } from '../../support/worker/ask.ts';

/** What a browser sends with every request for a page. */
export const BROWSER = {
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9',
};

/** What it sends with a form of this site. */
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' };

export function page(
  path: string,
  cookie = '',
  headers: Record<string, string> = {},
): Promise<CompleteResponse> {
  return ask(path, {
    headers: { ...BROWSER, ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
  });
}

/** Sends a form, as one with a file if its fields are `FormData`. */
export function send(
  path: string,
  fields: Record<string, string> | [string, string][] | FormData,
  cookie = '',
  headers: Record<string, string> = SAME_ORIGIN,
  bindings?: Env,
): Promise<CompleteResponse> {
  const given = { ...BROWSER, ...headers, ...(cookie === '' ? {} : { Cookie: cookie }) };
  const init = { method: 'POST', redirect: 'manual' } as const;
  if (fields instanceof FormData)
    return ask(path, { ...init, body: fields, headers: given }, bindings);
  const body = new URLSearchParams(fields).toString();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return ask(path, { ...init, body, headers: { ...given, ...type } }, bindings);
}

/** The page that a form leads to, requested as a browser does: with the cookies that it was given. */
export async function follow(
  { status, headers }: CompleteResponse,
  cookie: string,
  more: Record<string, string> = {},
): Promise<CompleteResponse> {
  if (status !== 303) throw new Error(`Not redirected: ${status}`);
  return page(headers.get('Location')!, withCookies(cookie, headers), more);
}

/** The cookies of a browser after a response. */
export function withCookies(cookie: string, headers: Headers): string {
  const given = headers.getSetCookie().map((one) => one.split(';')[0]!);
  const nameOf = (one: string) => one.split('=')[0];
  const kept = cookie
    .split('; ')
    .filter((one) => !given.some((other) => nameOf(other) === nameOf(one)));
  return [...kept, ...given].join('; ');
}

/** The cookie of a session that a response renews. */
export function sessionIn({ headers }: CompleteResponse): string {
  return headers
    .getSetCookie()
    .find((one) => one.startsWith('__Host-session='))!
    .split(';')[0]!;
}

/** The cookie of somebody who has signed in. */
export async function signIn(
  account: string,
  password = 'demo',
  from: Record<string, string> = {},
): Promise<string> {
  const { status, headers } = await send('/sign-in', { account, password }, '', {
    ...SAME_ORIGIN,
    ...from,
  });
  if (status !== 303) throw new Error(`Not signed in: ${status}`);
  return headers.get('Set-Cookie')!.split(';')[0]!;
}

/** The cookie of somebody who may look at an account's pages, and change nothing. */
export async function signInViewer(accountId: number, account: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const token = await invite(env.DB, accountId, { name: 'Vera', role: 'viewer' }, now);
  const password = 'correct horse battery';
  await acceptInvitation(env.DB, sha256Hex(token!), await hashPassword(password));
  const { headers } = await send('/sign-in', { account, name: 'Vera', password });
  return headers.get('Set-Cookie')!.split(';')[0]!;
}

/** The fields that a browser sends for the first form of a page: one to the page itself, or to a path that begins so. */
export function fieldsOf(
  response: CompleteResponse,
  action?: string,
): [name: string, value: string][] {
  const target = action === undefined ? '(?! action=)' : ` action="${action}`;
  const [form] = new RegExp(`<form method="post"${target}.*?</form>`, 's').exec(textOf(response))!;
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].flatMap(
    ([, attributes]): [string, string][] => {
      const of = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes!)?.[1];
      const isBox = /^(checkbox|radio)$/.test(of('type') ?? '');
      const name = of('name');
      if (name === undefined || (isBox && !/ checked=/.test(attributes!))) return [];
      return [[name, of('value') ?? '']];
    },
  );
  const areas = [...form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n?(.*?)<\/textarea>/gs)];
  const selects = [
    ...form.matchAll(/<select [^>]*name="([^"]*)".*?<option value="([^"]*)" selected/gs),
  ];
  const others = [...areas, ...selects].map(([, name, value]): [string, string] => [name!, value!]);
  return [...inputs, ...others].map(([name, value]) => [decode(name), decode(value)]);
}

function decode(text: string): string {
  const characters = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  return text.replaceAll(/&(quot|#39|lt|gt|amp);/g, (_, name) => characters[name as 'lt']);
}

/** The text of a page, in which every placeholder must be filled. */
export function textOf({ text }: CompleteResponse): string {
  const [placeholder] = /\{[a-z]+\}/i.exec(text) ?? [];
  if (placeholder !== undefined) throw new Error(`The page shows ${placeholder}.`);
  return text;
}

/** What a session claims. */
export function claimsOf(cookie: string): Record<string, unknown> {
  const [, claims = ''] = cookie.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

/** A session with other claims (or another header, part 0), and the signature that it had. */
export function claiming(cookie: string, changes: object, part: 0 | 1 = 1): string {
  const [name, token] = cookie.split('=') as [string, string];
  const parts = token.split('.');
  const claims = JSON.parse(Buffer.from(parts[part]!, 'base64url').toString());
  parts[part] = Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url');
  return `${name}=${parts.join('.')}`;
}
