import type { IncomingMessage, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ImportReport } from '../../../src/import/import.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { type Listening, listen } from '../../support/network/listen.ts';
import { operator, useOperator } from '../operator.ts';
import { type Agency, openAgency, properties, withSums } from './agency.ts';

useOperator();

const FEED = kyeroFeed([kyeroRecord('a'), kyeroRecord('b')]);

let server: Listening;
let origin: string;
let handler: RequestListener;
/** Requests that the server has received, in order. */
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = await listen((request, response) => {
    requests.push(request);
    handler(request, response);
  });
  origin = server.origin;
});

afterAll(() => server.stop());

/** Sets the server's response. */
function respondWith(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): void {
  handler = (_, response) => response.writeHead(status, headers).end(body);
}

async function importFrom(agency: Agency, address: string, options: readonly string[] = []) {
  requests = [];
  return operator.run(['import', address, '--account', agency.code, '--json', ...options]);
}

test.each([[['-']], [[]]])('import of a gzipped file on the standard input, %j: is imported', async (file) => {
  const { code } = await openAgency();
  const report = await operator.json<ImportReport>(['import', ...file, '--account', code], gzipSync(FEED));
  expect(report).toMatchObject({ format: 'kyero', properties: { read: 2, written: 2 } });
});

describe('import from a URL', () => {
  test.each<[string, () => void]>([
    ['of a file', () => respondWith(FEED)],
    ['of a gzipped file', () => respondWith(gzipSync(FEED), { 'content-type': 'application/gzip' })],
    ['of a file with Content-Encoding gzip', () => respondWith(gzipSync(FEED), { 'content-encoding': 'gzip' })],
    [
      'of a gzipped file with Content-Encoding gzip',
      () => respondWith(gzipSync(gzipSync(FEED)), { 'content-encoding': 'gzip' }),
    ],
    [
      'that redirects to another',
      () => {
        handler = (request, response) =>
          request.url === '/feed.xml' ? response.writeHead(302, { location: '/other?x=1' }).end() : response.end(FEED);
      },
    ],
  ])('%s: the file is imported', async (_, set) => {
    set();
    const agency = await openAgency();
    const { exit, out } = await importFrom(agency, `${origin}/feed.xml`);
    expect(exit).toBe(0);
    expect(withSums(JSON.parse(out))).toMatchObject({ properties: { read: 2, written: 2 } });
  });

  test.each<[string, () => void, RegExp]>([
    ['404', () => respondWith('gone', {}, 404), /answered with status 404/],
    ['401', () => respondWith('who?', {}, 401), /answered with status 401/],
    ['an HTML page', () => respondWith('<!DOCTYPE html><html></html>'), /HTML page/],
    [
      'a Content-Length that is too large',
      () => respondWith(FEED, { 'content-length': String(FEED.length) }),
      /larger than/,
    ],
    [
      'a connection that is aborted',
      () => {
        handler = (_, response) => {
          response.writeHead(200, { 'content-length': '999' });
          response.write('<root>');
          setTimeout(() => response.destroy(), 50);
        };
      },
      /cannot be downloaded\. The connection failed/,
    ],
    [
      'no response',
      () => {
        handler = () => {};
      },
      /sent nothing for 0\.3 seconds/,
    ],
    [
      'a body that stalls',
      () => {
        handler = (_, response) => {
          response.writeHead(200);
          response.write('<root>');
        };
      },
      /sent nothing for 0\.3 seconds/,
    ],
  ])(
    'that returns %s: exit code 1 with the reason, without credentials, and nothing is changed',
    async (name, set, reason) => {
      set();
      const agency = await openAgency();
      const address = `${origin.replace('//', '//user:secret-word@')}/feed.xml?P=secret-word`;
      const limits = ['--timeout', '0.3', ...(name.includes('too large') ? ['--max-download', '0.0001'] : [])];
      const { exit, out, err } = await importFrom(agency, address, limits);
      expect(exit).toBe(1);
      expect(out + err).toMatch(reason);
      expect(out + err).not.toContain('secret-word');
      expect(await properties(agency)).toEqual([]);
    },
  );

  test('imported before: a conditional request, and no import after a 304', async () => {
    const agency = await openAgency();
    const headers = { etag: '"1"', 'last-modified': 'Wed, 04 Mar 2026 05:06:07 GMT' };
    handler = (request, response) =>
      request.headers['if-none-match'] === '"1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, headers).end(FEED);
    const address = `${origin}/feed.xml`;
    expect(JSON.parse((await importFrom(agency, address)).out)).toMatchObject({ properties: { written: 2 } });
    const again = await importFrom(agency, address);
    expect(requests[0]?.headers).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': headers['last-modified'],
    });
    expect([again.exit, JSON.parse(again.out)]).toMatchObject([0, { not_modified: true }]);
    // Another account, other options and --force request the complete file.
    for (const options of [['--replace'], ['--force']]) {
      expect(JSON.parse((await importFrom(agency, address, options)).out)).toMatchObject({ properties: { read: 2 } });
    }
    expect(JSON.parse((await importFrom(await openAgency(), address)).out)).toMatchObject({
      properties: { written: 2 },
    });
  });

  test('imported before, into another environment or before the database was restored: the complete file', async () => {
    const agency = await openAgency();
    const headers = { etag: '"1"' };
    handler = (request, response) =>
      request.headers['if-none-match'] ? response.writeHead(304).end() : response.writeHead(200, headers).end(FEED);
    const isRead = async () => 'properties' in JSON.parse((await importFrom(agency, `${origin}/feed.xml`)).out);
    expect([await isRead(), await isRead()]).toEqual([true, false]);
    vi.stubEnv('CLOUDFLARE_ENV', 'staging');
    expect([await isRead(), await isRead()]).toEqual([true, false]);
    vi.unstubAllEnvs();
    const restored = 'UPDATE accounts SET incarnation = incarnation + 1 WHERE code = ?';
    await operator.server.db.prepare(restored).bind(agency.code).run();
    expect([await isRead(), await isRead()]).toEqual([true, false]);
  });

  test('with a rejected record: an unconditional request the next time', async () => {
    const agency = await openAgency();
    respondWith(kyeroFeed([kyeroRecord('a'), kyeroRecord('b', { id: '', ref: '' })]), { etag: '"1"' });
    for (const _ of [1, 2]) expect((await importFrom(agency, `${origin}/feed.xml`)).exit).toBe(3);
    expect(requests[0]?.headers['if-none-match']).toBeUndefined();
  });
});
