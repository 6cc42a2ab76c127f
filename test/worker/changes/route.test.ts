import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { decodeCursor } from '../../../src/changes/cursor.ts';
import { SHOWN_FIELDS } from '../../../src/feed/formats/formats.ts';
import { createClient } from '../../../src/oauth/clients.ts';
import { type PropertyDocument, parseDocument } from '../../../src/properties/documents.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { FULL, property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { obtainToken } from '../../support/accounts/units.ts';
import { ask, watched } from '../../support/worker/ask.ts';

const db = env.DB;

let accounts = 0;
let code: string;
let accountId: number;
let token: string;

beforeEach(async () => {
  code = `CHANGES${++accounts}`;
  accountId = await openAccount(db, code);
  await store(db, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    parseDocument({ kind: 'unit', development: 'sol', name: 'A-1', status: 1, price: 100 }),
    property('P1', {
      email: 'vendor@agency.example',
      texts: { uk: { title: 'Unseen', description: 'Seen' } },
    }),
    property('P2', { offers: { long_term: { rent: 900 } } }),
    property('P3', { status: 'Withdrawn' }),
  ]);
  await createClient(db, {
    id: `c${code}`,
    accountId,
    secret: 's',
    scopes: ['properties:read', 'units:read'],
  });
  token = `Bearer ${await obtainToken({ clientId: `c${code}`, secret: 's' })}`;
});

interface Page {
  status: number;
  headers: Headers;
  code?: string;
  changes: {
    kind: string;
    id: string;
    property?: Record<string, unknown>;
    unit?: { UntPrice: number };
  }[];
  next: string;
  has_more: boolean;
}

async function get(
  query: string,
  authorization = token,
  headers = {},
  path = '/v1/changes',
): Promise<Page> {
  const response = await ask(`${path}?${query}`, {
    headers: { Authorization: authorization, ...headers },
  });
  return { ...JSON.parse(response.text), status: response.status, headers: response.headers };
}

function kinds({ changes }: Page): string[] {
  return changes.map(({ kind, id }) => `${kind} ${id}`);
}

function run(sql: string): Promise<unknown> {
  return db.prepare(sql).run();
}

/** Sets a field of a property's document. */
function setField(id: string, field: string, value: unknown): Promise<unknown> {
  return run(
    `UPDATE properties SET document = json_set(document, '$.${field}', json('${JSON.stringify(value)}'))
      WHERE account_id = ${accountId} AND identifier = '${id}'`,
  );
}

test('GET without after: what is listed; with next: what has changed since, and what was removed', async () => {
  const first = await get('limit=1');
  expect([first.status, kinds(first), first.has_more]).toEqual([200, ['changed P1'], true]);
  expect(first.changes[0]!.property).toMatchObject({
    kind: 'property',
    id: 'P1',
    email: 'vendor@agency.example',
  });
  const second = await get(`limit=1&after=${first.next}`);
  expect([kinds(second), second.has_more]).toEqual([['changed P2'], false]);
  expect(kinds(await get(`after=${second.next}`))).toEqual([]);
  await setField('P1', 'status', 'Sold');
  await setField('P2', 'beds', 3);
  await setField('P3', 'beds', 3);
  const third = await get(`after=${second.next}`);
  expect(kinds(third)).toEqual(['removed P1', 'changed P2']);
  expect(kinds(await get(`after=${second.next}`))).toEqual(kinds(third));
  await run(`DELETE FROM properties WHERE account_id = ${accountId} AND identifier = 'P2'`);
  expect(kinds(await get(`after=${third.next}`))).toEqual(['removed P2']);
});

test('GET by a reader: its channel and selection, without what no feed shows', async () => {
  const channel = await openChannel(db, { accountId, name: 'coast' });
  const key = await openReader(accountId, 'portal', 'T=SALE', false, channel);
  const basic = `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`;
  const empty = await get('', basic);
  expect(kinds(empty)).toEqual([]);
  for (const id of ['P1', 'P3']) await setField(id, 'channels', ['coast']);
  await setField('P2', 'channels', ['inland']);
  const page = await get(`after=${empty.next}`, basic);
  expect(kinds(page)).toEqual(['changed P1']);
  expect(JSON.stringify(page)).not.toMatch('vendor@agency.example|Unseen');
  expect(page.headers.get('Cache-Control')).toBe('private, no-store');
  await setField('P1', 'channels', []);
  const later = await get(`after=${page.next}`, basic);
  expect(kinds(later)).toEqual(['removed P1']);
  // The same position, of somebody who sees something else.
  expect(await get(`after=${later.next}`)).toMatchObject({ status: 410, code: 'cursor_expired' });
  expect((await get('', `Basic ${btoa(`OWNPROPERTIES@${code}:demo`)}`)).status).toBe(401);
});

test('GET by a reader after changes outside its channel: how many there were, by its cursor, and nothing else', async () => {
  const channel = await openChannel(db, { accountId, name: 'coast' });
  await setField('P1', 'channels', ['coast']);
  const basic = `Basic ${btoa(`OWNPROPERTIES@${code}:${await openReader(accountId, 'portal', '', false, channel)}`)}`;
  const numberIn = ({ next }: Page) => decodeCursor(next)!.number;
  const before = await get('', basic);
  for (const beds of [7, 8, 9]) await setField('P2', 'beds', beds);
  const { headers, next, ...after } = await get(`after=${before.next}`, basic);
  expect(after).toEqual({
    status: 200,
    as_of: expect.any(String),
    changes: [],
    has_more: false,
  });
  const given = decodeCursor(next)!;
  expect(given).toEqual({ ...decodeCursor(before.next), number: given.number });
  expect(given.number - numberIn(before)).toBe(3);
  expect(JSON.stringify([...headers])).not.toMatch(/P2|inland/);
});

test('GET by a reader: the fields that some format shows, and of these none that its policy withholds; by a client: all', async () => {
  const { texts, ...full } = FULL;
  await store(db, accountId, [
    property('P1', {
      ...full,
      features: ['Golf'],
      texts,
      prime: true,
      source_changed_at: '2026-01-02T03:04:05Z',
    }),
  ]);
  const key = await openReader(accountId, 'portal');
  const setPolicy = (policy: string) =>
    run(`UPDATE readers SET policy = '${policy}' WHERE account_id = ${accountId}`);
  const seen = async (authorization: string) => {
    const { changes } = await get('', authorization);
    return changes.find(({ id }) => id === 'P1')!.property as unknown as PropertyDocument;
  };
  const whole = await seen(token);
  expect(Object.keys(whole).sort()).toEqual(Object.keys(property('P1')).sort());
  const basic = `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`;
  const shown = ['kind', 'id', 'unit', 'updated_at', 'pictures', 'texts', ...SHOWN_FIELDS];
  expect(Object.keys(await seen(basic)).sort()).toEqual(shown.sort());
  for (const field of ['prime', 'restrictions', 'channels', 'commission', 'source_changed_at']) {
    expect(shown).not.toContain(field);
  }
  await setPolicy('withhold=price_minimum.rental_licence.postcode.notes.url&place=hidden');
  const { offers, ...others } = await seen(basic);
  expect(offers).toEqual({
    sale: { price: 1_250_000 },
    long_term: { rent: 4_500 },
    short_term: { low: 2_100, high: 3_900 },
  });
  expect(Object.keys(others)).toEqual(
    expect.not.arrayContaining(['postcode', 'notes', 'location']),
  );
  expect(others.texts.es).toEqual({ description: 'Una villa junto al mar.' });
});

test('GET by a reader whose policy has changed: 410; without after: what it may see now', async () => {
  const key = await openReader(accountId, 'portal');
  const basic = `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`;
  const setPolicy = (policy: string) =>
    run(`UPDATE readers SET policy = '${policy}' WHERE account_id = ${accountId}`);
  let { next } = await get('', basic);
  for (const policy of [
    'place=moved',
    'withhold=price_minimum&place=moved',
    'place=moved&kind=own_website',
    '',
  ]) {
    await setPolicy(policy);
    expect(await get(`after=${next}`, basic)).toMatchObject({
      status: 410,
      code: 'cursor_expired',
    });
    ({ next } = await get('', basic));
    expect((await get(`after=${next}`, basic)).status).toBe(200);
  }
});

test.each([
  ['T=SALE', { sale: { price: 100 }, long_term: null, short_term: null }],
  ['T=RENT', { sale: null, long_term: { rent: 900 }, short_term: { low: 70 } }],
])(
  'GET by a reader with %s of a property for sale and for rent: the offers %j, as in its feed',
  async (preset, offers) => {
    const all = { sale: { price: 100 }, long_term: { rent: 900 }, short_term: { low: 70 } };
    await store(db, accountId, [property('P5', { offers: all })]);
    const { changes } = await get(
      '',
      `Basic ${btoa(`OWNPROPERTIES@${code}:${await openReader(accountId, 'portal', preset)}`)}`,
    );
    expect(changes.find(({ id }) => id === 'P5')!.property).toMatchObject({ offers });
  },
);

test('GET of a property that is a unit: the status, price and directions of the unit, as in feeds', async () => {
  await store(db, accountId, [
    parseDocument({
      kind: 'feature',
      code: 'Orientation: North',
      category: 'Views',
      labels: { uk: 'North' },
    }),
    parseDocument({
      kind: 'unit',
      development: 'sol',
      name: 'A-1',
      status: 8,
      price: 100,
      directions: [['S', 'x'], 'S'],
    }),
    property('P4', {
      features: ['Orientation: North', 'Sea'],
      unit: { development: 'sol', name: 'A-1' },
    }),
  ]);
  const { changes } = await get('');
  expect(changes.find(({ id }) => id === 'P4')!.property).toMatchObject({
    status: 'Sale Agreed',
    offers: { sale: { price: 100 } },
    features: ['Orientation: South', 'Orientation: x', 'Sea'],
  });
});

test('GET by a reader that gets another feed: every property is updated then, as in the feed', async () => {
  const key = await openReader(accountId, 'portal');
  await run(`UPDATE readers SET policy = 'since=4000000000' WHERE account_id = ${accountId}`);
  const { changes } = await get('', `Basic ${btoa(`OWNPROPERTIES@${code}:${key}`)}`);
  const time = '2096-10-02T07:06:40Z';
  expect(changes[0]!.property).toMatchObject({ updated_at: time });
});

test('GET after a restore of the database: 410 cursor_expired', async () => {
  const { next } = await get('');
  await run('UPDATE accounts SET incarnation = incarnation + 1');
  expect(await get(`after=${next}`)).toMatchObject({ status: 410, code: 'cursor_expired' });
  expect((await get('')).status).toBe(200);
});

test.each(['limit=0', 'limit=501', 'limit=x', 'after=', 'after=x', 'after=%00'])(
  'GET with %s: 400',
  async (query) => {
    expect(await get(query)).toMatchObject({ status: 400, code: 'bad_parameter' });
  },
);

test('GET with Prefer: wait=30: held until there is a change', async () => {
  const { next } = await get('');
  const first = await get('', token, { Prefer: 'wait=99' });
  expect(first.headers.get('Preference-Applied')).toBe('wait=30');
  let answered = false;
  const waiting = get(`after=${next}`, token, { Prefer: 'wait=30' }).finally(() => {
    answered = true;
  });
  expect(answered).toBe(false);
  await setField('P2', 'beds', 9);
  const page = await waiting;
  expect(kinds(page)).toEqual(['changed P2']);
  expect(page.headers.get('Preference-Applied')).toBe('wait=30');
  const nothing = await get(`after=${page.next}`, token, { Prefer: 'wait=1' });
  expect([kinds(nothing), nothing.headers.get('Preference-Applied')]).toEqual([[], 'wait=1']);
});

test('GET with Prefer: wait=30 by five programs: one reading a second for all of them; each gets the change', async () => {
  const { next } = await get('');
  let readings = 0;
  const bindings = watched(({ what }) => {
    if (what.startsWith('SELECT a.changes AS number')) readings++;
  });
  const headers = { Authorization: token, Prefer: 'wait=30' };
  const startedAt = Date.now();
  const waiting = Array.from({ length: 5 }, () =>
    ask(`/v1/changes?after=${next}`, { headers }, bindings),
  );
  await scheduler.wait(2_500);
  await setField('P2', 'beds', 9);
  for (const { text } of await Promise.all(waiting))
    expect(kinds(JSON.parse(text))).toEqual(['changed P2']);
  expect(readings).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 1_000);
});

test.each([
  ['is disabled', 401, 'disabled = 1'],
  ['may see less', 410, "policy = 'kind=national_portal'"],
])(
  'GET with Prefer: wait=30 by a reader who %s meanwhile: no change; then %d',
  async (_, status, set) => {
    const basic = `Basic ${btoa(`OWNPROPERTIES@${code}:${await openReader(accountId, 'portal')}`)}`;
    const { next } = await get('', basic);
    const waiting = get(`after=${next}`, basic, { Prefer: 'wait=30' });
    await scheduler.wait(500);
    await run(`UPDATE readers SET ${set} WHERE account_id = ${accountId}`);
    await setField('P2', 'restrictions', ['no_portals']);
    expect(kinds(await waiting)).toEqual([]);
    expect((await get(`after=${next}`, basic)).status).toBe(status);
  },
);

test('GET after a property was removed, and another one of its id is withdrawn: removed', async () => {
  const { next } = await get('');
  await run(`DELETE FROM properties WHERE account_id = ${accountId} AND identifier = 'P1'`);
  await store(db, accountId, [property('P1', { status: 'Withdrawn' })]);
  expect(kinds(await get(`after=${next}`))).toEqual(['removed P1']);
});

test('GET /v1/units/changes: each unit once, then what has changed and what was removed; of this account only', async () => {
  const other = await openAccount(db, `${code}B`);
  await run(`UPDATE accounts SET changes = 1000 WHERE id = ${other}`);
  await store(db, other, [
    parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
    parseDocument({ kind: 'unit', development: 'sol', name: 'B-1', status: 1, price: 100 }),
  ]);
  const units = (query: string) => get(query, token, {}, '/v1/units/changes');
  const first = await units('');
  expect(first.changes).toMatchObject([
    { kind: 'changed', unit: { UntName: 'A-1', UntPrice: 100 } },
  ]);
  expect((await units(`after=${first.next}`)).changes).toEqual([]);
  await run(`UPDATE units SET price = 200 WHERE account_id = ${accountId}`);
  const second = await units(`after=${first.next}`);
  expect(second.changes).toMatchObject([{ kind: 'changed', unit: { UntPrice: 200 } }]);
  await store(db, accountId, [parseDocument({ kind: 'development', id: 'mar', name: 'Mar' })]);
  await run(
    `DELETE FROM developments WHERE account_id IN (${accountId}, ${other}) AND identifier = 'sol'`,
  );
  const third = await units(`after=${second.next}`);
  expect(third.changes).toMatchObject([{ kind: 'removed', development_id: 'sol', UntName: 'A-1' }]);
});
