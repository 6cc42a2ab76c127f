import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOffline } from '../../support/command-line.ts';
import { kyeroFeed, kyeroRecord } from '../../support/kyero.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lindero-check-'));
});

afterAll(() => rm(directory, { recursive: true }));

interface Printed {
  readonly format: string;
  readonly rejected: number;
  readonly summary: Record<string, number>;
  readonly rules: readonly { readonly code: string }[];
  readonly properties: readonly {
    readonly id: string;
    readonly findings: readonly { readonly rule: string; readonly node: string }[];
  }[];
}

/** The findings of a report, as `rule property node`. */
function findingsOf({ properties }: Printed): string[] {
  return properties.flatMap(({ id, findings }) => findings.map(({ rule, node }) => `${rule} ${id} ${node}`));
}

async function checked(content: string | Uint8Array, args: readonly string[] = [], exit = 3): Promise<Printed> {
  const file = join(directory, 'feed');
  await writeFile(file, content);
  const ran = await runOffline(['check', file, '--json', ...args]);
  expect([ran.err, ran.exit]).toEqual(['', exit]);
  return JSON.parse(ran.out);
}

describe('check <file>', () => {
  const feed = kyeroFeed([
    kyeroRecord('A1', {
      price: '0',
      town: 'Marbella',
      location: '<latitude>-4.88</latitude><longitude>36.51</longitude>',
    }),
    kyeroRecord('A2', { desc: '<en>Call 952 123 456 or see www.agency.es for this lovely house by the sea</en>' }),
    kyeroRecord('', { price: '1' }),
  ]);

  test('a Kyero feed: the findings by property, and the records that cannot be read', async () => {
    const report = await checked(feed);
    expect(report).toMatchObject({ format: 'kyero', summary: { properties: 2 }, rejected: 1 });
    const findings = findingsOf(report);
    expect(findings).toContain('no_price A1 price');
    expect(findings).toContain('coordinates_swapped A1 location');
    expect(findings).toContain('description_with_phone A2 description/uk');
    expect(findings).toContain('description_with_web_address A2 description/uk');
  });

  test('the same gzipped: the same report', async () => {
    expect(await checked(gzipSync(feed))).toEqual(await checked(feed));
  });

  test('a feed of this service: its format, and its types and features are known', async () => {
    const golden = await readFile(join(import.meta.dirname, '../../worker/feed/golden/feed-v3.xml'), 'utf8');
    const report = await checked(golden);
    expect(report).toMatchObject({ format: 'resales', summary: { properties: 4 }, rejected: 0 });
    expect(report.rules.map(({ code }) => code)).not.toContain('type_unknown');
  });

  test('an export: its own vocabulary is used', async () => {
    const documents = [...VOCABULARY, property('E1', { features: ['Sea'], texts: { uk: { description: 'Text' } } })];
    const report = await checked(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
    expect(report).toMatchObject({ format: 'ndjson', summary: { properties: 1 } });
    expect(report.rules.map(({ code }) => code)).not.toContain('feature_not_translated');
  });

  test('--rule and --severity: nothing else; exit code 0 if there is no error', async () => {
    const report = await checked(feed, ['--rule', 'description_with_phone'], 0);
    expect(findingsOf(report)).toEqual(['description_with_phone A2 description/uk']);
    expect((await checked(feed, ['--severity', 'error'])).summary).toMatchObject({ warning: 0, info: 0 });
  });

  test('as text: what is wrong, what to do, and where', async () => {
    const { out, exit } = await runOffline(['check', join(directory, 'feed'), '--rule', 'no_price']);
    expect(exit).toBe(3);
    expect(out).toMatch(/^1 record cannot be read:\n.*\n2 properties checked: 1 error, /);
    expect(out).toMatch(/\nerror {3}no_price: 1 property\n {2}.*\n {4}A1 {2}price: on request\n/);
  });

  test.each([
    ['--rule', 'no_such_rule'],
    ['--language', 'uk,xx'],
    ['--remote', 'true'],
  ])('%s %s: exit code 2', async (...args) => {
    expect((await runOffline(['check', 'feed.xml', ...args])).exit).toBe(2);
  });

  test('a file that is no feed: exit code 1', async () => {
    await writeFile(join(directory, 'other'), 'hello');
    const { exit, err } = await runOffline(['check', join(directory, 'other'), '--json']);
    expect([exit, JSON.parse(err).error.code]).toEqual([1, 'unsupported_format']);
  });
});
