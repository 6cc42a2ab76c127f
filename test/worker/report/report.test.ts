import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { updateAccount } from '../../../src/accounts/accounts.ts';
import { SHOWN_FIELDS } from '../../../src/feed/formats/formats.ts';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { newReader } from '../../../src/readers/api/reader.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { checkListings } from '../../../src/rules/check.ts';
import { LISTED_FIELDS, listedVocabulary, listingOfDocument } from '../../../src/rules/listing.ts';
import { makeReport, reportView } from '../../../src/rules/report.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { ask, failingWhen, type Use, watched } from '../../support/worker/ask.ts';
import { emptyCaches } from '../../support/worker/caches.ts';

const URL_OF_REPORT = 'https://feeds.example/v1/report';

interface ReportBody {
  readonly account: string;
  readonly summary: { readonly properties: number; readonly error: number };
  readonly rules: readonly {
    readonly code: string;
    readonly explanation: string;
    readonly fix: string;
  }[];
  readonly properties: readonly {
    readonly id: string;
    readonly findings: readonly {
      readonly rule: string;
      readonly node: string;
      readonly value: string;
    }[];
  }[];
}

function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
}

async function read(query: string, headers: Record<string, string>): Promise<ReportBody> {
  const { status, text } = await ask(URL_OF_REPORT + query, { headers });
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

async function codeOf(
  query: string,
  headers: Record<string, string>,
  bindings = env,
): Promise<[number, string]> {
  const { status, headers: sent, text } = await ask(URL_OF_REPORT + query, { headers }, bindings);
  expect(sent.get('Content-Type')).toBe('application/problem+json');
  return [status, JSON.parse(text).code];
}

test('rules look at nothing but what some feed shows: readers see reports on their feeds', () => {
  expect(SHOWN_FIELDS).toEqual(expect.arrayContaining([...LISTED_FIELDS]));
});

describe('GET /v1/report', () => {
  const documents = [
    property('P-GOOD', {
      pictures: ['https://a.es/1.jpg'],
      texts: { uk: { description: 'A house.'.repeat(30) } },
    }),
    property('P-PHONE', {
      texts: { uk: { description: `${'A house. '.repeat(30)} Call 952 123 456.` } },
      features: ['Sea'],
    }),
    property('P-SWAPPED', { location: { latitude: -4.8825, longitude: 36.5101 } }),
    property('P-SOLD', { status: 'Sold' }),
    property('P-WITHDRAWN', { status: 'Withdrawn' }),
    property('P-RENT', { offers: { long_term: { rent: 950.5 } }, on_own_website: false }),
  ];
  let agency: Agency;
  let owner: Record<string, string>;

  beforeAll(async () => {
    agency = await openAgency('REPORTS', [], SCOPES);
    owner = basic('OWNPROPERTIES@reports', 'demo');
    await store(env.DB, agency.accountId, documents);
  });

  test('with the password of the feed: 200, every listed property, whatever feeds show it, as the rules find it', async () => {
    const body = await read('', { Authorization: owner.Authorization!.replace('Basic', 'basic') });
    const vocabulary = listedVocabulary(
      VOCABULARY.filter((entry) => entry.kind === 'type' || entry.kind === 'feature'),
    );
    const listed = documents.filter(({ status }) => status !== 'Sold' && status !== 'Withdrawn');
    const now = Date.now() / 1000;
    const part = checkListings(
      listed.map((document) => ({ ...listingOfDocument(document, vocabulary), updatedAt: now })),
    );
    expect(body).toEqual({ account: 'REPORTS', ...reportView(makeReport([part], {}, now)) });
    expect(
      body.properties.find(({ id }) => id === 'P-PHONE')!.findings.map(({ rule }) => rule),
    ).toContain('description_with_phone');
  });

  test('with a token that has feeds:read: the same', async () => {
    const token = await obtainToken(agency);
    expect(await read('', withToken(token))).toEqual(await read('', owner));
  });

  test('?rule, ?severity, ?portal, ?format, ?property and ?languages: only what they name', async () => {
    const rules = async (query: string) => (await read(query, owner)).rules.map(({ code }) => code);
    expect(await rules('?rule=coordinates_swapped')).toEqual(['coordinates_swapped']);
    expect(await rules('?severity=error')).not.toContain('description_with_phone');
    expect(await rules('?portal=james-edition')).toContain('price_below_james_edition');
    expect(new Set(await rules('?format=idealista'))).toEqual(
      new Set(['idealista_built_area', 'idealista_beds', 'idealista_baths', 'idealista_place']),
    );
    expect(await rules('?languages=de')).toContain('description_missing_in_language');
    const { properties } = await read('?property=P-PHONE', owner);
    expect(properties.map(({ id }) => id)).toEqual(['P-PHONE']);
  });

  test('?reader: why its feed leaves properties out, what only its policy withholds included; no such reader: 400', async () => {
    const { accountId } = agency;
    for (const [name, policy] of [
      ['all', ''],
      ['hidden', 'place=hidden'],
    ] as const) {
      const created = newReader({
        accountId,
        name,
        preset: '',
        fixed: false,
        channelId: null,
        policy,
      });
      if ('errors' in created) throw new Error(JSON.stringify(created.errors));
      await createReader(env.DB, created.reader);
      // A reader's key is no password here.
      expect(await codeOf('', basic('OWNPROPERTIES@REPORTS', created.key))).toEqual([
        401,
        'bad_credentials',
      ]);
    }
    const places = async (query: string) => {
      const { properties } = await read(query, owner);
      return properties.flatMap(({ id, findings }) =>
        findings.some(({ rule }) => rule === 'idealista_place') ? [id] : [],
      );
    };
    expect(await places('?reader=all')).toEqual(await places('?format=idealista'));
    expect(await places('?reader=all')).not.toContain('P-SWAPPED');
    expect(await places('?reader=hidden&format=idealista')).toContain('P-SWAPPED');
    expect(await codeOf('?reader=nobody', owner)).toEqual([400, 'bad_parameter']);
    let [reading, most] = [0, 0];
    const isPage = ({ what }: Use) => Number(what.includes('p.document, p.pictures'));
    const bindings = watched(
      async (use) => {
        reading += isPage(use);
        most = Math.max(most, reading);
        await scheduler.wait(20);
      },
      (use) => {
        reading -= isPage(use);
      },
    );
    const request = () => ask(`${URL_OF_REPORT}?reader=all`, { headers: owner }, bindings);
    const answers = await Promise.all([request(), request(), request()]);
    expect([answers.map(({ status }) => status), most], 'at the same time').toEqual([
      [200, 200, 200],
      1,
    ]);
  });

  test.each([
    '?portal=zillow',
    '?format=kyero',
    '?severity=fatal',
    '?rule=none',
    '?languages=uk,xx',
  ])('%s: 400', async (query) => {
    expect(await codeOf(query, owner)).toEqual([400, 'bad_parameter']);
  });

  test('without credentials, or with wrong ones: 401', async () => {
    expect(await codeOf('', {})).toEqual([401, 'missing_token']);
    expect(await codeOf('', basic('OWNPROPERTIES@REPORTS', 'wrong'))).toEqual([
      401,
      'bad_credentials',
    ]);
    expect(await codeOf('', basic('OWNPROPERTIES@NOBODY', 'demo'))).toEqual([
      401,
      'bad_credentials',
    ]);
    expect(await codeOf('', basic('REPORTS', 'demo'))).toEqual([401, 'bad_credentials']);
  });

  test.each([
    ['without credentials', {}],
    ['with a wrong password', basic('OWNPROPERTIES@REPORTS', 'wrong')],
    ['with an invalid token', { Authorization: 'Bearer x' }],
  ])('%s: the 401 asks for a token or for the credentials of a feed', async (_, headers) => {
    const response = await ask('/v1/report', { headers });
    const challenges = response.headers.get('WWW-Authenticate');
    expect(challenges).toContain('Bearer realm="Lindero"');
    expect(challenges).toContain('Basic realm="Lindero", charset="UTF-8"');
  });

  test('D1 fails: 503 with Retry-After', async () => {
    invalidateManifests(agency.accountId);
    const failing = failingWhen(({ of }) => of === 'D1', 'D1_ERROR: broken');
    const other = basic('OWNPROPERTIES@REPORTS', 'not verified yet');
    expect(await codeOf('', other, failing)).toEqual([503, 'unavailable']);
  });

  test('a change is in the next report', async () => {
    await store(env.DB, agency.accountId, [
      property('P-SWAPPED', { location: { latitude: 36.5101, longitude: -4.8825 } }),
    ]);
    invalidateManifests(agency.accountId);
    expect((await read('', owner)).rules.map(({ code }) => code)).not.toContain(
      'coordinates_swapped',
    );
  });

  test('an account that is disabled: 401', async () => {
    const closed = await openAgency('REPORTS-CLOSED', []);
    await updateAccount(env.DB, closed.accountId, { disabled: true });
    expect(await codeOf('', basic('OWNPROPERTIES@REPORTS-CLOSED', 'demo'))).toEqual([
      401,
      'bad_credentials',
    ]);
  });
});

describe('a report on 20 segments', () => {
  let account: { readonly id: number; readonly code: string };
  let headers: Record<string, string>;

  beforeAll(async () => {
    const numbers = Array.from({ length: 20 }, (_, segment) => segment * 500 + 1);
    account = { ...(await sparseAccount('REPORT20', numbers)), code: 'REPORT20' };
    headers = basic('OWNPROPERTIES@REPORT20', 'secret');
  });

  test('first: every segment is checked and cached; again: none is, and nothing is written', async () => {
    const first = await ask(URL_OF_REPORT, { headers });
    expect(first.usage).toMatchObject({ kvReads: 0, kvWrites: 20 });
    invalidateManifests(account.id);
    const again = await ask(URL_OF_REPORT, { headers });
    expect(again.usage).toMatchObject({ roundTrips: 2, kvReads: 0, kvWrites: 0, rowsWritten: 0 });
    expect(again.bytes).toEqual(first.bytes);
  });

  test.each([
    ['the isolate has the others', 0],
    ['another isolate reads the others from the cache', 19],
  ])('after a change, one segment is checked again: %s', async (_, kvReads) => {
    await setPrice(account.id, 1, 77 + kvReads);
    invalidateManifests(account.id);
    if (kvReads > 0) emptyCaches();
    const { usage, bytes } = await ask(URL_OF_REPORT, { headers });
    expect(usage).toMatchObject({ kvReads, kvWrites: 1 });
    emptyCaches();
    expect((await ask(URL_OF_REPORT, { headers })).bytes).toEqual(bytes);
  });
});
