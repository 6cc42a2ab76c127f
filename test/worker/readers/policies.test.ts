import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { mayGet, READER_KINDS, RESTRICTIONS } from '../../../src/properties/restrictions.ts';
import { canonicalRules } from '../../../src/properties/selection/rules.ts';
import { newReader } from '../../../src/readers/api/reader.ts';
import {
  movedPlace,
  PLACES,
  policyIn,
  policyName,
  policyText,
  WITHHOLDABLE,
} from '../../../src/readers/policy.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call as callApi } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';
import { page, signIn, textOf } from '../console/visitor.ts';

/** Fields that can be withheld and that are texts. Five digits alone would occasionally occur in the id of a request. */
const TEXTS = {
  postcode: 'PO-93021',
  cadastral_ref: 'CADASTRE1',
  virtual_tour_url: 'https://tour.example/t',
  video_url: 'https://video.example/v',
  commission: 'five of a hundred',
  address: 'Calle Secreta 8',
  floor: 'seventh',
  email: 'vendor@private.example',
  notes: 'keys with the porter',
};

/** What each name withholds, with a value that occurs nowhere else. */
const SECRETS: Readonly<Record<string, string>> = {
  ...TEXTS,
  price_minimum: '271828',
  rental_licence: 'VT-LICENCE',
  // Rules round places to four digits.
  location: '36.7123',
  url: 'https://page.example/p',
};

const WHOLE = property('SECRET', {
  built_area: 120,
  beds: 3,
  bath: 2,
  offers: {
    sale: { price: 300_000, minimum_price: 271_828 },
    short_term: { low: 500, high: 900, license: 'VT-LICENCE' },
  },
  ...TEXTS,
  location: { latitude: 36.71234, longitude: -4.41234 },
  texts: { uk: { description: 'A house.', url: 'https://page.example/p' } },
});

/** A development at the same place, with a unit. */
const NEW_DEVELOPMENT = [
  parseDocument({
    kind: 'development',
    id: 'sol',
    name: 'Sol',
    details: {
      location: WHOLE.location,
      address: WHOLE.address,
      postcode: WHOLE.postcode,
      town: 'Nerja',
    },
  }),
  parseDocument({ kind: 'unit', development: 'sol', name: 'A', status: 1, price: 200_000 }),
  property('UNIT', { unit: { development: 'sol', name: 'A' }, built_area: 80, beds: 2, bath: 1 }),
];

/** More listings at the same place than a rule takes for right: it reports the place. */
const CROWD = Array.from({ length: 21 }, (_, index) =>
  property(`CROWD${index}`, { location: WHOLE.location, beds: index }),
);

/** A listing that may not go to some readers, and what must not reach them. */
const RESTRICTED = (restrictions: readonly string[]) =>
  property('FORBIDDEN', {
    ...WHOLE,
    id: 'FORBIDDEN',
    ref: 'FORBIDDEN-REF',
    town: 'Ojén',
    restrictions: [...restrictions],
    channels: [],
  });

/** Rules that select all but this listing, and rules that select it, too. */
const WITHOUT_IT = [{ exclude: ['FORBIDDEN'] }, { towns: ['Marbella'] }];
const WITH_IT = [
  null,
  { towns: ['Marbella', 'Ojén'] },
  { towns: ['Nerja'], include: ['FORBIDDEN', 'SECRET', 'UNIT'] },
];

const QUERIES = [
  'FV=3&ShowRTA=TRUE&AR=TRUE&ARP=TRUE',
  'FV=3&DisplayListingDate=TRUE',
  'FV=2&LocationVersion=2',
  '',
];
const KYERO = ['Extended=TRUE&ShortTerm=TRUE', ''];
const IDEALISTA = [`CustomerCode=ilc${'a1'.repeat(20)}`];

let accounts = 0;
const logged: string[] = [];

beforeEach(() => {
  logged.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(String(line)));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function reader(accountId: number, policy: string, preset = ''): Promise<string> {
  const created = newReader({
    accountId,
    name: `r${++accounts}`,
    preset,
    fixed: false,
    channelId: null,
    policy,
  });
  if ('errors' in created) throw new Error('The preset is invalid');
  await createReader(env.DB, created.reader);
  return created.key;
}

/** Everything that a key reaches, as one text; from an address of its own, since checks of credentials from one are limited. */
async function reachable(code: string, key: string): Promise<string> {
  const texts: string[] = [];
  const login = `U=OWNPROPERTIES@${code}&P=${key}`;
  const feeds = [
    ...QUERIES.map((query) => `/CreateXMLFeedV3.asp?${login}&${query}`),
    ...KYERO.map((query) => `/kyero.xml?${login}&${query}`),
    ...IDEALISTA.map((query) => `/idealista.json?${login}&${query}`),
  ];
  const from = { 'CF-Connecting-IP': `10.0.${accounts >> 8}.${accounts & 255}` };
  for (const path of [...feeds, ...feeds]) texts.push(textOf(await ask(path, { headers: from })));
  const Authorization = `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`;
  texts.push(textOf(await ask('/v1/changes', { headers: { ...from, Authorization } })));
  const cookie = await signIn(code, key, from);
  const pages = ['/feed', '/feed?record=SECRET', '/feed?find=FORB', '/report', '/report.csv'];
  for (const path of pages) texts.push(textOf(await page(path, cookie)));
  return texts.join('\n');
}

/** The cached parts of parameter sets with this policy and no more, uncompressed. */
async function cachedUnder(policy: string): Promise<string> {
  const { keys } = await env.SNAPSHOTS.list();
  const texts = keys
    .filter(
      ({ name }) =>
        name.endsWith(`&${policyName(policy)}`) &&
        !/&(withhold|place|kind)=/.test(name.slice(0, -policyName(policy).length - 1)),
    )
    .map(async ({ name }) => {
      const body = new Blob([(await env.SNAPSHOTS.get(name, 'arrayBuffer'))!]).stream();
      return new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();
    });
  return (await Promise.all(texts)).join('\n');
}

describe('a reader with a policy', () => {
  test('every field that can be withheld is tried here', () => {
    expect(Object.keys(SECRETS).toSorted()).toEqual([...WITHHOLDABLE].toSorted());
  });

  test('any policy and kind: a withheld value, or a listing that may not go there, occurs in no feed, change, page, log line or cache entry; all others do', async () => {
    const code = `POLICY${++accounts}`;
    const id = await openAccount(env.DB, code);
    // A random secret occasionally moves a place due east, and then its latitude, which is looked for below, stays the same.
    await env.DB.prepare("UPDATE accounts SET place_secret = 'fixed' WHERE id = ?").bind(id).run();
    const { latitude, longitude } = movedPlace(WHOLE.location!, 'fixed');
    expect([latitude, longitude]).toEqual([36.71349, -4.41473]);
    await store(env.DB, id, [...VOCABULARY, WHOLE, ...CROWD, ...NEW_DEVELOPMENT]);
    const everything = await reachable(code, await reader(id, ''));
    const shown = Object.entries(SECRETS).filter(([, value]) => everything.includes(value));
    expect(shown.map(([name]) => name)).toEqual(
      expect.arrayContaining(['price_minimum', 'location', 'notes', 'url']),
    );
    const policies = fc.record({
      withhold: fc.subarray([...WITHHOLDABLE]),
      place: fc.constantFrom(...PLACES),
      kind: fc.constantFrom(null, ...READER_KINDS),
      selection: fc.constantFrom(...WITH_IT, ...WITHOUT_IT),
    });
    const all = [...RESTRICTIONS];
    await fc.assert(
      fc.asyncProperty(
        policies,
        fc.subarray(all, { minLength: 1 }),
        async (policy, restrictions) => {
          const text = policyText(policy);
          expect(policyIn(text)).toEqual({
            withhold: WITHHOLDABLE.filter((name) => policy.withhold.includes(name)),
            place: policy.place,
            kind: policy.kind,
            selection: canonicalRules(policy.selection) ?? undefined,
          });
          fc.pre(text !== '');
          await env.DB.prepare(
            "DELETE FROM properties WHERE account_id = ? AND identifier = 'FORBIDDEN'",
          )
            .bind(id)
            .run();
          await store(env.DB, id, [RESTRICTED(restrictions)]);
          logged.length = 0;
          const found = await reachable(code, await reader(id, text));
          const everywhere = [found, await cachedUnder(text), ...logged].join('\n');
          const isSelected = WITH_IT.some((rules) => rules === policy.selection);
          if (isSelected && mayGet(policy.kind, restrictions))
            expect(found).toContain('FORBIDDEN-REF');
          else expect(everywhere).not.toContain('FORBIDDEN');
          for (const [name, value] of Object.entries(SECRETS)) {
            const isWithheld =
              policy.withhold.includes(name) || (name === 'location' && policy.place !== 'exact');
            if (isWithheld) expect(everywhere, name).not.toContain(value);
            else if (everything.includes(value)) expect(found, name).toContain(value);
          }
        },
      ),
      { numRuns: Math.ceil(env.FUZZ.cases / 40), seed: env.FUZZ.seed },
    );
  });

  test('a reader for rent alone: a sale price that all listings share occurs in no feed, change and page', async () => {
    const code = `POLICY${++accounts}`;
    const id = await openAccount(env.DB, code);
    const alike = Array.from({ length: 10 }, (_, index) =>
      property(`ALIKE${index}`, {
        offers: { sale: { price: 314_159 }, long_term: { rent: 1_000 + index } },
      }),
    );
    await store(env.DB, id, [...VOCABULARY, ...alike]);
    expect(await reachable(code, await reader(id, '', 'T=SALE'))).toContain('314159 (×10)');
    expect(await reachable(code, await reader(id, '', 'T=RENT'))).not.toMatch(/314[.,]?159/);
  });

  test('GET /feed?find=… with a text that is withheld: nothing is found', async () => {
    const code = `POLICY${++accounts}`;
    const id = await openAccount(env.DB, code);
    await store(env.DB, id, [...VOCABULARY, WHOLE]);
    const key = await reader(id, policyText({ withhold: WITHHOLDABLE }));
    const cookie = await signIn(code, key, { 'CF-Connecting-IP': '10.9.0.1' });
    for (const text of Object.values(SECRETS)) {
      const found = textOf(await page(`/feed?find=${encodeURIComponent(text)}`, cookie));
      expect([text, found.includes('record=SECRET')]).toEqual([text, false]);
    }
    expect(textOf(await page('/feed?find=SECRET', cookie))).toContain('record=SECRET');
  });

  test('readers with the same policy share snapshots; moved places are the same for all, 200 to 400 m away', async () => {
    const code = `POLICY${++accounts}`;
    const id = await openAccount(env.DB, code);
    await store(env.DB, id, [...VOCABULARY, WHOLE]);
    const feed = async (key: string) => {
      const { text, headers } = await ask(
        `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${key}&FV=3`,
      );
      const place = /<latitude>(.*?)<\/latitude><longitude>(.*?)<\/longitude>/.exec(text)!;
      return { cache: headers.get('Cache-Status'), place: place.slice(1).map(Number) };
    };
    const key = await reader(id, 'place=moved');
    const first = await feed(key);
    const Authorization = `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`;
    const { changes } = JSON.parse((await ask('/v1/changes', { headers: { Authorization } })).text);
    expect(Object.values(changes[0].property.location)).toEqual(first.place);
    const second = await feed(await reader(id, 'place=moved'));
    expect(second.place).toEqual(first.place);
    expect([first.cache, second.cache]).toEqual([
      expect.stringContaining('miss'),
      expect.stringContaining('hit'),
    ]);
    const [north, east] = [
      first.place[0]! - 36.71234,
      (first.place[1]! + 4.41234) * Math.cos((36.7 * Math.PI) / 180),
    ];
    expect(Math.hypot(north, east) * 111_320).toBeGreaterThan(195);
    expect(Math.hypot(north, east) * 111_320).toBeLessThan(405);
    expect(movedPlace({ latitude: 36.71234, longitude: -4.41234 }, 'another secret')).not.toEqual(
      first.place,
    );
  });

  test("POST, GET and PATCH /v1/readers: the account's policy unless the body has another; 422 for an unknown name", async () => {
    const agency = await openAgency(
      `POLICY${++accounts}`,
      ['A-1'],
      ['readers:write', 'readers:read'],
    );
    await env.DB.prepare('UPDATE accounts SET policy = ? WHERE id = ?')
      .bind('withhold=commission&place=moved', agency.accountId)
      .run();
    const token = await obtainToken(agency);
    const call = (method: string, path: string, body: unknown) =>
      callApi(method, path, body, withToken(token));
    const given = { withhold: ['url', 'cadastral_ref'], place: 'hidden' };
    for (const [method, path, body, stored] of [
      ['POST', '', { name: 'a' }, { withhold: ['commission'], place: 'moved' }],
      [
        'POST',
        '',
        { name: 'b', ...given },
        { withhold: ['cadastral_ref', 'url'], place: 'hidden' },
      ],
      ['PATCH', '/b', { withhold: [] }, { withhold: [], place: 'hidden' }],
      ['PATCH', '/b', { kind: 'social_media' }, { withhold: [], kind: 'social_media' }],
      ['PATCH', '/b', { kind: null }, { kind: null, selection: null }],
      [
        'PATCH',
        '/b',
        {
          selection: { types: ['villa', 'apartment', 'villa'], price: { min: 5 }, photographs: 0 },
        },
        { withhold: [], selection: { types: ['apartment', 'villa'], price: { min: 5 } } },
      ],
      [
        'PATCH',
        '/b',
        { selection: { price: { max: 9 }, towns: null, offers: ['short_term', 'sale'] } },
        { selection: { offers: ['sale', 'short_term'], price: { min: 5, max: 9 } } },
      ],
      ['PATCH', '/b', { place: 'exact' }, { selection: { price: { min: 5, max: 9 } } }],
    ] as const) {
      expect((await call(method, `/v1/readers${path}`, body)).body).toMatchObject(stored);
    }
    expect((await call('PATCH', '/v1/readers/b', { withhold: ['price'] })).status).toBe(422);
    for (const [selection, pointer] of [
      [{ price: { min: 10 } }, '/selection/price'],
      [{ town: ['Nerja'] }, '/selection/town'],
      [{ offers: ['rent'] }, '/selection/offers/0'],
    ] as const)
      expect((await call('PATCH', '/v1/readers/b', { selection })).body).toMatchObject({
        status: 422,
        errors: [{ pointer }],
      });
    expect((await call('PATCH', '/v1/readers/b', { selection: null })).body).toMatchObject({
      selection: null,
    });
    expect((await call('POST', '/v1/readers', { name: 'c', kind: 'portal' })).status).toBe(422);
  });

  test('GET /v1/properties/<id>/deliveries: a reader of a kind that the listing may not go to has the state not for its kind', async () => {
    const agency = await openAgency(`POLICY${++accounts}`, ['A-1'], ['readers:read']);
    await store(env.DB, agency.accountId, [...VOCABULARY, RESTRICTED(['not_abroad'])]);
    await reader(agency.accountId, 'kind=international_portal');
    await reader(agency.accountId, 'kind=national_portal');
    const headers = withToken(await obtainToken(agency));
    const { deliveries } = JSON.parse(
      textOf(await ask('/v1/properties/FORBIDDEN/deliveries', { headers })),
    );
    expect(deliveries.map(({ state }: { state: string }) => state)).toEqual([
      'not for its kind',
      'never delivered',
    ]);
  });
});
