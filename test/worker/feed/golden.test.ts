import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { KYERO } from '../../../src/feed/formats/kyero/format.ts';
import { RESALES } from '../../../src/feed/formats/resales/format.ts';
import { FIELDS } from '../../../src/portfolio/property-fields.ts';
import { FULL, property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { fetchFeed, fetchKyero } from '../../support/documents/feed.ts';

const TIMES = { sale_updated_at: '2026-03-04T05:06:07Z', rental_updated_at: '2026-02-03T04:05:06Z' };

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'GOLDEN', name: 'Golden', password: 'golden' });
  await writePortfolio(env.DB, id, [
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
    property('4', { ...TIMES, offers: { short_term: { low: null, high: null } }, status: 'Under Offer' }),
    property('5', { ...TIMES, status: 'Withdrawn' }),
    property('6', { ...TIMES, offers: { short_term: { low: 910, high: null } } }),
  ]);
});

test('the first property has a value in every field that has a node: another node changes its documents', async () => {
  const row = await env.DB.prepare(
    "SELECT * FROM properties WHERE identifier = '1' AND account_id = (SELECT id FROM accounts WHERE code = 'GOLDEN')",
  ).first();
  const empty = FIELDS.filter(([column, { node }]) => node !== undefined && !row![column]);
  expect(
    empty.map(([column]) => column),
    'Give FULL a value in these',
  ).toEqual([]);
});

const EVERYTHING = { AR: 'TRUE', ARP: 'TRUE', ShowRTA: 'TRUE', DisplayListingDate: 'TRUE', VT: '2' };

async function golden(query: Readonly<Record<string, string>>): Promise<string> {
  const { status, xml } = await fetchFeed({ U: 'OWNPROPERTIES@GOLDEN', P: 'golden', ...query });
  expect(status).toBe(200);
  return xml;
}

test.each(['1', '2', '3'])('GET every node of version %s: 200, the golden document', async (FV) => {
  const xml = await golden({ FV, ...EVERYTHING });
  await expect(xml.replaceAll('><', '>\n<')).toMatchFileSnapshot(`golden/feed-v${FV}.xml`);
});

/** SHA-256 of the documents of the first format below, by document format. A format keeps its digest; changed bytes are a new format. */
const DIGESTS: Readonly<Record<number, string>> = {
  4: 'e79baf20e3da1142eea7ab2ee9dd4e0cede6c136a5fd9eb3929c5602e0175ae7',
  // The same, since no price here is negative.
  6: 'a9eb7aa51bebe7d4b8b72762a6160c7828f9cb822cd6f0d75f54568bb711d847',
  5: 'a9eb7aa51bebe7d4b8b72762a6160c7828f9cb822cd6f0d75f54568bb711d847',
};

test('documents of the golden account: those of its documentFormat, which changes whenever a byte of them does', async () => {
  const digest = createHash('sha256');
  for (const FV of ['1', '2', '3']) {
    for (const query of [
      {},
      EVERYTHING,
      { T: 'SALE' },
      { T: 'RENT', ARP: 'TRUE' },
      { ST: 'TRUE', NPT: 'TRUE', IC: '1', VT: '1' },
      { ER_Show: 'TRUE', Language: '1,2,3,4,5,6,7,8,9,10' },
      { ER_ShowAll: 'TRUE', OnlyAvailable: 'TRUE', VT: '0' },
    ]) {
      digest.update(await golden({ FV, ...query }));
    }
  }
  expect(digest.digest('hex')).toBe(DIGESTS[RESALES.documentFormat]);
});

async function goldenKyero(query: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, xml } = await fetchKyero({ U: 'OWNPROPERTIES@GOLDEN', P: 'golden', ...query });
  expect(status).toBe(200);
  return xml;
}

test.each([
  ['kyero', {}],
  ['kyero-extended', { Extended: 'TRUE', ShortTerm: 'TRUE' }],
])('GET every node of %s: 200, the golden document', async (name, query: Record<string, string>) => {
  const xml = await goldenKyero(query);
  await expect(xml.replaceAll('><', '>\n<')).toMatchFileSnapshot(`golden/${name}.xml`);
});

/** The same for the Kyero format. */
const KYERO_DIGESTS: Readonly<Record<number, string>> = {
  4: '1eff80b7392c96f0057f745f629171d4d269f63a638f89206e850c2beb852aff',
  // Types have Kyero's names; that of the golden account is the same as before.
  3: '36bbab11b6302871020956e0e55f327721a3a6296ae58f2c1b10ac8e4e40d68f',
  2: '36bbab11b6302871020956e0e55f327721a3a6296ae58f2c1b10ac8e4e40d68f',
  1: '8f46c992060693c3bdff1412da599e8ac291b9e05c79ca2558f223498a830540',
};

test('documents of the golden account as Kyero: those of its documentFormat', async () => {
  const digest = createHash('sha256');
  for (const query of [
    {},
    { Extended: 'TRUE', ShortTerm: 'TRUE' },
    { T: 'RENT', Language: '2,9' },
    { OnlyAvailable: 'TRUE', IC: '1' },
  ]) {
    digest.update(await goldenKyero(query as Record<string, string>));
  }
  expect(digest.digest('hex')).toBe(KYERO_DIGESTS[KYERO.documentFormat]);
});
