import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { findAccountId } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { PICTURES_PATH, servePicture } from '../../../src/demo/pictures.ts';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import { passwordMatches, sha256Hex } from '../../../src/lib/secrets.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import type { PropertyDocument, UnitDocument } from '../../../src/portfolio/documents.ts';
import { demoAgency, otherAgency, seedDemo } from '../../support/portfolio.ts';

const demo = demoAgency();
const properties = demo.documents.filter((document): document is PropertyDocument => document.kind === 'property');
const units = demo.documents.filter((document): document is UnitDocument => document.kind === 'unit');

test('the demo agencies are generated identically each time', () => {
  expect(demoAgency()).toEqual(demo);
  expect(otherAgency()).toEqual(otherAgency());
});

test('DEMO has every combination of offers, status, rented and websites', () => {
  const combinations = new Set(
    properties
      .filter(({ status }) => status !== 'Sold' && status !== 'Withdrawn')
      .map((p) =>
        JSON.stringify([
          [p.offers.sale !== null, p.offers.long_term !== null, p.offers.short_term !== null],
          [p.status, p.rented, p.on_own_website, p.on_other_websites],
        ]),
      ),
  );
  expect(properties.length).toBeGreaterThanOrEqual(240);
  expect(combinations.size).toBeGreaterThanOrEqual(7 * 3 * 2 * 4);
});

const shown = (p: PropertyDocument) => p.status !== 'Sold' && p.status !== 'Withdrawn';
const shortTerm = (p: PropertyDocument) => p.offers.short_term;

test.each<[string, (p: PropertyDocument) => boolean]>([
  ['with a terrace', (p) => p.terrace_area !== null],
  ['without a terrace', (p) => p.terrace_area === null],
  ['with a low and a high price', (p) => shortTerm(p)?.low != null && shortTerm(p)?.high != null],
  ['with only a low price', (p) => shortTerm(p)?.low != null && shortTerm(p)?.high === null],
  ['with only a high price', (p) => shortTerm(p)?.low === null && shortTerm(p)?.high != null],
  ['with a rental licence', (p) => shortTerm(p)?.license != null],
  ['without a rental licence', (p) => shortTerm(p)?.license === null],
  ['with no energy rating', (p) => p.emissions === 'X' && p.consumption === 'X'],
  ['with different energy letters', (p) => p.emissions !== 'X' && p.emissions !== p.consumption],
  ['with no tour', (p) => p.virtual_tour_url === null && p.video_url === null],
  ['with only a virtual tour', (p) => p.virtual_tour_url !== null && p.video_url === null],
  ['with only a video', (p) => p.virtual_tour_url === null && p.video_url !== null],
  ['with both tours', (p) => p.virtual_tour_url !== null && p.video_url !== null],
  ['without pictures', (p) => p.pictures.length === 0],
  ['with 60 pictures', (p) => p.pictures.length === 60],
  ['with an ampersand in a URL', (p) => p.pictures.some((url) => url.includes('&'))],
  ['with baths and a toilet', (p) => p.bath % 1 === 0.5],
  ['with a minimum price', (p) => (p.offers.sale?.minimum_price ?? 0) > 0],
  ['without a minimum price', (p) => p.offers.sale?.minimum_price === 0],
  ['on request', (p) => p.offers.sale !== null && p.offers.sale.price === null],
  ['without coordinates', (p) => p.location === null],
  ['without texts', (p) => Object.keys(p.texts).length === 0],
  ['in ten languages', (p) => Object.keys(p.texts).length === 10],
  ['without features', (p) => p.features.length === 0],
  ['listed at the same time as another', (p) => properties.some((q) => q !== p && q.listed_at === p.listed_at)],
  ...['&', '<', '>', '"', "'", ']]>', '\r\n', '\u0000', '\ufffe', '🏖️'].map(
    (text): [string, (p: PropertyDocument) => boolean] => [
      `with ${JSON.stringify(text)} in a text`,
      (p) => Object.values(p.texts).some(({ description }) => description?.includes(text)),
    ],
  ),
])('DEMO has a property %s', (_, is) => {
  expect(properties.filter(shown).some(is)).toBe(true);
});

test('descriptions in DEMO have 300 to 3,000 characters', () => {
  for (const { texts } of properties) {
    for (const text of Object.values(texts)) {
      expect(text.description?.length).toBeGreaterThanOrEqual(300);
      expect(text.description?.length).toBeLessThanOrEqual(3000);
    }
  }
});

test('types, categories and features have labels in ten languages', () => {
  for (const document of demo.documents) {
    if ('labels' in document) expect(Object.keys(document.labels)).toEqual(LANGUAGES.map(({ element }) => element));
  }
});

test('DEMO has three developments of 20 units, in every status, most of them with a property', () => {
  const developments = demo.documents.filter(({ kind }) => kind === 'development');
  expect(developments).toHaveLength(3);
  for (const development of developments) {
    const own = units.filter((unit) => 'id' in development && unit.development === development.id);
    expect(own).toHaveLength(20);
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set([1, 2, 4, 8]));
    const names = new Set(
      properties.flatMap(({ unit }) => (unit?.development === own[0]?.development ? [unit?.name] : [])),
    );
    expect(names.size).toBe(18);
  }
});

test('seeding twice: creates the demo agencies and their clients once, and then changes nothing', async () => {
  expect(await seedDemo(env.DB)).toEqual(['DEMO', 'OTHER']);
  expect(await seedDemo(env.DB)).toEqual([]);
  for (const agency of [demo, otherAgency()]) {
    const id = (await findAccountId(env.DB, agency.account.code.toLowerCase()))!;
    expect(await writePortfolio(env.DB, id, agency.documents)).toEqual({
      written: 0,
      unchanged: agency.documents.length,
    });
    const account = await env.DB.prepare('SELECT password FROM accounts WHERE id = ?')
      .bind(id)
      .first<string>('password');
    expect(await passwordMatches(agency.account.password, account!)).toBe(true);
    const client = await env.DB.prepare('SELECT id, secret, scopes FROM clients WHERE account_id = ?').bind(id).first();
    expect(client).toEqual({
      id: agency.clients[0]?.id,
      secret: sha256Hex(agency.clients[0]?.secret ?? ''),
      scopes: SCOPES.join(' '),
    });
  }
});

const pictures = new Hono().get(PICTURES_PATH, servePicture);

test.each(properties.find(({ pictures }) => pictures.length > 9)?.pictures.slice(0, 9) ?? [])(
  'GET %s: 200 with a picture',
  async (url) => {
    const response = await pictures.request(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(await response.text()).toMatch(/^<svg .*<\/svg>$/s);
  },
);

test.each(['../secret.svg', 'A.svg', 'a.png', '%3Cscript%3E.svg'])('GET /demo/pictures/%s: 404', async (file) => {
  expect((await pictures.request(`/demo/pictures/${file}`)).status).toBe(404);
});
