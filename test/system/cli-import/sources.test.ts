import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import { withSums } from '../../support/accounts/imported.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { type Listening, listen } from '../../support/network/listen.ts';
import { operator, useOperator } from '../operator.ts';
import { type Agency, openAgency, properties } from './agency.ts';

useOperator();

const FEED = kyeroFeed([kyeroRecord('a'), kyeroRecord('b')]);

let server: Listening;
let origin: string;
let handler: RequestListener;

beforeAll(async () => {
  server = await listen((request, response) => {
    handler(request, response);
  });
  origin = server.origin;
});

afterAll(() => server.stop());

/** Sets the server's response. */
function respondWith(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  status = 200,
): void {
  handler = (_, response) => response.writeHead(status, headers).end(body);
}

async function importFrom(agency: Agency, address: string) {
  return operator.run(['import', address, '--account', agency.code, '--json']);
}

test.each([[['-']], [[]]])(
  'import of a gzipped file on the standard input, %j: is imported',
  async (file) => {
    const { code } = await openAgency();
    const report = await operator.json<ImportReport>(
      ['import', ...file, '--account', code],
      gzipSync(FEED),
    );
    expect(report).toMatchObject({ format: 'kyero', properties: { read: 2, written: 2 } });
  },
);

describe('import from a URL', () => {
  test.each<[string, () => void]>([
    ['of a file', () => respondWith(FEED)],
    [
      'of a gzipped file',
      () => respondWith(gzipSync(FEED), { 'content-type': 'application/gzip' }),
    ],
    [
      'of a file with Content-Encoding gzip',
      () => respondWith(gzipSync(FEED), { 'content-encoding': 'gzip' }),
    ],
    [
      'of a gzipped file with Content-Encoding gzip',
      () => respondWith(gzipSync(gzipSync(FEED)), { 'content-encoding': 'gzip' }),
    ],
    [
      'that redirects to another',
      () => {
        handler = (request, response) =>
          request.url === '/feed.xml'
            ? response.writeHead(302, { location: '/other?x=1' }).end()
            : response.end(FEED);
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
    [
      '404',
      () => respondWith('<p>gone</p>', {}, 404),
      /answered with status 404: .{1,2}gone.{1,2}\. Check the URL/,
    ],
    ['401', () => respondWith('who?', {}, 401), /who\?.{1,2}\. Credentials can be part of the URL/],
    [
      '403 with the URL',
      () => respondWith('No access: http://a.example/?P=secret-word', {}, 403),
      /status 403: .{1,2}No access: …/,
    ],
    ['304, which nobody has asked for', () => respondWith('', {}, 304), /has not changed \(304\)/],
    ['an HTML page', () => respondWith('<!DOCTYPE html><html></html>'), /HTML page/],
    [
      'a connection that is aborted',
      () => {
        handler = (_, response) => {
          response.writeHead(200, { 'content-length': '999' });
          response.write('<root>');
          setTimeout(() => response.destroy(), 50);
        };
      },
      /connection failed/i,
    ],
  ])(
    'that returns %s: exit code 1 with the reason, without credentials, and nothing is changed',
    async (_, set, reason) => {
      set();
      const agency = await openAgency();
      const address = `${origin.replace('//', '//user:secret-word@')}/feed.xml?P=secret-word`;
      const { exit, out, err } = await importFrom(agency, address);
      expect(exit).toBe(1);
      expect(out + err).toMatch(reason);
      expect(out + err).not.toContain('secret-word');
      expect(await properties(agency)).toEqual([]);
    },
  );
});
