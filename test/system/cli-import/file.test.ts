import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { kyeroFeed, kyeroRecord } from '../../support/kyero.ts';
import { property } from '../../support/portfolio.ts';
import { importError, load, openAgency, operator, properties, useOperator } from './agency.ts';

useOperator();

describe('import of a file', () => {
  const feed = kyeroFeed([kyeroRecord('a', { town: 'Peñíscola' }), kyeroRecord('b')]);

  test.each<[string, Uint8Array]>([
    ['a byte order mark', Buffer.from(`\ufeff${feed}`)],
    ['CR LF', Buffer.from(feed.replaceAll('\n', '\r\n'))],
    ['ISO-8859-1 declared', Buffer.from(feed.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['windows-1252 declared in single quotes', Buffer.from(feed.replace('"UTF-8"', "'windows-1252'"), 'latin1')],
    ['UTF-16 and a byte order mark', Buffer.from(`\ufeff${feed.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    ['UTF-16 big-endian', Buffer.from(feed.replace('UTF-8', 'UTF-16'), 'utf16le').swap16()],
    ['no declaration', Buffer.from(feed.replace(/^.*\n/, ''))],
    ['a document type', Buffer.from(feed.replace('<root>', '<!DOCTYPE root [<!ELEMENT root ANY>]><root>'))],
    ['an agent', Buffer.from(feed.replace('</kyero>', '</kyero><agent><name>x</name></agent>'))],
  ])('with %s is read', async (_, bytes) => {
    const agency = await openAgency();
    expect(await load(agency, bytes)).toMatchObject({ read: 2, rejected: 0, ignored: [] });
    expect((await properties(agency)).map(({ town }) => town)).toEqual(['Peñíscola', 'Marbella']);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /^bad_file: The file is empty/],
    ['white space', ' \n\n', /^bad_file: The file is empty/],
    ['neither XML nor NDJSON', 'id;ref;price\n1;2;3\n', /^unsupported_format: The file is CSV/],
    ['XML that is truncated within a record', feed.slice(0, -60), /^bad_file: The file is not well-formed XML/],
    [
      'XML nested too deeply',
      feed.replace('Marbella', '<a>'.repeat(200)),
      /^bad_file: The record at line 15 is nested/,
    ],
    ['a ZIP archive', Buffer.from('PK\x03\x04 and more'), /^bad_file: The file is a ZIP archive/],
    [
      'invalid in the declared encoding',
      Buffer.concat([Buffer.from(feed, 'latin1'), Buffer.from('<!-- ñ -->')]),
      /^bad_encoding: .* UTF-8, at line 12/,
    ],
    ['in an unknown encoding', feed.replace('UTF-8', 'EBCDIC-X'), /^bad_encoding: .*EBCDIC-X/],
    ['truncated NDJSON', `${JSON.stringify(property('a'))}\n{"kind":"prop`, /^bad_file: Line 2 is not JSON/],
  ])('that is %s: exit code 1, and nothing is changed', async (_, content, message) => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('there')]));
    expect(await importError(agency, content, ['--replace', '--max-withdrawn', '100'])).toMatch(message);
  });

  test('from the standard input: imported', async () => {
    const agency = await openAgency();
    const args = ['import', '--account', agency.code];
    expect(await operator.json(args, feed)).toMatchObject({ properties: { read: 2, rejected: 0 } });
  });

  test.each([
    ['that does not exist', '/nowhere.xml', 'ENOENT'],
    ['that is a directory', '/', 'is not a regular file'],
  ])('%s: exit code 1', async (_, file, why) => {
    const { exit, err } = await operator.run(['import', file, '--account', (await openAgency()).code]);
    expect(err).toContain(why);
    expect(exit).toBe(1);
  });

  test('leaves no temporary files', async () => {
    const agency = await openAgency();
    const temporary = await mkdtemp(join(tmpdir(), 'lindero-test-'));
    vi.stubEnv('TMPDIR', temporary);
    try {
      await load(agency, feed);
      await importError(agency, feed.slice(0, -60));
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await rm(temporary, { recursive: true });
    }
  });

  test('of 1,200 records: written in order, in several transactions', async () => {
    const agency = await openAgency();
    const ids = Array.from({ length: 1_200 }, (_, index) => `p${(index * 7) % 1_200}`);
    expect(await load(agency, kyeroFeed(ids.map((id) => kyeroRecord(id))))).toMatchObject({
      read: 1_200,
      rejected: 0,
    });
    expect((await properties(agency)).map(({ id }) => id)).toEqual(ids);
  });
});
