import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { FORMATS } from '../../src/feed/formats/formats.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { PROBLEMS } from '../../src/problem.ts';
import { SCHEMA_FILES } from '../../src/service/schema-files.ts';
import { obtainToken, openAgency, withToken } from '../support/accounts/units.ts';
import { parseXml, type XmlElement } from '../support/documents/xml.ts';
import { ask } from '../support/worker/ask.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

const get = (path: string, headers: Record<string, string> = {}, bindings = env) =>
  ask(path, { headers }, bindings);

describe('GET /', () => {
  test.each(['*/*', 'application/json', 'application/xml'])(
    'with Accept %s: 200 with JSON',
    async (Accept) => {
      const { status, headers, text } = await get('/', { Accept });
      expect([status, headers.get('Content-Type'), headers.get('Vary')]).toEqual([
        200,
        'application/json',
        'Accept',
      ]);
      expect(JSON.parse(text)).toMatchObject({
        service: 'Lindero',
        feed: expect.stringContaining('OWNPROPERTIES@'),
      });
    },
  );

  test('without Accept: every path in it exists', async () => {
    const { schemas, developments, token_metadata } = JSON.parse((await get('/')).text);
    const paths: string[] = [...schemas, token_metadata, developments];
    const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 401]);
  });

  test('without Accept: the address of the feed in every format', async () => {
    const addresses = Object.values(JSON.parse((await get('/')).text)).map(String);
    for (const { file } of FORMATS) {
      expect(
        addresses.filter((address) => address.startsWith(`/${file}?U=OWNPROPERTIES@`)),
      ).toHaveLength(1);
    }
  });

  test('from a browser: 200 with the form to sign in', async () => {
    const { status, headers, text } = await get('/', { Accept: BROWSER });
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('Vary')).toMatch(/^Accept,/);
    for (const path of ['/docs', '/sign-in']) expect(text).toContain(path);
  });

  test('with another issuer: 200 without a token endpoint', async () => {
    const { status, text } = await get('/', {}, { ...env, TOKEN_ISSUER: 'https://login.example' });
    expect([status, /oauth\/token|well-known/.test(text)]).toEqual([200, false]);
  });
});

const PAGES = [
  '/',
  '/docs',
  '/openapi.json',
  '/docs/docs.css',
  ...Object.keys(SCHEMA_FILES).map((name) => `/schemas/${name}`),
];

test.each(PAGES)('HEAD %s: 200 without a body; POST: 405', async (path) => {
  const head = await ask(path, { method: 'HEAD' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  const post = await ask(path, { method: 'POST', body: 'x' });
  expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});

test.each(PAGES.slice(2))('GET %s with its ETag: 304', async (path) => {
  const etag = (await ask(path)).headers.get('ETag')!;
  const { status, text } = await get(path, { 'If-None-Match': etag });
  expect([status, text]).toEqual([304, '']);
});

test.each(['/docs/', '/docs/nothing.js', '/docs.html', '/DOCS', '/schemas/feed-v4.xsd'])(
  'GET %s: 404',
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);

test('GET /openapi.json: 200 with the description of every operation, for any origin', async () => {
  const { status, headers, text } = await get('/openapi.json');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  const document = JSON.parse(text);
  const { version, description } = document.info;
  expect(description).toContain('## An integrator');
  expect(description).not.toContain('localhost');
  expect(description).toContain('https://feeds.example/oauth/token');
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument(version, description))));
});

test('GET /docs: 200 with a page that may load nothing from elsewhere, and whose files exist', async () => {
  const { status, headers, text } = await get('/docs');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(files).toHaveLength(4 + Object.keys(PROBLEMS).length);
  for (const file of files) expect([file, (await ask(file)).status]).toEqual([file, 200]);
  const script = await get('/docs/redoc.js');
  expect(script.headers.get('Content-Type')).toMatch(/^text\/javascript/);
  expect(script.text).not.toMatch(/cdn\.redoc|fonts\.googleapis/);
});

test.each(['/docs/CreateXMLFeedV3.asp', '/openapi.json/createxmlfeedv3.ASP'])(
  'GET %s: the feed, without asking for an asset',
  async (path) => {
    const fetch = vi.fn();
    expect((await ask(path, {}, { ...env, ASSETS: { fetch } } as never)).status).toBe(401);
    expect(fetch).not.toHaveBeenCalled();
  },
);

test.each(Object.keys(SCHEMA_FILES))(
  'GET /schemas/%s: 200 with a schema in which everything is documented',
  async (name) => {
    const { status, headers, text } = await get(`/schemas/${name}`);
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      ...[200, 'application/xml; charset=utf-8', 'public, max-age=3600'],
    ]);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect((await get(`http://localhost:1234/schemas/${name}?x=1`)).text).toBe(text);
    const undocumentedIn = (component: XmlElement): string[] => {
      const { name: named } = component.attributes;
      const isDocumented =
        named === undefined ||
        component.name === 'xs:unique' ||
        component.textOf('xs:annotation/xs:documentation');
      return [...(isDocumented ? [] : [named!]), ...component.children.flatMap(undocumentedIn)];
    };
    expect(undocumentedIn(parseXml(text))).toEqual([]);
  },
);

const GRANT = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };

test.each<[string, string, () => Promise<RequestInit>]>([
  ['GET a feed', '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@A&P=b', async () => ({})],
  [
    'POST /oauth/token',
    '/oauth/token',
    async () => ({ method: 'POST', body: new URLSearchParams(GRANT) }),
  ],
  [
    'GET /v1/developments',
    '/v1/developments',
    async () => ({ headers: withToken(await obtainToken(await openAgency('SETUP', []))) }),
  ],
])('%s in a database without tables: 503, and the log says what to run', async (_, path, init) => {
  const request = await init();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const DB = {
    prepare: () => env.DB.prepare('SELECT * FROM missing'),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  } as unknown as D1Database;
  const { status, headers, text } = await ask(path, request, { ...env, DB });
  const lines = logged.mock.calls.flat().map(String);
  logged.mockRestore();
  expect([status, headers.has('Retry-After')]).toEqual([503, true]);
  expect(text).not.toContain('npm');
  expect(lines).toEqual([expect.stringContaining('Run: npm run setup')]);
});

test('GET /v1/properties, even without a token: X-Content-Type-Options: nosniff', async () => {
  expect((await ask('/v1/properties')).headers.get('X-Content-Type-Options')).toBe('nosniff');
});

test('every problem: its type is a page that says what it means', async () => {
  const { type, code } = JSON.parse((await get('/v1/developments')).text);
  expect(type).toBe(`/problems/${code}`);
  for (const name of Object.keys(PROBLEMS)) {
    const { status, headers, text } = await get(`/problems/${name}`);
    expect([name, status, headers.get('Content-Type')]).toEqual([
      name,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(text).toContain(`<code>${name}</code>`);
  }
  expect((await get('/problems/unit_not_found')).text).toContain('update-by-name');
  expect((await get('/problems/nothing')).status).toBe(404);
});

test('GET /docs without its script: every operation, and a link to every problem', async () => {
  const { text } = await get('/docs');
  for (const path of Object.keys(openApiDocument('', '').paths!)) expect(text).toContain(path);
  for (const name of Object.keys(PROBLEMS)) expect(text).toContain(`href="/problems/${name}"`);
});
