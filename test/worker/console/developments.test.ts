import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDevelopment } from '../../../src/units/developments.ts';
import { createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

type Fields = [name: string, value: string][];

const BOARD = `/units?development=${DEVELOPMENT}`;
const ADD = `/units/add?development=${DEVELOPMENT}`;

let agencies = 0;
let accountId: number;
let code: string;
let cookie: string;

beforeEach(async () => {
  code = `DEV${++agencies}`;
  ({ accountId } = await createAgency(env.DB, code, ['A-101', 'A-102']));
  cookie = await signIn(code);
});

const unitOf = (name: string) =>
  env.DB.prepare(
    'SELECT status, price, directions, version FROM units WHERE account_id = ? AND name = ?',
  )
    .bind(accountId, name)
    .first();

const count = (table: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
    .bind(accountId)
    .first<number>('n');

/** Takes the listing of a unit away from it. */
const unlist = (id: string) =>
  env.DB.prepare(
    "UPDATE properties SET unit_id = NULL, document = json_set(document, '$.unit', NULL) WHERE account_id = ? AND identifier = ?",
  )
    .bind(accountId, id)
    .run();

/** The fields of the form that a page shows, with others. */
const changed = (shown: CompleteResponse, more: Record<string, string>): Fields => [
  ...fieldsOf(shown).filter(([name]) => more[name] === undefined),
  ...Object.entries(more),
];

describe('a development', () => {
  const NEW = '/developments/edit';

  test('created with texts, pictures and dates, as the API has them; changed: languages and details that the form lacks stay', async () => {
    const typed = {
      name: 'Mar Verde & Sol',
      building: 'houses',
      stage: 'structure',
      finished: '0',
      starts_on: '2026-09-01',
      keys_in: '2028-06',
      energy: 'in_process',
      location: 'https://maps.example/@36.7461,-3.8795,17z',
      town: 'Nerja',
      province: 'Málaga',
      postcode: '29780',
      'description-es': 'Doce casas.\r\nCon vistas.',
      pictures: 'https://img.example/1.jpg\r\n\r\nhttps://img.example/2.jpg',
    };
    const created = await send(NEW, changed(await page(NEW, cookie), typed), cookie);
    expect(created.headers.get('Location')).toBe('/units?development=mar-verde-sol');
    const board = textOf(await follow(created, cookie));
    expect(board).toMatch(
      /Saved\..*It has no units yet.*href="\/units\/add\?development=mar-verde/s,
    );
    const stored = async () =>
      JSON.parse((await findDevelopment(env.DB, accountId, 'mar-verde-sol'))!.details!);
    expect(await stored()).toMatchObject({
      building: 'houses',
      stage: 'structure',
      finished: false,
      starts_on: '2026-09-01',
      keys_in: '2028-06',
      energy: 'in_process',
      location: { latitude: 36.7461, longitude: -3.8795 },
      town: 'Nerja',
      country: 'Spain',
      address: null,
      texts: { es: { description: 'Doce casas.\nCon vistas.' } },
      pictures: ['https://img.example/1.jpg', 'https://img.example/2.jpg'],
    });
    await env.DB.prepare(
      "UPDATE developments SET document = json_set(document, '$.details.texts.pt.description', 'Doze casas.') WHERE account_id = ?",
    )
      .bind(accountId)
      .run();
    const path = `${NEW}?id=mar-verde-sol`;
    const shown = await page(path, cookie);
    expect(textOf(shown)).toContain('<img src="https://img.example/2.jpg"');
    const form = changed(shown, { stage: '', town: 'Frigiliana' });
    expect((await send(path, form, cookie)).status).toBe(303);
    expect(await stored()).toMatchObject({
      stage: null,
      town: 'Frigiliana',
      starts_on: '2026-09-01',
      texts: {
        es: { description: 'Doce casas.\nCon vistas.' },
        pt: { description: 'Doze casas.' },
      },
    });
    expect((await send(path, form, cookie)).status, 'changed since it was shown').toBe(412);
    const another = await send(NEW, { name: 'Mar Verde / Sol', building: 'mixed' }, cookie);
    expect(another.headers.get('Location')).toBe('/units?development=mar-verde-sol-2');
  });

  test.each([
    ['name', ''],
    ['starts_on', '2026-02-30'],
    ['keys_in', 'June'],
    ['location', 'https://maps.example/short'],
    ['postcode', 'ABCDE'],
    ['pictures', `https://img.example/${'x'.repeat(1_100)}`],
    ['description-es', 'x'.repeat(20_001)],
  ])(
    'with a wrong %s: 422 at its field with what was typed, and nothing is stored',
    async (field, value) => {
      const typed = {
        name: 'Mar',
        town: 'Nerja',
        province: 'Málaga',
        country: 'Spain',
        [field]: value,
      };
      const refused = await send(NEW, typed, cookie);
      expect(refused.status).toBe(422);
      expect(textOf(refused)).toMatch(
        new RegExp(`id="${field}-error".*value="Nerja"|value="Nerja".*id="${field}-error"`, 's'),
      );
      expect(await count('developments')).toBe(1);
    },
  );

  test('deleted, if that is confirmed: not while a unit has a listing', async () => {
    const path = `${NEW}?id=${DEVELOPMENT}`;
    const refused = await send(path, { do: 'delete', sure: '1' }, cookie);
    expect([refused.status, textOf(refused)]).toEqual([
      409,
      expect.stringContaining('has a listing'),
    ]);
    for (const id of ['P1', 'P2']) await unlist(id);
    expect((await send(path, { do: 'delete' }, cookie)).status).toBe(422);
    expect((await send(path, { do: 'delete', sure: '1' }, cookie)).status).toBe(303);
    expect([await count('developments'), await count('units')]).toEqual([0, 0]);
  });
});

describe('a unit that no listing shows', () => {
  const UNIT = `/unit?development=${DEVELOPMENT}&name=A-101`;

  const saveAs = async (status: string) => {
    const shown = await page(UNIT, cookie);
    const [form] = /<form method="post" class="[^"]*">(?:(?!<form).)*name="price".*?<\/form>/s.exec(
      textOf(shown),
    )!;
    const version = /name="version" value="(\d+)"/.exec(form)![1]!;
    const fields: Fields = [
      ['status', status],
      ['price', '100,000'],
      ['version', version],
    ];
    const review = await send(UNIT, fields, cookie);
    const saved = await send(UNIT, [...fields, ['reviewed', '1']], cookie);
    expect([review.status, saved.status]).toEqual([200, 303]);
    return textOf(await follow(saved, cookie));
  };

  test('saved: the page does not say that feeds have it; with a listing, or with one that is kept off portals, it says what is true', async () => {
    expect(await saveAs('8')).toMatch(/1 unit was saved\. Every feed has the change/);
    await unlist('P1');
    const said = await saveAs('2');
    expect(said).toMatch(/1 unit was saved\..*No portal has these.*A-101/s);
    expect(said).not.toContain('Every feed');
    expect(said).toMatch(
      /No listing shows this unit.*href="\/property\/edit\?development=LAS-LOMAS&amp;unit=A-101"/s,
    );
    expect(textOf(await page(BOARD, cookie))).toMatch(/1 unit is in no feed.*of=unlisted/s);
    await env.DB.prepare(
      "UPDATE properties SET document = json_set(document, '$.status', 'Withdrawn') WHERE account_id = ? AND identifier = 'P2'",
    )
      .bind(accountId)
      .run();
    expect(textOf(await page(BOARD, cookie))).toContain('2 units are in no feed');
    expect(textOf(await page(UNIT.replace('A-101', 'A-102'), cookie))).toMatch(
      /href="\/property\?id=P2".*kept off portals, so no feed shows the unit/s,
    );
  });

  test('its listing, created from the link: prefilled from the development, at the price of the unit, and shown by feeds', async () => {
    await unlist('P1');
    const details = JSON.stringify({
      town: 'Estepona',
      province: 'Málaga',
      country: 'Spain',
      postcode: '29680',
      energy: 'A',
      texts: {},
      pictures: [],
      building: 'new_building',
    });
    await env.DB.prepare(
      "UPDATE developments SET document = json_set(document, '$.details', json(?)) WHERE account_id = ?",
    )
      .bind(details, accountId)
      .run();
    const path = `/property/edit?development=${DEVELOPMENT}&unit=A-101`;
    const shown = await page(path, cookie);
    const fields = Object.fromEntries(fieldsOf(shown));
    expect(fields).toMatchObject({
      town: 'Estepona',
      province: 'Málaga',
      postcode: '29680',
      consumption: 'A',
      new_build: '1',
      sale: '1',
    });
    expect(fields).not.toHaveProperty('price');
    expect(textOf(shown), 'its price is the unit’s').not.toContain('href="#price"');
    const form = changed(shown, { type: 'Apartment', ref: 'SOL-1', do: 'list' });
    const created = await send(path, form, cookie);
    expect(created.status).toBe(303);
    const { xml } = await fetchFeed(`U=OWNPROPERTIES@${code}&P=demo&FV=3`);
    const [record] = /<property>(?:(?!<property>).)*SOL-1.*?<\/property>/s.exec(xml)!;
    expect(record).toContain('<price>100000</price>');
    expect(textOf(await page(UNIT, cookie))).toMatch(/<b>SOL-1<\/b>.*Feeds show the unit/s);
  });

  test('an existing listing becomes that of the unit, by its reference; one that does not exist: 422', async () => {
    await unlist('P1');
    await store(env.DB, accountId, [property('OTHER', { ref: 'CS-1' })]);
    const refused = await send(UNIT, { do: 'link', listing: 'CS-9' }, cookie);
    expect([refused.status, textOf(refused)]).toEqual([
      422,
      expect.stringContaining('id="listing-error"'),
    ]);
    const taken = await send(UNIT, { do: 'link', listing: 'R-P2' }, cookie);
    expect([taken.status, textOf(taken)]).toEqual([
      422,
      expect.stringContaining('shows another unit already'),
    ]);
    expect((await send(UNIT, { do: 'link', listing: 'CS-1' }, cookie)).status).toBe(303);
    expect(textOf(await page(UNIT, cookie))).toContain('href="/property?id=OTHER"');
    expect(
      (await send(UNIT, { do: 'link', listing: 'R-P1' }, cookie)).status,
      'one that has a listing',
    ).toBe(422);
  });

  test('deleted, if that is confirmed; one with a listing: 409', async () => {
    expect((await send(UNIT, { do: 'delete', sure: '1' }, cookie)).status).toBe(409);
    await unlist('P1');
    expect((await send(UNIT, { do: 'delete' }, cookie)).status).toBe(422);
    const deleted = await send(UNIT, { do: 'delete', sure: '1' }, cookie);
    expect(deleted.headers.get('Location')).toBe(BOARD);
    expect(await unitOf('A-101')).toBeNull();
  });
});

describe('the board', () => {
  test('each unit once, in words as well as by letter and colour, in the language of the page', async () => {
    await env.DB.prepare("UPDATE units SET status = 4 WHERE account_id = ? AND name = 'A-102'")
      .bind(accountId)
      .run();
    const english = textOf(await page(BOARD, cookie));
    expect(english).toMatch(/<h1>Las Lomas: 1 of 2 still available</);
    expect(english).toContain('value="A-102" aria-label="A-102, Sold, €100,000');
    expect(english).toMatch(/class="cell none sold">.*<i aria-hidden="true">S<\/i>/s);
    const spanish = textOf(await page(BOARD, cookie, { 'Accept-Language': 'es' }));
    expect(spanish).toMatch(/aria-label="A-102, Vendida, .*<i aria-hidden="true">V<\/i>/s);
  });

  test('filtered: what does not match is dimmed, and stays where it stands', async () => {
    await env.DB.prepare(
      "UPDATE units SET status = 8, directions = '[\"S\"]' WHERE account_id = ? AND name = 'A-102'",
    )
      .bind(accountId)
      .run();
    const dimmed = async (query: string) => {
      const text = textOf(await page(`${BOARD}&${query}`, cookie));
      return [...text.matchAll(/class="cell ([^"]*)"><input[^>]* value="([^"]*)"/g)].map(
        ([, looks, name]) => [name, looks!.includes('dim')],
      );
    };
    expect(await dimmed('status=8')).toEqual([
      ['A-101', true],
      ['A-102', false],
    ]);
    expect(await dimmed('faces=S')).toEqual([
      ['A-101', true],
      ['A-102', false],
    ]);
    expect(await dimmed('price=-50000')).toEqual([
      ['A-101', true],
      ['A-102', true],
    ]);
    expect(await dimmed('')).toEqual([
      ['A-101', false],
      ['A-102', false],
    ]);
  });

  test('a status and a percentage for those that are ticked: reviewed, saved, and undone', async () => {
    const bar: Fields = [
      ['do', 'several'],
      ['unit', 'A-101'],
      ['unit', 'A-102'],
      ['status', '8'],
      ['by', 'raisePercent'],
      ['amount', '1,5'],
    ];
    const review = await send(BOARD, bar, cookie);
    expect(review.status).toBe(200);
    expect(textOf(review)).toMatch(
      /Save these 2 changes\?.*<strong>Reserved<\/strong>, was Available.*<strong>€101,500<\/strong>, was €100,000/s,
    );
    expect(await unitOf('A-101')).toMatchObject({ status: 1, price: 100_000 });
    const saved = await send(BOARD, fieldsOf(review), cookie);
    expect(saved.status).toBe(303);
    expect(await unitOf('A-102')).toMatchObject({ status: 8, price: 101_500 });
    const after = await follow(saved, cookie);
    const [undo] = /\/undo\?batch=units[^"]*/.exec(textOf(after))!;
    expect((await send(undo, { do: 'save' }, cookie)).status).toBe(303);
    expect(await unitOf('A-101')).toMatchObject({ status: 1, price: 100_000 });
  });

  test.each([
    ['nothing ticked', [['status', '8']]],
    [
      'an amount that is none',
      [
        ['unit', 'A-101'],
        ['by', 'set'],
        ['amount', 'much'],
      ],
    ],
    [
      'a price below zero',
      [
        ['unit', 'A-101'],
        ['by', 'lower'],
        ['amount', '200000'],
      ],
    ],
  ] as [string, Fields][])('with %s: 422, and the ticks stay', async (_, fields) => {
    const refused = await send(BOARD, [['do', 'several'], ...fields], cookie);
    expect(refused.status).toBe(422);
    const isTicked = /value="A-101" checked/.test(textOf(refused));
    expect(isTicked).toBe(fields.some(([name]) => name === 'unit'));
    expect(await unitOf('A-101')).toMatchObject({ price: 100_000, status: 1 });
  });

  test('the price list: what is not sold, and of what is reserved no price', async () => {
    await env.DB.prepare("UPDATE units SET status = 4 WHERE account_id = ? AND name = 'A-102'")
      .bind(accountId)
      .run();
    const text = textOf(await page(`/units/prices?development=${DEVELOPMENT}`, cookie));
    expect(text).toMatch(/<b>A-101<\/b>.*€100,000/s);
    expect(text).not.toContain('A-102');
    await env.DB.prepare('UPDATE units SET status = 8 WHERE account_id = ?').bind(accountId).run();
    const reserved = textOf(await page(`/units/prices?development=${DEVELOPMENT}`, cookie));
    expect(reserved).toMatch(/<b>A-102<\/b>.*Reserved/s);
    expect(reserved).not.toContain('€100,000');
  });
});

describe('a pasted table', () => {
  const details = JSON.stringify({
    town: 'Estepona',
    province: 'Málaga',
    country: 'Spain',
    texts: {},
    pictures: [],
    building: 'new_building',
  });

  beforeEach(async () => {
    await env.DB.prepare(
      "UPDATE developments SET document = json_set(document, '$.details', json(?)) WHERE account_id = ?",
    )
      .bind(details, accountId)
      .run();
  });

  const read = (table: string, more: Fields = []) =>
    send(ADD, [['do', 'read'], ['table', table], ...more], cookie);

  const save = (review: CompleteResponse, more: Fields = []) =>
    send(ADD, [...fieldsOf(review).filter(([name]) => name !== 'sure'), ...more], cookie);

  test('of new and existing units: shown as it was understood, then saved in one write, with the listings that it describes', async () => {
    const table =
      'Unit\tType\tBedrooms\tBuilt\tPrice\tStatus\tFaces\n' +
      'A-101\t\t3\t\t110.000\t\t\n' +
      'A-201\tApartment\t2\t84,4 m²\t345.000 €\tReserved\tSW\n' +
      'A-202\t\t\t\t\t\t';
    const review = await read(table);
    expect(review.status).toBe(200);
    const text = textOf(review);
    expect(text).toMatch(
      /A-101.*<b>€110,000<\/b> <s>€100,000<\/s>.*Changed.*A-201.*Reserved.*€345,000.*New.*A-202.*Price on request.*New/s,
    );
    expect(text).toMatch(/1 listing is created, and kept off portals.*Save 3 units/s);
    expect([await count('units'), await count('properties')]).toEqual([2, 2]);
    const saved = await save(review);
    expect(saved.headers.get('Location')).toBe(BOARD);
    expect(await unitOf('A-101')).toMatchObject({ price: 110_000, status: 1, version: 2 });
    expect(await unitOf('A-201')).toEqual({
      price: 345_000,
      status: 8,
      directions: '["SW"]',
      version: 1,
    });
    expect(await unitOf('A-202')).toMatchObject({ price: 0, status: 1 });
    const listing = await env.DB.prepare(
      "SELECT status, type, document ->> '$.beds' AS beds, document ->> '$.built_area' AS built, document ->> '$.town' AS town FROM properties WHERE account_id = ? AND identifier = 'LAS-LOMAS-A-201'",
    )
      .bind(accountId)
      .first();
    expect(listing).toMatchObject({ status: 'Withdrawn', beds: 2, built: 84, town: 'Estepona' });
    const beds = await env.DB.prepare(
      "SELECT document ->> '$.beds' AS beds FROM properties WHERE account_id = ? AND identifier = 'P1'",
    )
      .bind(accountId)
      .first('beds');
    expect(beds).toBe(3);
    expect(textOf(await follow(saved, cookie))).toMatch(
      /3 units were saved\..*No portal has these.*A-201 and A-202.*1 listing was created/s,
    );
    const history = await env.DB.prepare('SELECT to_price FROM unit_history WHERE account_id = ?')
      .bind(accountId)
      .all();
    expect(history.results).toEqual([{ to_price: 110_000 }]);
  });

  test('undone: what it has created is removed, what it has changed is as before; what somebody has changed since stays, and is named', async () => {
    const table =
      'Unit\tType\tBedrooms\tPrice\tStatus\n' +
      'A-101\t\t3\t110.000\tReserved\n' +
      'A-201\tApartment\t2\t345.000\t\n' +
      'A-202\tApartment\t2\t355.000\t\n' +
      'A-203\t\t\t365.000\t\n' +
      'A-204\t\t\t375.000\t';
    const board = textOf(await follow(await save(await read(table)), cookie));
    const [undo] = /\/undo\?batch=table[^"]*/.exec(board)!;
    expect(textOf(await page('/settings/log', cookie))).toContain(undo);
    expect([await count('units'), await count('properties')]).toEqual([6, 4]);
    // Meanwhile somebody works on the listing of one, and changes the status of another and of an older one.
    const listing = '/property/edit?id=LAS-LOMAS-A-202';
    const beds = { beds: '4', do: 'save' };
    expect((await send(listing, changed(await page(listing, cookie), beds), cookie)).status).toBe(
      303,
    );
    const all = `${BOARD}&edit=1`;
    const more = { 'status:A-204': '2', 'status:A-101': '4', reviewed: '1' };
    expect((await send(all, changed(await page(all, cookie), more), cookie)).status).toBe(303);
    expect(textOf(await page(undo, cookie))).toMatch(
      /Undo the changes of 3 units.*A-101.*Price.*€100,000.*It stays.*A-202.*It stays.*A-203.*Removed/s,
    );
    const undone = await send(undo, { do: 'save' }, cookie);
    expect(undone.headers.get('Location')).toBe(BOARD);
    expect(textOf(await follow(undone, cookie))).toMatch(/3 units are as they were before.*A-202/s);
    expect(await unitOf('A-101')).toMatchObject({ price: 100_000, status: 4 });
    for (const name of ['A-201', 'A-203']) expect(await unitOf(name)).toBeNull();
    expect(await unitOf('A-202')).toMatchObject({ price: 355_000 });
    expect(await unitOf('A-204')).toMatchObject({ status: 2 });
    const { results } = await env.DB.prepare(
      'SELECT identifier FROM properties WHERE account_id = ? ORDER BY identifier',
    )
      .bind(accountId)
      .all();
    expect(results.map(({ identifier }) => identifier)).toEqual(['LAS-LOMAS-A-202', 'P1', 'P2']);
    expect(textOf(await page(undo, cookie))).toContain('Nothing is left to undo');
    expect((await send(undo, { do: 'save' }, cookie)).status).toBe(303);
    expect(await unitOf('A-101')).toMatchObject({ price: 100_000, status: 4 });
  });

  test('with errors: each named by its row, no button to save, and nothing is saved even if it is sent', async () => {
    const table =
      'Unit\tPrice\tType\nA-201\tmany\t\nA-202\t1000\tKiosk of gold\nA-202\t5\tApartment\n\t5\t\nA-203\t\tApartment';
    const review = await read(table);
    const rows = [...textOf(review).matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
      row.replaceAll(/<[^>]*>/g, '|'),
    );
    expect(rows[1]).toMatch(/2.*A-201.*Price: Enter an amount/);
    expect(rows[2]).toMatch(/4.*A-202.*stands in the table twice/);
    expect(rows[3]).toMatch(/5.*Unit: is missing/);
    expect(textOf(review)).toContain('3 rows cannot be saved');
    expect(textOf(review)).not.toContain('Save ');
    const refused = await send(
      ADD,
      [
        ['table', table],
        ['reviewed', 'x'],
      ],
      cookie,
    );
    expect(refused.status).toBe(422);
    expect([await count('units'), await count('properties')]).toEqual([2, 2]);
    expect(textOf(await read('Unit\tType\nA-202\tKiosk of gold'))).toContain(
      'Type: you have no such type',
    );
    expect(textOf(await read('Unit\tBedrooms\nA-202\t3'))).toContain('its type is needed');
  });

  test('of a development without a town: its units are saved, listings are an error that says so', async () => {
    await env.DB.prepare(
      "UPDATE developments SET document = json_remove(document, '$.details') WHERE account_id = ?",
    )
      .bind(accountId)
      .run();
    expect(textOf(await page(ADD, cookie))).toMatch(
      /no town and province yet.*\/developments\/edit\?id=LAS-LOMAS/s,
    );
    expect(textOf(await read('Unit\tType\nA-201\tApartment'))).toMatch(/class="error">Listing: /);
    expect((await save(await read('A-201'))).status).toBe(303);
  });

  test('changed by somebody else, or typed differently, since it was shown: 412 with what it is now, and nothing is saved', async () => {
    const review = await read('Unit\tPrice\nA-101\t110000\nA-201\t5000');
    await env.DB.prepare(
      "UPDATE units SET price = 105000, version = version + 1 WHERE account_id = ? AND name = 'A-101'",
    )
      .bind(accountId)
      .run();
    const refused = await save(review);
    expect([refused.status, textOf(refused)]).toEqual([
      412,
      expect.stringContaining('<s>€105,000</s>'),
    ]);
    expect(await unitOf('A-201')).toBeNull();
    const other = fieldsOf(await read('A-201')).map(([name, value]): [string, string] => [
      name,
      name === 'table' ? 'A-301' : value,
    ]);
    expect((await send(ADD, other, cookie)).status).toBe(412);
    expect(await count('units')).toBe(2);
  });

  test('a price that differs much: 422 until it is confirmed', async () => {
    const review = await read('Unit\tPrice\nA-101\t10000');
    expect(textOf(review)).toContain('more than a factor of three');
    expect((await save(review)).status).toBe(422);
    expect((await save(review, [['sure', '1']])).status).toBe(303);
    expect(await unitOf('A-101')).toMatchObject({ price: 10_000 });
  });

  test('of more rows than a transaction writes, or of none: 422, and nothing is saved', async () => {
    const many = Array.from({ length: 501 }, (_, index) => `C-${index}`).join('\n');
    expect((await send(ADD, { table: many }, cookie)).status).toBe(422);
    expect((await send(ADD, { table: ' \n ' }, cookie)).status).toBe(422);
    expect(await count('units')).toBe(2);
  });

  test('forty units with their listings: at once, and the board has them', async () => {
    const rows = ['A', 'B'].flatMap((block) =>
      [1, 2, 3, 4, 5].flatMap((floor) =>
        [1, 2, 3, 4].map(
          (door) =>
            `${block}-${floor}0${door}\tApartment\t${300_000 + floor * 10_000}\t2\t${80 + door}`,
        ),
      ),
    );
    const review = await read(`Unidad\tTipo\tPrecio\tDormitorios\tSuperficie\n${rows.join('\n')}`);
    expect((await save(review, [['sure', '1']])).status).toBe(303);
    expect([await count('units'), await count('properties')]).toEqual([40, 40]);
    const board = textOf(await page(BOARD, cookie));
    expect(board.match(/name="unit"/g)).toHaveLength(40);
    expect(board).toMatch(/class="card block of4"><legend>Block A<.*<legend>Block B</s);
  });
});
