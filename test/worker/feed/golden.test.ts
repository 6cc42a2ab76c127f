import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { FORMATS, SHOWN_FIELDS } from '../../../src/feed/formats/formats.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import { FULL, property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { fetchFeed, fetchKyero } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';

const TIMES = { updated_at: '2026-03-04T05:06:07Z' };

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'GOLDEN', name: 'Golden', password: 'golden' });
  await store(env.DB, id, [
    ...VOCABULARY,
    { kind: 'category', code: 'Orientation', labels: { uk: 'Orientation', es: 'Orientación' } },
    { kind: 'feature', code: 'South', category: 'Orientation', labels: { uk: 'South', es: 'Sur' } },
    { kind: 'development', id: 'sol', name: 'Sol & Mar' },
    {
      kind: 'unit',
      development: 'sol',
      name: 'A-1',
      status: 8,
      price: 315_000.5,
      directions: ['SE', ['N', 'sea side']],
    },
    { kind: 'unit', development: 'sol', name: 'A-2', status: 4, price: 1, directions: [] },
    property('1', { ...TIMES, ...FULL }),
    property('2', { ...TIMES, unit: { development: 'sol', name: 'A-1' }, features: ['South'] }),
    property('3', { ...TIMES, unit: { development: 'sol', name: 'A-2' } }),
    property('4', {
      ...TIMES,
      offers: { short_term: { low: null, high: null } },
      status: 'Under Offer',
    }),
    property('5', { ...TIMES, status: 'Withdrawn' }),
    property('6', { ...TIMES, offers: { short_term: { low: 910, high: null } } }),
  ]);
});

test('the first property has a value in every field that a format shows: another node changes its documents', () => {
  const shown = property('1', FULL) as unknown as Readonly<Record<string, unknown>>;
  const empty = SHOWN_FIELDS.filter((field) => [null, false, 0, ''].includes(shown[field] as null));
  expect(
    empty.filter((field) => !UNSHOWN_BY_XML.includes(field)),
    'Give FULL a value in these',
  ).toEqual([]);
});

/** What only filters read, or only Idealista shows. */
const UNSHOWN_BY_XML = ['rented', 'address', 'floor', 'energy_status'];

const EVERYTHING = {
  AR: 'TRUE',
  ARP: 'TRUE',
  ShowRTA: 'TRUE',
  DisplayListingDate: 'TRUE',
  VT: '2',
};

async function golden(query: Readonly<Record<string, string>>): Promise<string> {
  const { status, xml } = await fetchFeed({ U: 'OWNPROPERTIES@GOLDEN', P: 'golden', ...query });
  expect(status).toBe(200);
  return xml;
}

test.each(['1', '2', '3'])('GET every node of version %s: 200, the golden document', async (FV) => {
  const xml = await golden({ FV, ...EVERYTHING });
  await expect(xml.replaceAll('><', '>\n<')).toMatchFileSnapshot(`golden/feed-v${FV}.xml`);
});

const CHANGED =
  "Other bytes: raise the format's documentFormat, and state the received digest for it";

const QUERIES = [
  {},
  EVERYTHING,
  { T: 'SALE' },
  { T: 'RENT', ARP: 'TRUE' },
  { ST: 'TRUE', NPT: 'TRUE', IC: '1', VT: '1' },
  { ER_Show: 'TRUE', Language: '1,2,3,4,5,6,7,8,9,10' },
  { ER_ShowAll: 'TRUE', OnlyAvailable: 'TRUE', VT: '0' },
];

interface Golden {
  readonly queries: readonly Readonly<Record<string, string>>[];
  /** SHA-256 of these documents, by document format. A format keeps its digest; changed bytes are a new format. */
  readonly digests: Readonly<Record<number, string>>;
}

/** By the names of formats. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  resales: {
    queries: ['1', '2', '3'].flatMap((FV) => QUERIES.map((query) => ({ FV, ...query }))),
    digests: { 7: '44851ebf2f9f26c2f180eb41bd477d907f37d796be3e40ffef4ecb7dd917cf62' },
  },
  kyero: {
    queries: [
      {},
      { Extended: 'TRUE', ShortTerm: 'TRUE' },
      { T: 'RENT', Language: '2,9' },
      { OnlyAvailable: 'TRUE', IC: '1' },
    ],
    digests: { 5: '3505879a63e2a60a828f95608ada1fece855ef31e143ebffc75a1554e43bf61b' },
  },
  idealista: {
    queries: [{}, { T: 'RENT', Language: '2', ContactEmail: 'info@golden.es', IC: '1' }].map(
      (query) => ({ CustomerCode: `ilc${'0'.repeat(40)}`, ...query }),
    ),
    digests: { 6: '7feeb140828f6390583fbafcaa92b758434740a0a2688ca2d7a9e22e4bcbaf95' },
  },
};

test.each(FORMATS)(
  'documents of the golden account as $name: those of its documentFormat, which changes whenever a byte of them does',
  async ({ name, file, documentFormat }) => {
    const { queries, digests } = GOLDEN[name] ?? { queries: [], digests: {} };
    expect(queries, 'A new format: add queries to GOLDEN').not.toEqual([]);
    const digest = createHash('sha256');
    for (const query of queries) {
      const parameters = new URLSearchParams({
        U: 'OWNPROPERTIES@GOLDEN',
        P: 'golden',
        ...query,
      });
      const { status, text } = await ask(`/${file}?${parameters}`);
      expect(status, text).toBe(200);
      digest.update(text);
    }
    expect(digest.digest('hex'), CHANGED).toBe(digests[documentFormat]);
  },
);

async function goldenKyero(query: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, xml } = await fetchKyero({ U: 'OWNPROPERTIES@GOLDEN', P: 'golden', ...query });
  expect(status).toBe(200);
  return xml;
}

test.each([
  ['kyero', {}],
  ['kyero-extended', { Extended: 'TRUE', ShortTerm: 'TRUE' }],
])(
  'GET every node of %s: 200, the golden document',
  async (name, query: Record<string, string>) => {
    const xml = await goldenKyero(query);
    await expect(xml.replaceAll('><', '>\n<')).toMatchFileSnapshot(`golden/${name}.xml`);
  },
);
