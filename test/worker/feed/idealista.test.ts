import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeFormatSettings } from '../../../src/accounts/accounts.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { addToChannel } from '../../../src/readers/channels.ts';
import { property, SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';
import { ask, watched } from '../../support/worker/ask.ts';

const CODE = `ilc${'a1'.repeat(20)}`;

interface Coded {
  readonly propertyCode: string;
}

let agencies = 0;
let agency: Agency;
let key: string;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(String(line)));
  }
  agency = await openAgency(`IDEALISTA${++agencies}`, ['A-1', 'A-2'], ['units:write']);
  await store(env.DB, agency.accountId, [
    {
      kind: 'type',
      code: 'villa',
      labels: { uk: { type: 'House', subtype: 'Villa', older_type: 'Villa' } },
    } as never,
    property('VILLA', {
      type: 'villa',
      offers: { sale: { price: 300_000 }, long_term: { rent: 1_200 } },
      location: { latitude: 36.7, longitude: -4.4 },
      beds: 3,
      bath: 2,
      built_area: 120,
      living_area: 100,
      pictures: ['https://pictures.example/1.jpg', 'https://pictures.example/2.jpg'],
      texts: { uk: { description: 'A house.\n\nWith a view.' } },
    }),
    property('UNKNOWN', { offers: { sale: { price: 1 } } }),
  ]);
  key = await openReader(
    agency.accountId,
    'idealista',
    `CustomerCode=${CODE}&ContactEmail=a@costa.es`,
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function get(path: string, init: RequestInit = {}) {
  const { status, text, headers } = await ask(path, init);
  return { status, headers, text, json: text === '' ? null : JSON.parse(text) };
}

const pathOf = (password = key) => `/feeds/${agency.code}/${password}/idealista.json`;

/** The feed a second after an update of a unit. */
async function feedAfter(UntPrice: number, UntStatus: number, UntName = 'A-1') {
  const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
  const given = { UntName, UntStatus, UntPrice, UntDirections: ['SW'] };
  expect((await call('POST', path, given, withToken(await obtainToken(agency)))).status).toBe(200);
  vi.setSystemTime(Date.now() + 1_000);
  return (await get(pathOf())).json;
}

describe('GET idealista.json', () => {
  test('with the key in the path: the customer and every property that is accepted; with its ETag: 304', async () => {
    const { status, headers, json } = await get(pathOf());
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(json).toEqual({
      customerCountry: 'Spain',
      customerCode: CODE,
      customerContact: { contactEmail: 'a@costa.es' },
      customerProperties: [
        {
          propertyCode: 'VILLA',
          propertyReference: expect.any(String),
          propertyVisibility: 'idealista',
          propertyAddress: expect.objectContaining({
            addressVisibility: 'full',
            addressCoordinatesLatitude: 36.7,
          }),
          propertyFeatures: {
            featuresType: 'house_independent',
            featuresAreaConstructed: 120,
            featuresAreaUsable: 100,
            featuresBathroomNumber: 2,
            featuresBedroomNumber: 3,
          },
          propertyDescriptions: [
            { descriptionLanguage: 'english', descriptionText: 'A house. With a view.' },
          ],
          propertyImages: [
            { imageOrder: 1, imageUrl: 'https://pictures.example/1.jpg' },
            { imageOrder: 2, imageUrl: 'https://pictures.example/2.jpg' },
          ],
          propertyOperation: { operationType: 'sale', operationPrice: 300_000 },
        },
        expect.objectContaining({
          propertyCode: 'VILLA',
          propertyOperation: { operationType: 'rent', operationPrice: 1_200 },
        }),
      ],
    });
    const etag = { 'If-None-Match': (await get(pathOf())).headers.get('ETag')! };
    expect((await get(pathOf(), { headers: etag })).status).toBe(304);
    expect(logged.join('\n')).not.toContain(key);
  });

  test('with the parameters in the URL: the same document; with others, what these select', async () => {
    const query = `U=OWNPROPERTIES@${agency.code}&P=${key}`;
    expect((await get(`/idealista.json?${query}`)).text).toBe((await get(pathOf())).text);
    const { customerProperties } = (await get(`/idealista.json?${query}&T=RENT&IC=1`)).json;
    expect(customerProperties).toMatchObject([
      { propertyCode: 'VILLA', propertyImages: [{ imageOrder: 1 }] },
    ]);
  });

  test('with a long address, every parameter and a policy: cached, and in the ledger; with another address: another feed', async () => {
    const policy =
      'withhold=rental_licence.cadastral_ref.virtual_tour_url.video_url.commission.floor.email.notes.url';
    await env.DB.prepare('UPDATE readers SET policy = ? WHERE account_id = ?')
      .bind(policy, agency.accountId)
      .run();
    const email = (first: string) =>
      `${first.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com`;
    const query =
      'ContactPhone=910000000&T=SALE&IC=999&Language=1,2,3,4,5,6,7,8&NW=TRUE&ExRented=TRUE&OnlyAvailable=TRUE';
    const read = (first: string) => get(`${pathOf()}?ContactEmail=${email(first)}&${query}`);
    expect((await read('a')).json.customerContact.contactEmail).toBe(email('a'));
    expect((await read('a')).headers.get('Cache-Status')).toContain('; hit');
    expect((await read('e')).json.customerContact.contactEmail).toBe(email('e'));
    const { results } = await env.DB.prepare(
      'SELECT feed FROM deliveries d JOIN readers r ON r.id = d.reader_id WHERE r.account_id = ?',
    )
      .bind(agency.accountId)
      .all();
    expect(results).toHaveLength(2);
    expect(logged.join('\n')).not.toMatch(/failed/);
  });

  test('without a customer code: 400 as JSON that says what is missing; a wrong key: 401 as JSON', async () => {
    const other = await openReader(agency.accountId, 'other');
    const { status, headers, json } = await get(pathOf(other));
    expect([status, headers.get('Content-Type'), json.error.code]).toEqual([
      400,
      'application/json',
      'bad_parameter',
    ]);
    expect(json.error.message).toContain('CustomerCode is missing');
    const wrong = await get(pathOf(`lindero_${'x'.repeat(32)}`));
    expect([wrong.status, wrong.json.error.code]).toEqual([401, 'bad_credentials']);
    expect(logged.join('\n')).not.toContain('lindero_');
  });

  test('what the account has stated: in the feeds of all readers within a second, unless their presets say otherwise', async () => {
    const other = `ilc${'b2'.repeat(20)}`;
    const plain = await openReader(agency.accountId, 'plain');
    const codes = async () => {
      vi.setSystemTime(Date.now() + 1_000);
      const query = `/idealista.json?U=OWNPROPERTIES@${agency.code}&P=demo`;
      const all = [await get(pathOf(plain)), await get(query), await get(pathOf())];
      return all.map(({ status, json }) => json.customerCode ?? status);
    };
    expect(await codes()).toEqual([400, 400, CODE]);
    await writeFormatSettings(
      env.DB,
      agency.accountId,
      'idealista',
      `CustomerCode=${other}&ContactPhone=910000000`,
    );
    expect(await codes()).toEqual([other, other, CODE]);
    const { json } = await get(pathOf());
    expect(json.customerContact).toEqual({
      contactEmail: 'a@costa.es',
      contactPrimaryPhoneNumber: '910000000',
    });
    const tag = (await get(pathOf(plain))).headers.get('ETag')!;
    expect((await get(pathOf(plain), { headers: { 'If-None-Match': tag } })).status).toBe(304);
    await writeFormatSettings(env.DB, agency.accountId, 'idealista', `CustomerCode=${CODE}`);
    expect(await codes()).toEqual([CODE, CODE, CODE]);
    expect((await get(pathOf(plain), { headers: { 'If-None-Match': tag } })).status).toBe(200);
  });

  test('a development with a place: its units are within it; a unit whose price changes, and that is sold, a second later', async () => {
    const details = {
      location: { latitude: 36.75, longitude: -3.9 },
      town: 'Nerja',
      stage: 'structure',
      starts_on: '2026-09-01',
      keys_in: '2028-06',
      finished: false,
      energy: 'in_process',
      texts: { uk: { description: 'Flats near the sea.' } },
      pictures: ['https://pictures.example/d.jpg'],
    };
    const unit = {
      beds: 2,
      bath: 1,
      built_area: 80,
      type: 'villa',
      offers: { sale: { price: 1 } },
    };
    await store(env.DB, agency.accountId, [
      parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas', details }),
      ...['A-1', 'A-2'].map((name) =>
        property(name.replace('A-', 'P'), { ...unit, unit: { development: DEVELOPMENT, name } }),
      ),
    ]);
    const update = async (...values: Parameters<typeof feedAfter>) => {
      const json = await feedAfter(...values);
      expect(json.customerProperties.map(({ propertyCode }: Coded) => propertyCode)).toEqual([
        'VILLA',
        'VILLA',
      ]);
      return json.customerNewDevelopments;
    };
    const [shown] = await update(250_000, 1);
    expect(shown).toEqual({
      propertyCode: DEVELOPMENT,
      propertyVisibility: 'idealista',
      propertyAddress: {
        addressVisibility: 'full',
        addressTown: 'Nerja',
        addressCountry: 'Spain',
        addressCoordinatesPrecision: 'exact',
        addressCoordinatesLatitude: 36.75,
        addressCoordinatesLongitude: -3.9,
      },
      propertyFeatures: {
        featuresType: 'promo',
        featuresNewDevelopmentType: 'new_building',
        featuresNewDevelopmentName: 'Las Lomas',
        featuresBuiltPhase: 'carpentry',
        featuresFinished: false,
        featuresStartDate: '2026/09/01',
        featuresKeyDeliveryYear: 2028,
        featuresKeyDeliveryMonth: 6,
        featuresEnergyCertificateRating: 'inProcess',
      },
      propertyDescriptions: [
        { descriptionLanguage: 'english', descriptionText: 'Flats near the sea.' },
      ],
      propertyImages: [{ imageOrder: 1, imageUrl: 'https://pictures.example/d.jpg' }],
      newDevelopmentTypologies: [
        expect.objectContaining({
          propertyCode: 'P1',
          propertyOperation: { operationType: 'sale', operationPrice: 250_000 },
          propertyFeatures: expect.objectContaining({
            featuresOrientationSouth: true,
            featuresOrientationWest: true,
          }),
        }),
        expect.objectContaining({ propertyCode: 'P2' }),
      ],
    });
    const codes = (of: typeof shown) =>
      of.newDevelopmentTypologies.map(({ propertyCode }: Coded) => propertyCode);
    expect(codes((await update(260_000, 4))[0])).toEqual(['P2']);
    expect(await update(260_000, 4, 'A-2')).toBeUndefined();
    expect(codes((await update(240_000, 1))[0])).toEqual(['P1']);
    const before = await get(pathOf());
    await store(env.DB, agency.accountId, [
      parseDocument({
        kind: 'development',
        id: DEVELOPMENT,
        name: 'Las Lomas',
        details: { ...details, finished: true },
      }),
    ]);
    vi.setSystemTime(Date.now() + 1_000);
    const after = await get(pathOf());
    expect(after.json.customerNewDevelopments[0].propertyFeatures.featuresFinished).toBe(true);
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
  });

  test('a development that gets a place, and loses it: its unit is within it, then among the properties, and once each time', async () => {
    const unit = { development: DEVELOPMENT, name: 'A-1' };
    const common = {
      beds: 2,
      bath: 1,
      built_area: 80,
      type: 'villa',
      location: { latitude: 36, longitude: -4 },
    };
    await store(env.DB, agency.accountId, [
      property('P1', { ...common, unit, offers: { sale: { price: 1 } } }),
    ]);
    const codes = async (details: object) => {
      const development = { kind: 'development', id: DEVELOPMENT, name: 'Las Lomas', details };
      await store(env.DB, agency.accountId, [parseDocument(development)]);
      vi.setSystemTime(Date.now() + 1_000);
      const { customerProperties, customerNewDevelopments = [] } = (await get(`${pathOf()}?T=SALE`))
        .json;
      const units = customerNewDevelopments.flatMap(
        (one: { newDevelopmentTypologies: Coded[] }) => one.newDevelopmentTypologies,
      );
      return [customerProperties, units].map((list: Coded[]) =>
        list.map(({ propertyCode }) => propertyCode),
      );
    };
    const [among, within] = [
      [['P1', 'VILLA'], []],
      [['VILLA'], ['P1']],
    ];
    expect(await codes({})).toEqual(among);
    expect(await codes({ location: { latitude: 36.75, longitude: -3.9 } })).toEqual(within);
    expect(await codes({ address: 'Calle Sol 1' })).toEqual(among);
    expect(await codes({ address: 'Calle Sol 1', town: 'Nerja' })).toEqual(within);
  });

  test.each([
    ['within', 'among'],
    ['among', 'within'],
  ])(
    'a property moves from %s a development to %s the others while the feed is built: it is there once',
    async (from) => {
      const common = {
        beds: 2,
        bath: 1,
        built_area: 80,
        type: 'villa',
        location: { latitude: 36, longitude: -4 },
      };
      const unit = { development: DEVELOPMENT, name: 'A-1' };
      const details = { location: { latitude: 36.75, longitude: -3.9 } };
      const home = (isUnit: boolean) =>
        property('P1', { ...common, unit: isUnit ? unit : null, offers: { sale: { price: 1 } } });
      await store(env.DB, agency.accountId, [
        parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas', details }),
        home(from === 'within'),
        property('P2', {
          ...common,
          unit: { ...unit, name: 'A-2' },
          offers: { sale: { price: 1 } },
        }),
      ]);
      let hasMoved = false;
      // The part of the development is read after that of the other properties.
      const bindings = watched(async ({ of, what }) => {
        if (
          of !== 'D1' ||
          !what.includes('development_id = ') ||
          !what.includes('fits') ||
          hasMoved
        )
          return;
        hasMoved = true;
        await store(env.DB, agency.accountId, [home(from !== 'within')]);
      });
      const { status, text } = await ask(`${pathOf()}?T=SALE`, {}, bindings);
      expect([status, hasMoved]).toEqual([200, true]);
      expect(text.match(/"propertyCode":"P[12]"/g)?.sort()).toEqual([
        '"propertyCode":"P1"',
        '"propertyCode":"P2"',
      ]);
    },
  );

  test('Last-Modified: of the last change', async () => {
    await env.DB.prepare('UPDATE accounts SET changed_at = 98 WHERE id = ?')
      .bind(agency.accountId)
      .run();
    expect((await get(pathOf())).headers.get('Last-Modified')).toBe(
      new Date(100_000).toUTCString(),
    );
  });

  test('a channel: a development with a unit of it changes the document, and so do its details', async () => {
    const place = { location: { latitude: 36.75, longitude: -3.9 } };
    await store(env.DB, agency.accountId, [
      parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas', details: place }),
      property('P1', {
        ...{ type: 'villa', beds: 2, bath: 1, built_area: 80, offers: { sale: { price: 1 } } },
        unit: { development: DEVELOPMENT, name: 'A-1' },
      }),
    ]);
    const channel = { accountId: agency.accountId, name: 'villas' };
    const id = await openChannel(env.DB, channel);
    await addToChannel(env.DB, channel, ['VILLA'], SOMEBODY);
    const password = await openReader(
      agency.accountId,
      'villas',
      `CustomerCode=${CODE}`,
      false,
      id,
    );
    const getLater = () => {
      vi.setSystemTime(Date.now() + 1_000);
      return get(pathOf(password));
    };
    const validators = async () => {
      await getLater();
      const { headers, json } = await getLater();
      expect(headers.get('Cache-Status')).toContain('; hit');
      return { tag: headers.get('ETag'), units: json.customerNewDevelopments?.length ?? 0 };
    };
    const before = await validators();
    await addToChannel(env.DB, channel, ['P1'], SOMEBODY);
    const entered = await validators();
    expect([before.units, entered.units]).toEqual([0, 1]);
    const details = { ...place, finished: true };
    await store(env.DB, agency.accountId, [
      parseDocument({ kind: 'development', id: DEVELOPMENT, name: 'Las Lomas', details }),
    ]);
    const changed = await validators();
    expect(new Set([before.tag, entered.tag, changed.tag]).size).toBe(3);
  });

  test('texts so long that a part is read in pages, of properties and of a development: one array each', async () => {
    const languages = [
      'uk',
      'es',
      'de',
      'fr',
      'nl',
      'da',
      'ru',
      'sv',
      'pl',
      'it',
      'pt',
      'fi',
      'ca',
    ];
    const texts = Object.fromEntries(
      languages.map((language) => [language, { description: 'a'.repeat(60_000) }]),
    );
    const common = {
      type: 'villa',
      beds: 2,
      bath: 1,
      built_area: 80,
      texts,
      location: { latitude: 36, longitude: -4 },
    };
    const names = ['B-1', 'B-2', 'B-3', 'B-4'];
    const details = { location: { latitude: 36.7, longitude: -3.9 } };
    await store(env.DB, agency.accountId, [
      parseDocument({ kind: 'development', id: 'long', name: 'Long', details }),
      ...names.map((name) =>
        parseDocument({ kind: 'unit', development: 'long', name, status: 1, price: 100_000 }),
      ),
      ...names.map((name) =>
        property(`P-${name}`, { ...common, unit: { development: 'long', name } }),
      ),
      ...names.map((name) => property(`S-${name}`, common)),
    ]);
    vi.setSystemTime(Date.now() + 1_000);
    const { json } = await get(pathOf());
    const codes = (properties: readonly Coded[]) =>
      properties.map(({ propertyCode }) => propertyCode);
    expect(codes(json.customerProperties)).toEqual([
      'VILLA',
      'VILLA',
      ...names.map((name) => `S-${name}`),
    ]);
    const [long] = json.customerNewDevelopments;
    expect(codes(long.newDevelopmentTypologies)).toEqual(names.map((name) => `P-${name}`));
  });

  test.each(['gzip', 'identity'])(
    'of several parts, with %s, built and cached: one array, of the stated length',
    async (encoding) => {
      const { id } = await sparseAccount(
        `IDEALISTA-PARTS${agencies}-${encoding}`,
        [1, 501, 1_001, 1_501],
      );
      const home = {
        type: 'villa',
        built_area: 100,
        bath: 1,
        beds: 1,
        location: { latitude: 36, longitude: -4 },
      };
      const offers = { sale: { price: 1_000, minimum_price: 0 } };
      const change = (values: object, numbers: string) =>
        env.DB.prepare(
          `UPDATE properties SET document = json_patch(document, ?) WHERE account_id = ? AND ${numbers}`,
        )
          .bind(JSON.stringify(values), id)
          .run();
      await change({ ...home, offers }, 'number <> 501');
      await change({ currency: 'GBP' }, 'number = 501');
      const path = `/idealista.json?U=OWNPROPERTIES@IDEALISTA-PARTS${agencies}-${encoding}&P=secret&T=SALE&CustomerCode=${CODE}`;
      const headers = { 'Accept-Encoding': encoding };
      const texts: string[] = [];
      for (let times = 0; times < 3; times++) {
        vi.setSystemTime(Date.now() + 2_000);
        const response = await ask(path, { headers });
        const stated = response.headers.get('Content-Length');
        if (stated !== null) expect(response.bytes.length).toBe(Number(stated));
        const body = new Blob([response.bytes]).stream();
        texts.push(
          await new Response(
            encoding === 'gzip' ? body.pipeThrough(new DecompressionStream('gzip')) : body,
          ).text(),
        );
      }
      const codes = JSON.parse(texts[0]!).customerProperties.map(
        ({ propertyCode }: { propertyCode: string }) => propertyCode,
      );
      expect(codes).toEqual(['1', '1001', '1501']);
      expect(new Set(texts).size).toBe(1);
    },
  );
});
