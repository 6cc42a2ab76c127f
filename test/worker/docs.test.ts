import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { ask } from '../support/ask.ts';

test('GET /openapi.json: 200 with the description of every operation, for any origin', async () => {
  const { status, headers, bytes } = await ask('/openapi.json');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  const document = JSON.parse(new TextDecoder().decode(bytes));
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(document.info.version))));
});

test('GET /openapi.json with its ETag: 304', async () => {
  const etag = (await ask('/openapi.json')).headers.get('ETag')!;
  const { status, bytes } = await ask('/openapi.json', { headers: { 'If-None-Match': etag } });
  expect([status, bytes.length]).toEqual([304, 0]);
});

test('GET /docs: 200 with a page that may load nothing from elsewhere, and whose files exist', async () => {
  const { status, headers, bytes } = await ask('/docs');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  const files = [...new TextDecoder().decode(bytes).matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(files).toHaveLength(4);
  for (const file of files) expect([file, (await ask(file)).status]).toEqual([file, 200]);
});

test('the script of /docs: names no host from which it would load something', async () => {
  const { headers, bytes } = await ask('/docs/redoc.js');
  expect(headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(new TextDecoder().decode(bytes)).not.toMatch(/cdn\.redoc|fonts\.googleapis/);
});

test.each(['/docs', '/openapi.json', '/docs/docs.css'])('HEAD %s: 200 without a body; POST: 405', async (path) => {
  const head = await ask(path, { method: 'HEAD' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  const post = await ask(path, { method: 'POST' });
  expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

test.each(['/docs/', '/docs/nothing.js', '/docs.html', '/DOCS'])('GET %s: 404', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

test.each(['/docs/CreateXMLFeedV3.asp', '/openapi.json/createxmlfeedv3.ASP'])(
  'GET %s: the feed, without asking for an asset',
  async (path) => {
    const ASSETS = {
      fetch: () => {
        throw new Error('An asset was asked for.');
      },
    };
    expect((await ask(path, {}, { ...env, ASSETS } as never)).status).toBe(401);
  },
);
