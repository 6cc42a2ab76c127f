import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createAgency } from '../../support/accounts/agency.ts';
import { openWebhook } from '../../support/accounts/webhooks.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { page, send, signIn, textOf, withCookies } from './visitor.ts';

const { accountId } = await createAgency(env.DB, 'AGAIN', ['A-1']);
const cookie = await signIn('AGAIN');

async function count(table: 'readers' | 'people' | 'clients'): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${table} WHERE account_id = ?`;
  return (await env.DB.prepare(sql).bind(accountId).first<{ count: number }>())!.count;
}

/** Path and cookies of a browser after a form. */
function browserAfter({ headers }: CompleteResponse, before = cookie) {
  return { path: headers.get('Location')!, cookies: withCookies(before, headers) };
}

const connect = () => send('/portals/connect?portal=other', { title: 'Ours' }, cookie);
const invite = () => send('/settings', { do: 'invite', name: 'Ana', role: 'viewer' }, cookie);
const create = () => send('/settings/client', { id: 'crm', scope: 'units:read' }, cookie);

describe.each([
  [
    'the address of a portal',
    'readers',
    connect,
    />https:[^<]*P=(lindero_[\w-]+)</,
    '/portal?name=ours',
  ],
  ['the link of an invitation', 'people', invite, /invitation\?[^<]*token=([\w-]+)</, '/settings'],
  ['the secret of a program', 'clients', create, />([\w-]{43})</, '/settings/client?id=crm'],
] as const)('%s', (_name, table, make, secret, after) => {
  let path: string;
  let cookies: string;
  const shown = async (session = cookies) => secret.exec(textOf(await page(path, session)))?.[1];

  test('the form: 303 to a page that shows it, also when that is loaded again, and nothing is made twice', async () => {
    const before = await count(table);
    ({ path, cookies } = browserAfter(await make()));
    const first = await shown();
    expect(first).toEqual(expect.any(String));
    expect([await shown(), await shown()]).toEqual([first, first]);
    expect(await count(table)).toBe(before + 1);
    expect(cookies).not.toContain(first);
    expect(path).not.toContain(first);
  });

  test('not to another session, not to one without the cookie, and not once it is done', async () => {
    const sealed = cookies.split('; ').filter((one) => !one.startsWith('__Host-session='));
    const other = [await signIn('AGAIN'), ...sealed].join('; ');
    expect([await shown(other), await shown(cookie)]).toEqual([undefined, undefined]);
    expect((await page(path, other)).status).toBe(404);
    const done = await send(path, { do: 'done' }, cookies);
    expect([done.status, done.headers.get('Location')]).toEqual([303, after]);
    cookies = browserAfter(done, cookies).cookies;
    expect(await shown()).toBeUndefined();
  });
});

test('the cookies that carry it: for this host, over HTTPS, not for scripts, for ten minutes', async () => {
  const { headers } = await send('/portal?name=ours', { do: 'key' }, cookie);
  expect(headers.get('Set-Cookie')).toMatch(
    /^__Host-once-[\w-]{8}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
});

test('what was done is said once, on the page that it leads to, in the language of that page', async () => {
  const sent = await send('/portal?name=ours', { do: 'pause' }, cookie);
  const { path, cookies } = browserAfter(sent);
  const said = /role="status"/;
  expect(textOf(await page('/portals', cookies))).not.toMatch(said);
  const spanish = await page(path, cookies, { 'Accept-Language': 'es' });
  expect(textOf(spanish)).toMatch(/role="status".*En pausa\. El portal/s);
  const later = withCookies(cookies, spanish.headers);
  expect(textOf(await page(path, later))).not.toMatch(said);
  expect(textOf(await page(path, `${await signIn('AGAIN')}; __Host-flash=forged`))).not.toMatch(
    said,
  );
});

test('a webhook that is called to try it: its answer is said, and loading the page again calls nothing', async () => {
  await openWebhook(accountId, 'tried');
  const fetch = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', fetch);
  const { path, cookies } = browserAfter(
    await send('/settings/webhook?name=tried', { do: 'test' }, cookie),
  );
  expect(textOf(await page(path, cookies))).toMatch(/role="status".*answered with status 204/s);
  await page(path, cookies);
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});
