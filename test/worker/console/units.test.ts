import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

const UNIT = `/unit?development=${DEVELOPMENT}&name=A-1`;

let agency: Agency;
let cookie: string;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'UNITS', ['A-1', 'A-2', '../<b>&"']);
  cookie = await signIn('UNITS');
});

beforeEach(() => store({}));

function unitOf(name = 'A-1') {
  return env.DB.prepare(
    'SELECT price, status, directions, version FROM units WHERE account_id = ? AND name = ?',
  )
    .bind(agency.accountId, name)
    .first<{ price: number; status: number; directions: string; version: number }>();
}

/** Gives the unit values without the console. */
async function store({ price = 330_000, status = 1, directions = '[]' }): Promise<void> {
  await env.DB.prepare(
    `UPDATE units SET price = ?1, status = ?2, directions = ?3, version = version + 1
      WHERE account_id = ?4 AND name = 'A-1' AND (price, status, directions) IS NOT (?1, ?2, ?3)`,
  )
    .bind(price, status, directions, agency.accountId)
    .run();
}

type Fields = [name: string, value: string][];

const fieldsIn = (response: CompleteResponse): Fields => fieldsOf(response);

/** Takes back what a form has saved; the page that follows. */
async function undo(saved: CompleteResponse): Promise<CompleteResponse> {
  const [path] = /\/undo\?batch=[^"]*/.exec(textOf(await follow(saved, cookie)))!;
  return follow(await send(path, { do: 'save' }, cookie), cookie);
}

function submit(
  fields: Fields,
  more: Record<string, string | string[]> = {},
  bindings?: typeof env,
  language = 'en',
) {
  const others = fields.filter(([name]) => more[name] === undefined);
  const given = Object.entries(more).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': language };
  return send(UNIT, [...others, ...given] as Fields, cookie, headers, bindings);
}

/** Fills in the form of the unit and sends it; the page that follows. */
async function type(
  values: Record<string, string | string[]>,
  language = 'en',
): Promise<CompleteResponse> {
  const shown = await page(UNIT, cookie, { 'Accept-Language': language });
  return submit(fieldsIn(shown), values, undefined, language);
}

function changesIn(response: CompleteResponse): string[] {
  const [, list = ''] = /<ul class="changes">(.*?)<\/ul>/s.exec(textOf(response)) ?? [];
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item]) =>
    item!.replaceAll(/<[^>]*>/g, ''),
  );
}

test('more developments or units than a page has: its heading does not take those of the page for all', async () => {
  const { accountId } = await createAgency(env.DB, 'LARGE', ['A-1']);
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)';
  const insert = (sql: string) => env.DB.prepare(sql).bind(accountId).run();
  await insert(
    `INSERT INTO developments (account_id, identifier, document) ${numbers} SELECT ?, 'D' || i, '{"name":"D"}' FROM n`,
  );
  await insert(`INSERT INTO units (account_id, development_id, name, status, price, directions)
    ${numbers} SELECT account_id, id, 'B-' || i, 1, 1, '[]' FROM n, developments
    WHERE account_id = ? AND identifier = '${DEVELOPMENT}'`);
  const large = await signIn('LARGE');
  for (const after of ['', '&after=D2']) {
    expect(textOf(await page(`/developments?${after}`, large))).toContain('<h1>Developments</h1>');
  }
  const units = textOf(await page(`/units?development=${DEVELOPMENT}`, large));
  expect(units).toMatch(/<h1>[^<:0-9]*<\/h1><p>201 units<\/p>/);
});

test('the units: a name is text, whatever it is, and its page is found by it', async () => {
  const text = textOf(await page(`/units?development=${DEVELOPMENT}`, cookie));
  expect(text).not.toContain('/<b>');
  const paths = [...text.matchAll(/href="(\/unit\?[^"]*)"/g)].map(([, path]) =>
    path!.replaceAll('&amp;', '&'),
  );
  expect(paths).toHaveLength(3);
  for (const path of paths) expect([path, (await page(path, cookie)).status]).toEqual([path, 200]);
});

describe('a price', () => {
  test.each([
    ['en', '345,000', 'Price: €345,000, was €330,000'],
    ['es', '345.000', 'Precio: 345.000\u00a0€, antes 330.000\u00a0€'],
  ])(
    'in %s, %j: 200 with what was understood, and nothing is saved until that is sent',
    async (language, price, shown) => {
      const review = await type({ price }, language);
      expect([review.status, changesIn(review)]).toEqual([200, [shown]]);
      expect(await unitOf()).toMatchObject({ price: 330_000 });
      expect((await submit(fieldsIn(review))).status).toBe(303);
      expect(await unitOf()).toMatchObject({ price: 345_000 });
    },
  );

  test('with decimals, and one that has more of them than are usual: exactly as stored', async () => {
    const review = await type({ price: '325.000,55' });
    expect(changesIn(review)).toEqual(['Price: €325,000.55, was €330,000']);
    await submit(fieldsIn(review));
    expect(await unitOf()).toMatchObject({ price: 325_000.55 });
    await store({ price: 1234.5678 });
    const sold = await type({ status: '4' }, 'es');
    expect(changesIn(sold)).toEqual(['Estado: Vendida, antes Disponible']);
    await submit(fieldsIn(sold));
    expect(await unitOf()).toMatchObject({ price: 1234.5678, status: 4 });
  });

  test.each([
    ['345', 'more than a factor of three'],
    ['0', 'below 1'],
  ])('%j after 330,000: 422 until it is confirmed a second time', async (price, reason) => {
    const review = await type({ price });
    expect(textOf(review)).toContain(reason);
    expect(textOf(review)).toMatch(/<input type="checkbox" name="sure"[^>]* required/);
    const refused = await submit(fieldsIn(review));
    expect([refused.status, changesIn(refused)]).toEqual([422, changesIn(review)]);
    expect(textOf(refused)).toContain('Confirm the price');
    expect(await unitOf()).toMatchObject({ price: 330_000 });
    expect((await submit(fieldsIn(refused), { sure: '1' })).status).toBe(303);
    expect(await unitOf()).toMatchObject({ price: Number(price.replaceAll(',', '')) });
  });

  test.each(['cheap', '-5'])('%j: 422 with that field marked and what was typed', async (price) => {
    const response = await type({ price });
    expect(response.status).toBe(422);
    expect(textOf(response)).toMatch(/name="price"[^>]*aria-invalid="true"/);
    expect(Object.fromEntries(fieldsIn(response))).toMatchObject({ price });
    expect(await unitOf()).toMatchObject({ price: 330_000 });
  });

  test.each([
    ['price', { price: '1e999' }],
    ['status', { status: '3' }],
    ['directions', { directions: 'a code that is far too long' }],
  ])(
    'a page of understood values with a wrong %s: 422, and nothing is saved',
    async (field, wrong) => {
      const review = await type({ price: '345,000' });
      const response = await submit(fieldsIn(review), wrong);
      expect(response.status).toBe(422);
      expect(textOf(response)).toMatch(new RegExp(`id="${field}-error"`));
      expect(await unitOf()).toMatchObject({ price: 330_000, status: 1, directions: '[]' });
    },
  );

  test('that should be typed again: the form with what was typed, and nothing is saved', async () => {
    const review = await type({ price: '345.000', directions: ['S', 'SE'] });
    const form = await submit(fieldsIn(review), { do: 'edit' });
    expect(form.status).toBe(200);
    const typed = [['price', '345.000'], ...['S', 'SE'].map((code) => ['directions', code])];
    expect(fieldsIn(form)).toEqual(expect.arrayContaining(typed));
    expect(await unitOf()).toMatchObject({ price: 330_000 });
  });
});

describe('a saved change', () => {
  test('the next page has the unit as it is now; the next feed shows it, and the history has it', async () => {
    const before = (await fetchFeed('U=OWNPROPERTIES@UNITS&P=demo&FV=3')).xml;
    expect(before).not.toContain('<price>325000.5</price>');
    const { version } = (await unitOf())!;
    const review = await type({ price: '325000,5', status: '8', directions: ['SE', 'S'] });
    expect(changesIn(review)).toEqual([
      'Status: Reserved, was Available',
      'Price: €325,000.50, was €330,000',
      'Directions: South-east, South, was —',
    ]);
    const saved = await follow(await submit(fieldsIn(review)), cookie);
    expect(await unitOf()).toEqual({
      price: 325_000.5,
      status: 8,
      directions: '["SE","S"]',
      version: version + 1,
    });
    expect(textOf(saved)).toMatch(/<h1>A-1: Reserved, €325,000\.50<.*1 unit was saved\./s);
    const change = 'Available, €330,000, — → <b>Reserved, €325,000.50, South-east, South</b>';
    expect(textOf(saved)).toContain(change);
    expect((await fetchFeed('U=OWNPROPERTIES@UNITS&P=demo&FV=3')).xml).toContain(
      '<price>325000.5</price>',
    );
  });

  test('undone: the unit has all of its values again', async () => {
    await store({ directions: '[["S","SE"],"N"]' });
    const review = await type({ price: '0', directions: ['N', 'W'], status: '2' });
    const saved = await submit(fieldsIn(review), { sure: '1' });
    expect(await unitOf()).toMatchObject({ price: 0, status: 2, directions: '["N","W"]' });
    await undo(saved);
    expect(await unitOf()).toMatchObject({
      price: 330_000,
      status: 1,
      directions: '[["S","SE"],"N"]',
    });
  });

  test('undone after somebody else has changed the unit: what they have changed stays, and is named', async () => {
    const saved = await submit(fieldsIn(await type({ price: '345,000', status: '2' })));
    await submit(fieldsIn(await type({ price: '350,000', status: '2' })));
    expect(textOf(await undo(saved))).toMatch(/1 unit is as it was.*Left as they are.*A-1/s);
    expect(await unitOf()).toMatchObject({ price: 350_000, status: 1 });
  });

  test('undone from its history, for 30 days', async () => {
    await submit(fieldsIn(await type({ price: '345,000' })));
    const [path] = /\/undo\?development=[^"]*/.exec(textOf(await page(UNIT, cookie)))!;
    expect((await send(path.replaceAll('&amp;', '&'), { do: 'save' }, cookie)).status).toBe(303);
    expect(await unitOf()).toMatchObject({ price: 330_000 });
    await env.DB.prepare('UPDATE unit_history SET changed_at = unixepoch() - 31 * 86400').run();
    expect(textOf(await page(UNIT, cookie))).not.toContain('/undo?');
    expect((await page(path.replaceAll('&amp;', '&'), cookie)).status).toBe(404);
  });

  test('without changes: the next page says so, and nothing is saved', async () => {
    const before = await unitOf();
    expect(textOf(await follow(await type({}), cookie))).toContain('Nothing was changed');
    expect(await unitOf()).toEqual(before);
  });

  test('beyond the limit of updates: 429 with what was typed', async () => {
    const UPDATES = { limit: async () => ({ success: false }) };
    const review = await type({ price: '345,000' });
    const response = await submit(fieldsIn(review), {}, { ...env, UPDATES });
    expect([response.status, Object.fromEntries(fieldsIn(response)).price]).toEqual([
      429,
      '345,000',
    ]);
    expect(await unitOf()).toMatchObject({ price: 330_000 });
  });
});

describe('directions', () => {
  test('are chosen from the points of the compass, in both languages; other codes can be kept', async () => {
    await store({ directions: '["S","ROOF"]' });
    const [english, spanish] = await Promise.all(
      ['en', 'es'].map(async (language) =>
        textOf(await page(UNIT, cookie, { 'Accept-Language': language })),
      ),
    );
    const choices = [...english!.matchAll(/name="directions" value="(\w+)"( checked="")?/g)];
    expect(choices.map(([, code]) => code)).toEqual([
      'N',
      'NE',
      'E',
      'SE',
      'S',
      'SW',
      'W',
      'NW',
      'ROOF',
    ]);
    expect(choices.flatMap(([, code, checked]) => (checked ? code : []))).toEqual(['S', 'ROOF']);
    expect(english).toMatch(/>South-west<\/span>/);
    expect(spanish).toMatch(/>Suroeste<\/span>/);
    await submit(fieldsIn(await type({ directions: ['N', 'ROOF'] })));
    expect(await unitOf()).toMatchObject({ directions: '["N","ROOF"]' });
  });

  test.each([
    ['not changed: their order and nesting stay', '[["S","SE"],"N"]', {}, '[["S","SE"],"N"]'],
    ['none: an empty list', '["S"]', { directions: [] }, '[]'],
  ])('%s', async (_, directions, typed, after) => {
    await store({ directions });
    await submit(fieldsIn(await type({ price: '345,000', ...typed })));
    expect(await unitOf()).toMatchObject({ price: 345_000, directions: after });
  });
});

describe('a change of somebody who has not seen the last one', () => {
  test.each([
    ['the form', async () => fieldsIn(await page(UNIT, cookie))],
    ['the page of understood values', async () => fieldsIn(await type({ price: '340,000' }))],
  ])(
    'sent from %s: 412 with what was typed and the current values; saved once that was seen',
    async (_, open) => {
      const fields = await open();
      await submit(fieldsIn(await type({ price: '350,000', status: '8', directions: ['W'] })));
      const conflict = await submit(fields, { price: '341000' });
      expect(conflict.status).toBe(412);
      expect(textOf(conflict)).toContain('role="alert"');
      expect(Object.fromEntries(fieldsIn(conflict))).toMatchObject({ status: '1' });
      expect(Number(Object.fromEntries(fieldsIn(conflict)).price!.replace(',', ''))).toBe(341_000);
      for (const current of ['Reserved', '€350,000', 'West']) {
        expect(textOf(conflict)).toContain(`Currently: ${current}`);
      }
      expect(await unitOf()).toMatchObject({ price: 350_000 });
      const review = await submit(fieldsIn(conflict));
      expect(changesIn(review)).toContain('Price: €341,000, was €350,000');
      expect((await submit(fieldsIn(review))).status).toBe(303);
      expect(await unitOf()).toMatchObject({ price: 341_000, status: 1, directions: '[]' });
    },
  );
});

describe('several units at once', () => {
  const SEVERAL = `/units?development=${DEVELOPMENT}&edit=1`;
  const sendSeveral = (fields: Fields, more: Fields = []) =>
    send(
      SEVERAL,
      [...fields.filter(([name]) => !more.some(([other]) => other === name)), ...more],
      cookie,
    );
  const typeSeveral = async (more: Fields) =>
    sendSeveral(fieldsIn(await page(SEVERAL, cookie)), more);

  test('a wrong price, then right ones: 422 at its field, what was understood, saved, and undone', async () => {
    const wrong = await typeSeveral([
      ['price:A-1', 'cheap'],
      ['status:A-2', '4'],
    ]);
    expect(wrong.status).toBe(422);
    expect(textOf(wrong)).toMatch(
      /<input name="price:A-1"[^>]* value="cheap" aria-label="Price, A-1: Enter[^>]* aria-invalid="true" autofocus/,
    );
    expect(textOf(wrong)).toMatch(/name="status:A-2".*?<option value="4" selected/s);
    const before = await unitOf('A-2');
    const review = await sendSeveral(fieldsIn(wrong), [['price:A-1', '345.000']]);
    expect([review.status, textOf(review).match(/<ul class="changes">/g)?.length]).toEqual([
      200, 2,
    ]);
    expect(await unitOf()).toMatchObject({ price: 330_000 });
    const saved = await sendSeveral(fieldsIn(review));
    expect(textOf(await follow(saved, cookie))).toContain('2 units were saved');
    expect(await unitOf()).toMatchObject({ price: 345_000 });
    expect(await unitOf('A-2')).toMatchObject({ status: 4, version: before!.version + 1 });
    await undo(saved);
    expect(await unitOf()).toMatchObject({ price: 330_000 });
    expect(await unitOf('A-2')).toMatchObject({ status: before!.status });
  });

  test('after somebody else has changed one of them: the others are saved, and theirs stays; a change of the same one: 412', async () => {
    const stale = fieldsIn(await page(SEVERAL, cookie));
    await submit(fieldsIn(await type({ price: '350,000', status: '8' })));
    const review = await sendSeveral(stale, [['price:A-2', '222,000']]);
    expect([review.status, textOf(review).match(/<h3>[^<]*/g)]).toEqual([200, ['<h3>A-2']]);
    expect(textOf(await follow(await sendSeveral(fieldsIn(review)), cookie))).toContain(
      '1 unit was saved',
    );
    expect(await unitOf()).toMatchObject({ price: 350_000, status: 8 });
    const conflict = await sendSeveral(stale, [['price:A-1', '351,000']]);
    expect([conflict.status, /Currently: [^<"]*/.exec(textOf(conflict))?.[0]]).toEqual([
      412,
      'Currently: Reserved',
    ]);
    expect(Object.fromEntries(fieldsIn(conflict))).toMatchObject({
      'price:A-1': '351,000',
      'price:A-2': '222,000',
    });
  });

  test('a price that differs much: 422 until it is confirmed; to be typed again: the table as it was', async () => {
    const review = await typeSeveral([['price:A-1', '345']]);
    expect((await sendSeveral(fieldsIn(review))).status).toBe(422);
    const again = await sendSeveral(fieldsIn(review), [['do', 'edit']]);
    expect([again.status, Object.fromEntries(fieldsIn(again))['price:A-1']]).toEqual([200, '345']);
    await sendSeveral(fieldsIn(review), [['sure', '1']]);
    expect(await unitOf()).toMatchObject({ price: 345 });
  });

  test('one that somebody else has changed: 412 with its current values, and none is saved', async () => {
    const shown = fieldsIn(await page(SEVERAL, cookie));
    await store({ price: 350_000 });
    const response = await sendSeveral(shown, [
      ['price:A-1', '340000'],
      ['price:A-2', '340000'],
    ]);
    expect([response.status, textOf(response).includes('Currently: €350,000')]).toEqual([
      412,
      true,
    ]);
    expect(await unitOf('A-2')).not.toMatchObject({ price: 340_000 });
  });
});
