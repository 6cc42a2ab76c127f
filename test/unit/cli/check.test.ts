import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { listen } from '../../support/network/listen.ts';
import { runOffline } from '../../support/processes/command-line.ts';

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
  return properties.flatMap(({ id, findings }) =>
    findings.map(({ rule, node }) => `${rule} ${id} ${node}`),
  );
}

async function checked(
  content: string | Uint8Array,
  args: readonly string[] = [],
  exit = 3,
): Promise<Printed> {
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
    kyeroRecord('A2', {
      desc: '<en>Call 952 123 456 or see www.agency.es for this lovely house by the sea</en>',
    }),
    kyeroRecord('', { ref: null }),
  ]);

  test('a Kyero feed: the findings by property, and the records that cannot be read', async () => {
    const report = await checked(feed);
    expect(report).toMatchObject({ format: 'kyero', summary: { properties: 2 }, rejected: 1 });
    const findings = findingsOf(report);
    expect(findings).toContain('no_price A1 price');
    // Three of A1, one of A2, and the record that cannot be read.
    expect(report.summary.error).toBe(5);
    expect(findings).toContain('coordinates_swapped A1 location');
    expect(findings).toContain('description_with_phone A2 description/uk');
    expect(findings).toContain('description_with_web_address A2 description/uk');
  });

  test('the same gzipped: the same report', async () => {
    expect(await checked(gzipSync(feed))).toEqual(await checked(feed));
  });

  test('a feed of this service: its format, and its types and features are known', async () => {
    const golden = await readFile(
      join(import.meta.dirname, '../../worker/feed/golden/feed-v3.xml'),
      'utf8',
    );
    const report = await checked(golden);
    expect(report).toMatchObject({ format: 'resales', summary: { properties: 4 }, rejected: 0 });
    expect(report.rules.map(({ code }) => code)).not.toContain('type_unknown');
  });

  test('an export: its own vocabulary is used', async () => {
    const documents = [
      ...VOCABULARY,
      property('E1', { features: ['Sea'], texts: { uk: { description: 'Text' } } }),
    ];
    const report = await checked(
      documents.map((document) => `${JSON.stringify(document)}\n`).join(''),
    );
    expect(report).toMatchObject({ format: 'ndjson', summary: { properties: 1 } });
    expect(report.rules.map(({ code }) => code)).not.toContain('type_unknown');
  });

  test('no record that can be read: exit code 3, and as many errors as records', async () => {
    const report = await checked(
      kyeroFeed([kyeroRecord('', { ref: null }), kyeroRecord('', { ref: null })]),
    );
    expect(report).toMatchObject({ rejected: 2, summary: { properties: 0, error: 2 } });
    expect((await runOffline(['check', join(directory, 'feed')])).out).toContain(
      '0 properties checked: 2 errors, ',
    );
  });

  test('no records: exit code 3, and one error', async () => {
    expect(await checked(kyeroFeed([]))).toMatchObject({
      rejected: 0,
      summary: { properties: 0, error: 1 },
    });
    const { out, exit } = await runOffline(['check', join(directory, 'feed')]);
    expect([exit, out]).toEqual([
      3,
      expect.stringMatching(/^The file has no properties.\n0 properties checked: 1 error, /),
    ]);
  });

  test('a record whose energy rating is missing, or is "Processing": only the first lacks it', async () => {
    const energy = (rating: string | null) => ({ country: 'Spain', energy_rating: rating });
    const report = await checked(
      kyeroFeed([kyeroRecord('A1', energy(null)), kyeroRecord('A2', energy('Processing'))]),
    );
    expect(
      findingsOf(report).filter((finding) => finding.startsWith('energy_rating_missing')),
    ).toEqual(['energy_rating_missing A1 energy_rating']);
  });

  test('--links: requests each address once, and finds those that no longer exist', async () => {
    const requests: string[] = [];
    const { origin, stop } = await listen(({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      response
        .writeHead(url === '/gone.jpg' ? 410 : url === '/no-head' && method === 'HEAD' ? 404 : 200)
        .end();
    });
    const images = ['1.jpg', 'gone.jpg'].map(
      (name, index) => `<image id="${index}"><url>${origin}/${name}</url></image>`,
    );
    const urls = `<en>${origin}/no-head</en><es>${origin}/no-head</es>`;
    try {
      const report = await checked(
        kyeroFeed([kyeroRecord('A1', { url: urls, images: images.join('') })]),
        [...['--links', '--rule', 'link_gone']],
      );
      expect(report.properties).toEqual([
        {
          id: 'A1',
          findings: [
            { rule: 'link_gone', node: 'images/image[2]/url', value: `410 ${origin}/gone.jpg` },
          ],
        },
      ]);
      expect(requests.toSorted()).toEqual([
        'GET /gone.jpg',
        'GET /no-head',
        'HEAD /1.jpg',
        'HEAD /gone.jpg',
        'HEAD /no-head',
      ]);
    } finally {
      await stop();
    }
  });

  test('--rule and --severity: nothing else; exit code 0 if there is no error', async () => {
    const readable = kyeroFeed([
      kyeroRecord('A2', { desc: '<en>Call 952 123 456 for this lovely house</en>' }),
    ]);
    const report = await checked(readable, ['--rule', 'description_with_phone'], 0);
    expect(findingsOf(report)).toEqual(['description_with_phone A2 description/uk']);
    expect((await checked(feed, ['--severity', 'error'])).summary).toMatchObject({
      warning: 0,
      info: 0,
    });
  });

  test('as text: what is wrong, what to do, and where', async () => {
    const { out, exit } = await runOffline([
      'check',
      join(directory, 'feed'),
      '--rule',
      'no_price',
    ]);
    expect(exit).toBe(3);
    expect(out).toMatch(/^1 record cannot be read:\n.*\n2 properties checked: 1 error, /);
    expect(out).toMatch(/\nwarning no_price: 1 property\n {2}.*\n {4}A1 {2}price\n/);
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
