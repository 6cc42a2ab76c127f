import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { SCHEMA_FILES } from '../../src/service/schema-files.ts';
import { parseXml, type XmlElement } from '../support/xml.ts';

function fetchSchema(name: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(`https://feeds.example/schemas/${name}`, init);
}

describe.each(Object.keys(SCHEMA_FILES))('/schemas/%s', (name) => {
  test('GET and HEAD: 200 with the schema, the same at every origin', async () => {
    const response = await fetchSchema(name);
    expect([response.status, response.headers.get('Content-Type'), response.headers.get('Cache-Control')]).toEqual([
      ...[200, 'application/xml; charset=utf-8', 'public, max-age=3600'],
    ]);
    const xml = await response.text();
    const elsewhere = await exports.default.fetch(`http://localhost:1234/schemas/${name}?x=1`);
    expect(await elsewhere.text()).toBe(xml);
    const head = await fetchSchema(name, { method: 'HEAD' });
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, response.headers.get('ETag'), '']);
  });

  test('GET with its ETag: 304; POST: 405', async () => {
    const etag = (await fetchSchema(name)).headers.get('ETag')!;
    const statusOf = async (headers: Record<string, string>) => (await fetchSchema(name, { headers })).status;
    expect(await statusOf({ 'If-None-Match': `"x", W/${etag}` })).toBe(304);
    expect(await statusOf({ 'If-None-Match': '"x"' })).toBe(200);
    const post = await fetchSchema(name, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('every element and every type is documented', async () => {
    const undocumentedIn = (component: XmlElement): string[] => {
      const { name: named } = component.attributes;
      const isDocumented =
        named === undefined || component.name === 'xs:unique' || component.textOf('xs:annotation/xs:documentation');
      return [...(isDocumented ? [] : [named!]), ...component.children.flatMap(undocumentedIn)];
    };
    expect(undocumentedIn(parseXml(await (await fetchSchema(name)).text()))).toEqual([]);
  });
});

test('GET of an unknown schema: 404', async () => {
  expect((await fetchSchema('feed-v4.xsd')).status).toBe(404);
});
