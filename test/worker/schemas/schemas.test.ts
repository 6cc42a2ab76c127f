import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { SCHEMA_FILES } from '../../../src/schemas/files.ts';
import { parseXml } from '../../support/xml.ts';

function fetchSchema(name: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(`https://feeds.example/schemas/${name}`, init);
}

describe.each(Object.keys(SCHEMA_FILES))('/schemas/%s', (name) => {
  test('GET: 200 with the schema, the same at every origin', async () => {
    const response = await fetchSchema(name);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    const xml = await response.text();
    expect(parseXml(xml).name).toBe('xs:schema');
    const elsewhere = await exports.default.fetch(`http://localhost:1234/schemas/${name}?x=1`);
    expect(await elsewhere.text()).toBe(xml);
  });

  test('GET with its ETag: 304 without a body; with another ETag: 200', async () => {
    const first = await fetchSchema(name);
    const etag = first.headers.get('ETag')!;
    const again = await fetchSchema(name, { headers: { 'If-None-Match': `"x", W/${etag}` } });
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, etag, '']);
    expect((await fetchSchema(name, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
  });

  test('GET with If-Match: 200 with its ETag, 412 with another', async () => {
    const etag = (await fetchSchema(name)).headers.get('ETag')!;
    expect((await fetchSchema(name, { headers: { 'If-Match': etag } })).status).toBe(200);
    expect((await fetchSchema(name, { headers: { 'If-Match': '"x"' } })).status).toBe(412);
  });

  test('HEAD: 200 with the headers of GET and no body', async () => {
    const [get, head] = [await fetchSchema(name), await fetchSchema(name, { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(head.headers.get('ETag')).toBe(get.headers.get('ETag'));
    expect(await head.text()).toBe('');
  });

  test('POST: 405 with Allow', async () => {
    const response = await fetchSchema(name, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('every element and every type is documented', async () => {
    const xml = await (await fetchSchema(name)).text();
    const root = parseXml(xml);
    const undocumented: string[] = [];
    const visit = (component: typeof root) => {
      const named = component.attributes.name;
      if (
        named !== undefined &&
        component.name !== 'xs:unique' &&
        !component.textOf('xs:annotation/xs:documentation')
      ) {
        undocumented.push(named);
      }
      component.children.forEach(visit);
    };
    visit(root);
    expect(undocumented).toEqual([]);
  });
});

test('GET of an unknown schema: 404', async () => {
  expect((await fetchSchema('feed-v4.xsd')).status).toBe(404);
});
