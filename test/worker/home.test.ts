import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ask } from '../support/ask.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

async function home(headers: Record<string, string> = {}, bindings = env) {
  const { status, headers: received, bytes } = await ask('/', { headers }, bindings);
  return { status, headers: received, text: new TextDecoder().decode(bytes) };
}

test.each(['*/*', 'application/json', 'application/xml'])('GET / with Accept %s: 200 with JSON', async (Accept) => {
  const { status, headers, text } = await home({ Accept });
  expect([status, headers.get('Content-Type'), headers.get('Vary')]).toEqual([200, 'application/json', 'Accept']);
  expect(JSON.parse(text)).toMatchObject({ service: 'Lindero', feed: expect.stringContaining('OWNPROPERTIES@') });
});

test('GET / without Accept: every path in it exists', async () => {
  const { schemas, developments, token_metadata } = JSON.parse((await home()).text);
  const paths: string[] = [...schemas, token_metadata, developments];
  const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 401]);
});

test('GET / from a browser: 200 with the form to sign in', async () => {
  const { status, headers, text } = await home({ Accept: BROWSER });
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('Vary')).toMatch(/^Accept,/);
  for (const path of ['/docs', '/sign-in']) expect(text).toContain(path);
});

test('GET / with another issuer: 200 without a token endpoint', async () => {
  const bindings = { ...env, TOKEN_ISSUER: 'https://login.example' };
  const { status, text } = await home({}, bindings);
  expect([status, /oauth\/token|well-known/.test(text)]).toEqual([200, false]);
});

test('HEAD /: 200 without a body; POST /: 405', async () => {
  const head = await ask('/', { method: 'HEAD' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  const post = await ask('/', { method: 'POST' });
  expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});
