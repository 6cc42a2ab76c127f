import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { RULES } from '../../../src/rules/all.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { type CompleteResponse, watched } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

let cookie: string;

beforeAll(async () => {
  const { accountId } = await createAgency(env.DB, 'FORMS', ['A-1']);
  await createAgency(env.DB, 'ELSEWHERE', []);
  const texts = { uk: { description: 'Quiet <b> & sunny' }, es: { description: 'Uno\nDos' } };
  const lines = { uk: { description: 'One\r\nTwo ' } };
  await store(env.DB, accountId, [
    property('P', { offers: { sale: { price: 345_000 } }, texts }),
    property('LINES', { texts: lines }),
  ]);
  cookie = await signIn('FORMS');
});

afterEach(() => {
  vi.useRealTimers();
});

/** The fields of the form; of those with one name, such as features, a line each. */
const fieldsIn = (response: CompleteResponse): Record<string, string> => {
  const byName = Map.groupBy(fieldsOf(response), ([name]) => name);
  const lines = [...byName].map(([name, all]) => [
    name,
    all.flatMap(([, value]) => value || []).join('\n'),
  ]);
  return Object.fromEntries(lines);
};

const requiredIn = (response: CompleteResponse) =>
  [...textOf(response).matchAll(/<input(?=[^>]* required)[^>]* name="(\w+)"/g)].map(
    ([, name]) => name,
  );

/** The boxes that confirm what a page asks about. */
const suresIn = (response: CompleteResponse) =>
  [...textOf(response).matchAll(/name="sure" value="([^"]*)"/g)].map(([, value]) => value!);

const sureIn = (response: CompleteResponse) => suresIn(response)[0];

const errorsIn = (response: CompleteResponse) =>
  [...textOf(response).matchAll(/ id="([^"]+)-error"/g)].map(([, name]) => name);

const feed = async () => (await fetchFeed('U=OWNPROPERTIES@FORMS&P=demo&FV=3')).xml;

test('a price and a text typed into the form: the page of the property says that they are saved, and the next feed has them', async () => {
  const shown = fieldsIn(await page('/property/edit?id=P', cookie));
  expect(shown).toMatchObject({
    price: '345,000',
    'description-uk': 'Quiet <b> & sunny',
    sale: '1',
    status: 'Available',
  });
  const sent = await send(
    '/property/edit?id=P',
    {
      ...shown,
      price: '330.000',
      town: 'Nerja',
      no_portals: '1',
      location: '36,5101; -4,8825',
      built: '85,5',
    },
    cookie,
  );
  expect(textOf(await follow(sent, cookie))).toMatch(/Saved\. Every feed.*330,000.*Nerja/s);
  expect(await feed()).toMatch(/<price>330000<\/price>.*<town>Nerja<\/town>/s);
  const saved = fieldsIn(await page('/property/edit?id=P', cookie));
  expect([saved.no_portals, saved.not_abroad, saved.location]).toEqual([
    '1',
    undefined,
    '36.5101, -4.8825',
  ]);
});

test('a price that is stored, although the answer of D1 is lost: 503, and the next feed has it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const shown = fieldsIn(await page('/property/edit?id=P', cookie));
  expect(await feed()).not.toContain('<price>331000</price>');
  const priceOf = env.DB.prepare(
    "SELECT sale_price FROM properties WHERE identifier = 'P' AND sale_price = 331000",
  );
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch(statements);
    if ((await priceOf.first()) !== null) throw new Error('Network connection lost.');
    return results;
  };
  const DB = { prepare: env.DB.prepare.bind(env.DB), batch } as D1Database;
  const sent = await send('/property/edit?id=P', { ...shown, price: '331000' }, cookie, undefined, {
    ...env,
    DB,
  });
  expect(sent.status).toBe(503);
  expect(await feed()).toContain('<price>331000</price>');
});

test('what few properties have: 200, and the form has it afterwards', async () => {
  const few = {
    ...{
      minimum: '320,000',
      currency: 'GBP',
      floor: '3ª',
      community_fees: '93.13',
      ibi_fees: '1,019.47',
    },
    ...{
      garbage_tax: '80',
      cadastral_ref: '8638105UF1034N',
      energy_status: 'exempt',
      commission: '3 %',
    },
    ...{
      virtual_tour_url: 'https://tour.example/1',
      video_url: 'https://video.example/1',
      email: 'a@costa.example',
    },
    ...{
      new_build: '1',
      leasehold: '1',
      part_ownership: '1',
      prime: '1',
      notes: 'Keys\nat the bar',
      channels: 'coast',
    },
  };
  const before = fieldsIn(await page('/property/edit?id=P', cookie));
  expect((await send('/property/edit?id=P', { ...before, ...few }, cookie)).status).toBe(303);
  const saved = await page('/property/edit?id=P', cookie);
  expect(fieldsIn(saved)).toMatchObject(few);
  const cleared = Object.fromEntries(Object.keys(before).map((name) => [name, before[name]!]));
  expect(
    (await send('/property/edit?id=P', { ...cleared, first: fieldsIn(saved).first! }, cookie))
      .status,
  ).toBe(303);
  expect(fieldsIn(await page('/property/edit?id=P', cookie))).toEqual(before);
});

test.each([
  ['es', { beds: '99999' }, 'beds-error">Debe ser 10.000 como máximo.<'],
  ['es', { ref: 'R'.repeat(999) }, /ref-error">Debe tener (de \d+ a )?\d+ caracteres/],
  ['es', { price: 'cheap' }, 'price-error">Escriba un número'],
  ['en', { short: '1', license: 'L'.repeat(999) }, 'license-error">Must have'],
  ['en', { year: 'x', town: '' }, /<input(?=[^>]* autofocus)[^>]* name="town"/],
])(
  'refused in %s, with %j: why, at its field, in the language of the page',
  async (language, wrong, why) => {
    const shown = fieldsIn(await page('/property/edit?id=P', cookie));
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': language };
    const text = textOf(await send('/property/edit?id=P', { ...shown, ...wrong }, cookie, headers));
    expect(text).toMatch(why);
  },
);

test('the form of a unit has neither status nor sale price: saved, and those of the document stay', async () => {
  const unit = '/property/edit?id=P1';
  const shown = fieldsIn(await page(unit, cookie));
  expect([shown.price, shown.status, shown.sale]).toEqual([undefined, undefined, '1']);
  expect((await send(unit, { ...shown, area: 'Centre' }, cookie)).status).toBe(303);
  const stored = await env.DB.prepare(
    "SELECT status, sale_price, area FROM properties WHERE identifier = 'P1'",
  ).first();
  expect(stored).toEqual({ status: 'Available', sale_price: 250_000, area: 'Centre' });
});

test('sent without a change, with lines as browsers end them: nothing is saved, and the next page says so', async () => {
  const shown = fieldsOf(await page('/property/edit?id=LINES', cookie));
  const typed = shown.map(([name, value]): [string, string] => [
    name,
    value.replaceAll(/\r?\n/g, '\r\n'),
  ]);
  const response = await send('/property/edit?id=LINES', typed, cookie);
  expect(textOf(await follow(response, cookie))).toContain('Nothing was changed');
});

test('sent twice: saved, then a page that says that nothing was changed; with a further change: saved', async () => {
  const typed = {
    ...fieldsIn(await page('/property/edit?id=P', cookie)),
    price: '335.000',
    beds: '4',
  };
  expect((await send('/property/edit?id=P', typed, cookie)).status).toBe(303);
  const again = await send('/property/edit?id=P', typed, cookie);
  expect(textOf(await follow(again, cookie))).toContain('Nothing was changed');
  expect((await send('/property/edit?id=P', { ...typed, area: 'Port' }, cookie)).status).toBe(303);
});

test('a field that is wrong: 422 at the field, what was typed stays, and nothing is saved', async () => {
  const shown = fieldsIn(await page('/property/edit?id=P', cookie));
  const before = await feed();
  for (const wrong of [{ price: 'cheap' }, { town: '' }, { location: '36.5' }]) {
    const response = await send(
      '/property/edit?id=P',
      { ...shown, area: 'Typed', ...wrong },
      cookie,
    );
    expect([wrong, response.status, fieldsIn(response).area]).toEqual([wrong, 422, 'Typed']);
    expect(textOf(response)).toContain(`id="${Object.keys(wrong)[0]}-error"`);
  }
  expect(await feed()).toBe(before);
});

test.each([
  ['a rent without its offer', { rent: '1,200', license: 'VUT/1' }, ['rent', 'license']],
  ['a price after the sale was ended', { sale: '', price: '300,000' }, ['price']],
  [
    'everything that is wrong, ours and the API’s',
    {
      ...{ email: 'carmen', postcode: 'ABCDE', year: '99', location: '-4.88, 36.51' },
      ...{ virtual_tour_url: 'C:\\tour.html', video_url: 'foto.mp4', beds: '99999', town: '' },
    },
    ['location', 'town', 'postcode', 'beds', 'year', 'email', 'virtual_tour_url', 'video_url'],
  ],
])('%s: 422 with an error at each field', async (_, wrong, fields) => {
  const { sale, ...shown } = fieldsIn(await page('/property/edit?id=P', cookie));
  const typed = Object.entries({ ...shown, sale, ...wrong }).filter(([, value]) => value !== '');
  const town = 'town' in wrong ? { town: '' } : {};
  const sent = { ...Object.fromEntries(typed), ...town } as Record<string, string>;
  const response = await send('/property/edit?id=P', sent, cookie);
  expect([response.status, errorsIn(response)]).toEqual([422, fields]);
});

test('an offer that is unticked, with its price as it was shown: saved without the offer', async () => {
  const shown = fieldsIn(await page('/property/edit?id=LINES', cookie));
  const { sale: _, ...rest } = { ...shown, long: '1', rent: '900' } as Record<string, string>;
  const sent = await send('/property/edit?id=LINES', rest, cookie);
  expect(sent.status).toBe(303);
  const undo = fieldsOf(await follow(sent, cookie), '/property/edit');
  expect((await send('/property/edit?id=LINES', undo, cookie)).status).toBe(303);
  expect(fieldsIn(await page('/property/edit?id=LINES', cookie))).toEqual(shown);
});

test('a price a third of the last: asked at its field and not saved; saved once that is confirmed, for this price alone', async () => {
  const path = '/property/edit?id=P1';
  const rent = { long: '1', rent: '1,500' };
  await send(path, { ...fieldsIn(await page(path, cookie)), ...rent }, cookie);
  const typed = { ...fieldsIn(await page(path, cookie)), rent: '150' };
  const before = await feed();
  const asked = await send(path, typed, cookie);
  const sure = sureIn(asked)!;
  expect([asked.status, errorsIn(asked), fieldsIn(asked).rent]).toEqual([422, ['rent'], '150']);
  expect((await send(path, { ...typed, rent: '151', sure }, cookie)).status).toBe(422);
  expect(await feed()).toBe(before);
  const saved = await send(path, { ...typed, sure }, cookie);
  expect([saved.status, fieldsIn(await page(path, cookie)).rent]).toEqual([303, '150']);
  // Undoing it asks nothing.
  const undo = fieldsOf(await follow(saved, cookie), '/property/edit');
  expect((await send(path, undo, cookie)).status).toBe(303);
  expect(fieldsIn(await page(path, cookie)).rent).toBe('1,500');
});

test('a new property with a tenth of the price of others of its type and town, and a type with a typing error: both are asked about', async () => {
  const { accountId } = await createAgency(env.DB, 'ALIKE', []);
  const like = { town: 'Nerja', offers: { sale: { price: 300_000 } } };
  await store(env.DB, accountId, [property('A', like), property('B', like)]);
  const owner = await signIn('ALIKE');
  const { type } = fieldsIn(await page('/property/edit?id=A', owner));
  const shown = fieldsIn(await page('/property/edit', owner));
  const place = { town: 'Nerja', province: 'Málaga' };
  const typed = { ...shown, ...place, id: 'C', ref: 'C', type: type!, price: '29,999' };
  const unlike = await send('/property/edit', typed, owner);
  expect([unlike.status, errorsIn(unlike)]).toEqual([422, ['price']]);
  const wrong = { ...typed, type: 'Apartmento', price: '300,000' };
  const misspelt = await send('/property/edit', wrong, owner);
  expect([misspelt.status, errorsIn(misspelt)]).toEqual([422, ['type']]);
  const added = await send('/property/edit', { ...wrong, sure: sureIn(misspelt)! }, owner);
  expect([added.status, fieldsIn(await page('/property/edit?id=C', owner)).type]).toEqual([
    303,
    'Apartmento',
  ]);
});

test('after somebody else has changed it: 412 with what was typed and what it is now; saved once that was seen', async () => {
  const stale = fieldsIn(await page('/property/edit?id=P', cookie));
  await send('/property/edit?id=P', { ...stale, price: '320,000' }, cookie);
  const conflict = await send('/property/edit?id=P', { ...stale, price: '310,000' }, cookie);
  expect([conflict.status, fieldsIn(conflict).price]).toEqual([412, '310,000']);
  expect(textOf(conflict)).toContain('Currently: 320,000');
  expect((await send('/property/edit?id=P', fieldsIn(conflict), cookie)).status).toBe(303);
  expect(await feed()).toContain('<price>310000</price>');
});

test('after somebody else has changed other fields: both changes are saved; with one of these as well: 412, and the others stay', async () => {
  const stale = fieldsIn(await page('/property/edit?id=P', cookie));
  const theirs = {
    ...stale,
    price: '301,000',
    beds: '5',
    'description-es': 'Tres\r\ncuatro',
    garden: '1',
  };
  await send('/property/edit?id=P', theirs, cookie);
  expect((await send('/property/edit?id=P', { ...stale, area: 'Centre' }, cookie)).status).toBe(
    303,
  );
  const both = await feed();
  for (const part of ['<price>301000<', '<beds>5<', '<area>Centre<', 'Tres'])
    expect(both).toContain(part);
  const conflict = await send('/property/edit?id=P', { ...stale, beds: '6' }, cookie);
  const { beds, price, area, garden } = fieldsIn(conflict);
  expect([conflict.status, beds, price, area, garden]).toEqual([
    412,
    '6',
    '301,000',
    'Centre',
    '1',
  ]);
  expect(textOf(conflict).match(/Currently: [^<]*/g)).toEqual(['Currently: 5']);
});

test('a price, after somebody else has ended the sale: 412', async () => {
  const stale = fieldsIn(await page('/property/edit?id=P', cookie));
  const { sale, price, ...rest } = stale;
  expect(
    (await send('/property/edit?id=P', { ...rest, long: '1', rent: '900' }, cookie)).status,
  ).toBe(303);
  const conflict = await send('/property/edit?id=P', { ...stale, price: '310,000' }, cookie);
  expect([conflict.status, fieldsIn(conflict).price, price]).toEqual([412, '310,000', '301,000']);
  await send('/property/edit?id=P', { ...fieldsIn(conflict), sale: sale!, price: price! }, cookie);
});

test('undone after it was saved: the property is as before; once somebody has changed the same: 412, and theirs stays', async () => {
  const stored = async () => fieldsIn(await page('/property/edit?id=P', cookie));
  const undoIn = async (response: CompleteResponse) =>
    fieldsOf(await follow(response, cookie), '/property/edit');
  const before = await stored();
  const typed = {
    ...before,
    price: '298,000',
    features: 'Solar roof',
    'description-es': 'Cinco\r\nseis',
  };
  const { garden: _, ...unticked } = { ...typed, garage: '1' } as Record<string, string>;
  const asked = await send('/property/edit?id=P', unticked, cookie);
  const saved = await send('/property/edit?id=P', { ...unticked, sure: sureIn(asked)! }, cookie);
  expect(await stored()).toMatchObject({ price: '298,000', features: 'Solar roof' });
  // What somebody else has changed since, in another field, stays.
  await send('/property/edit?id=P', { ...(await stored()), beds: '7' }, cookie);
  const undone = await send('/property/edit?id=P', await undoIn(saved), cookie);
  expect(await stored()).toEqual({ ...before, beds: '7', first: expect.anything() });
  await send('/property/edit?id=P', { ...(await stored()), price: '297,000' }, cookie);
  const refused = await send('/property/edit?id=P', await undoIn(undone), cookie);
  expect([refused.status, (await stored()).price]).toEqual([412, '297,000']);
});

test.each([1, 2, 3, 4])(
  'changed by somebody else before transaction %d of saving it: 412, and their change stays',
  async (moment) => {
    const shown = fieldsIn(await page('/property/edit?id=P', cookie));
    const price = String(300_000 + moment);
    let transactions = 0;
    const bindings = watched(async ({ what }) => {
      if (what !== 'batch' || ++transactions !== moment) return;
      expect((await send('/property/edit?id=P', { ...shown, price }, cookie)).status).toBe(303);
    });
    const sent = await send(
      '/property/edit?id=P',
      { ...shown, price: '290000' },
      cookie,
      undefined,
      bindings,
    );
    expect([sent.status, transactions >= moment]).toEqual([412, true]);
    expect(await feed()).toContain(`<price>${price}</price>`);
  },
);

test('a new property: 303, and the feed has it; the same identifier again: 412', async () => {
  const shown = fieldsIn(await page('/property/edit', cookie));
  const typed = {
    ...shown,
    id: 'NEW-1',
    ref: 'N-1',
    type: 'Villa',
    town: 'Ronda',
    province: 'Málaga',
    price: '250.000',
    beds: '3',
    // An offer on request.
    long: '1',
    rent: '',
  };
  expect((await send('/property/edit', typed, cookie)).status).toBe(303);
  expect(await feed()).toMatch(/<id>NEW-1<\/id>.*<price>250000<\/price>/s);
  expect((await send('/property/edit', typed, cookie)).status).toBe(412);
});

test('the form of a new property: browsers require what the API requires', async () => {
  expect(requiredIn(await page('/property/edit', cookie))).toEqual([
    'type',
    'ref',
    'town',
    'province',
  ]);
});

test('a new property without an identifier: the next free reference is proposed, and is its identifier; taken meanwhile: 412 with the next', async () => {
  const { accountId } = await createAgency(env.DB, 'NUMBERED', []);
  await store(env.DB, accountId, [
    property('A', { ref: 'CS-0099' }),
    property('B', { ref: 'OTHER-5' }),
    property('C', { ref: 'CS-0098' }),
    property('D', { ref: 'CS-OLD' }),
  ]);
  const owner = await signIn('NUMBERED');
  const form = async () => ({
    ...fieldsIn(await page('/property/edit', owner)),
    ...{ type: 'Villa', town: 'Ronda', province: 'Málaga' },
  });
  const first = await form();
  expect(first).toMatchObject({ ref: 'CS-0100', id: '' });
  const added = await send('/property/edit', first, owner);
  expect([added.status, added.headers.get('Location')]).toEqual([303, '/property?id=CS-0100']);
  const again = await send('/property/edit', first, owner);
  expect([again.status, errorsIn(again)]).toEqual([412, ['ref']]);
  expect(textOf(again)).toContain('CS-0101');
  const named = await send('/property/edit', { ...first, id: 'R1', status: 'Available' }, owner);
  expect(named.headers.get('Location')).toBe('/property?id=R1');
});

test('kept off portals: saved as Withdrawn, and the page says so; listed afterwards: the feed has it', async () => {
  const path = '/property/edit?id=LINES';
  const shown = fieldsIn(await page(path, cookie));
  const kept = await send(path, { ...shown, do: 'withhold' }, cookie);
  expect(textOf(await follow(kept, cookie))).toContain('kept off portals');
  expect(await feed()).not.toContain('<id>LINES</id>');
  const again = fieldsIn(await page(path, cookie));
  expect((await send(path, { ...again, area: 'Port', do: 'save' }, cookie)).status).toBe(303);
  expect(fieldsIn(await page(path, cookie)).status).toBe('Withdrawn');
  const listed = { ...fieldsIn(await page(path, cookie)), do: 'list' };
  expect((await send(path, listed, cookie)).status).toBe(303);
  expect(await feed()).toContain('<id>LINES</id>');
});

/** What a form says that portals need. */
const needsIn = (response: CompleteResponse) => {
  const [list] = /<ul class="needs">.*?<\/ul>/s.exec(textOf(response))!;
  return [...list.matchAll(/href="#([^"]+)"/g)].map(([, href]) => href);
};

test('what portals need is said while it is typed, with links to the fields, and what each would leave out; nothing is saved', async () => {
  const { accountId } = await createAgency(env.DB, 'NEEDS', []);
  await openReader(accountId, 'sales', 'T=SALE');
  const owner = await signIn('NEEDS');
  const empty = await page('/property/edit', owner);
  expect(needsIn(empty)).toEqual([
    ...['type', 'ref', 'price', 'town', 'beds', 'energy', 'pictures', 'texts', 'texts'],
  ]);
  const typed = {
    ...fieldsIn(empty),
    ...{ ref: 'N-1', type: 'Apartment', town: 'Nerja', province: 'Málaga' },
    ...{ price: '250.000', beds: '2', built: '90 m²', consumption: 'C', emissions: 'D' },
    ...{ location: '36.75, -3.87', 'description-es': 'Piso', do: 'check' },
  };
  const checked = await send('/property/edit', typed, owner);
  expect([checked.status, needsIn(checked)]).toEqual([200, ['pictures', 'texts']]);
  expect(textOf(checked)).toMatch(/id="price-read"[^>]*>€250,000 · €2,778 per m²</);
  expect(textOf(checked)).toMatch(/id="switches".*Takes it.*<\/ul>/s);
  const { sale: _, ...rest } = typed as Record<string, string>;
  const toLet = await send('/property/edit', { ...rest, price: '', long: '1', rent: '900' }, owner);
  expect(textOf(toLet)).toMatch(
    /id="switches".*Leaves it out<.*Kind of offer not included.*<\/ul>/s,
  );
  expect(fieldsIn(toLet).rent).toBe('900');
  expect(textOf(await page('/properties', owner))).not.toContain('N-1');
});

test('what the report would say is in the form before it is saved, as typed, and for each portal; of a draft, as if it were listed', async () => {
  const { accountId } = await createAgency(env.DB, 'SAYS', []);
  const good = { beds: 2, built_area: 90, consumption: 'C', emissions: 'D' } as const;
  await store(env.DB, accountId, [
    ...VOCABULARY,
    property('DRAFT', { ...good, status: 'Withdrawn' }),
  ]);
  await openReader(accountId, 'sales', 'T=SALE');
  await env.DB.prepare("UPDATE readers SET portal = 'idealista' WHERE account_id = ?")
    .bind(accountId)
    .run();
  const owner = await signIn('SAYS');
  const path = '/property/edit?id=DRAFT';
  const said = (response: CompleteResponse) => {
    const text = textOf(response);
    const portals = /id="switches".*?(?:id="reported"|<\/section>)/s.exec(text)![0];
    const report = /id="reported".*?<\/details>/s.exec(text)![0];
    return { portals, report };
  };
  const shown = await page(path, owner);
  const rules = RULES.filter(({ code }) => ['no_pictures', 'idealista_place'].includes(code));
  const [noPictures, noPlace] = rules.map(({ fix }) => fix);
  expect(said(shown).report).toContain(noPictures);
  expect(said(shown).portals).toContain(noPlace);
  expect(said(shown).portals).not.toContain('Withdrawn');
  const typed = { ...fieldsIn(shown), location: '36.75, -3.87', built: '', do: 'check' };
  const after = await send(path, typed, owner);
  expect(said(after).portals).not.toContain(noPlace);
  const noArea = RULES.find(({ code }) => code === 'no_built_area')!.fix;
  expect([said(shown), said(after)].map(({ report }) => report.includes(noArea))).toEqual([
    false,
    true,
  ]);
  // The same as the report says once it is listed.
  const { do: _, ...same } = { ...fieldsIn(shown), do: 'save' };
  expect((await send(path, { ...same, do: 'list' }, owner)).status).toBe(303);
  const listed = textOf(await page('/property?id=DRAFT', owner));
  expect(listed).toContain(noPictures);
});

test('features as boxes: ticked ones are saved in their order, in another language too, and nothing changes if they stay', async () => {
  const path = '/property/edit?id=P';
  const typed = {
    ...fieldsIn(await page(path, cookie)),
    features: 'Setting: Close To Sea\nPool: Heated',
  };
  expect((await send(path, typed, cookie)).status).toBe(303);
  const features = async () =>
    (await env.DB.prepare(
      "SELECT document ->> '$.features' AS f FROM properties WHERE identifier = 'P'",
    ).first<{ f: string }>())!.f;
  const stored = await features();
  expect(JSON.parse(stored)).toHaveLength(2);
  const spanish = await page(path, cookie, { 'Accept-Language': 'es' });
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': 'es' };
  const reversed = fieldsIn(spanish).features!.split('\n').toReversed().join('\n');
  await send(path, { ...fieldsIn(spanish), features: reversed, area: 'Sur' }, cookie, headers);
  expect([await features(), fieldsIn(await page(path, cookie)).area]).toEqual([stored, 'Sur']);
  const none = { ...fieldsIn(await page(path, cookie)), features: '' };
  expect((await send(path, none, cookie)).status).toBe(303);
  expect(await features()).toBe('[]');
});

test.each([
  ['R'.repeat(101), 'Must have 1 to 100 characters.'],
  ['P-LT', 'Conflicts with property P: the ids differ only by the suffix -LT or -ST.'],
])('a new property with the identifier "%s": 422 that says why at the field', async (id, why) => {
  const shown = fieldsIn(await page('/property/edit', cookie));
  const typed = { ...shown, id, ref: 'N-2', type: 'Villa', town: 'Ronda', province: 'Málaga' };
  const response = await send('/property/edit', typed, cookie);
  expect([response.status, textOf(response)]).toEqual([
    422,
    expect.stringContaining(`id-error">${why}`),
  ]);
});

test('of another agency: 404', async () => {
  const stranger = await signIn('ELSEWHERE');
  expect((await page('/property/edit?id=P', stranger)).status).toBe(404);
  expect((await send('/property/edit?id=P', { town: 'X' }, stranger)).status).toBe(404);
});

test.each([
  ['price', 'price'],
  ['images/image[3]/url', undefined],
  ['description/uk', 'description-uk'],
  ['surface_area', 'built'],
  ['shortterm_low', 'low'],
  ['location', 'location'],
  ['subtype', 'type'],
  ['updated_at', undefined],
  ['', undefined],
])('from a finding about %j: the form with the focus on %j', async (node, field) => {
  const text = textOf(await page(`/property/edit?id=P&node=${encodeURIComponent(node)}`, cookie));
  const focused = [...text.matchAll(/<[^>]* autofocus=[^>]*>/g)].map(
    ([tag]) => / name="([^"]*)"/.exec(tag)?.[1],
  );
  expect(focused).toEqual(field === undefined ? [] : [field]);
});

test('a text in Russian: the form has it after the languages that portals need, and saves it', async () => {
  const { accountId } = await createAgency(env.DB, 'CYRILLIC', []);
  await store(env.DB, accountId, [property('R', { texts: { ru: { description: 'Дом' } } })]);
  const owner = await signIn('CYRILLIC');
  const form = '/property/edit?id=R';
  const tabsIn = (response: CompleteResponse) =>
    [
      ...textOf(response).matchAll(
        /<input class="vh" type="radio" name="language"([^>]*)\/>(\w+)/g,
      ),
    ].map(([, checked, name]) => `${name}${checked!.includes('checked') ? ' open' : ''}`);
  const shown = await page(form, owner);
  expect(tabsIn(shown).slice(0, 3)).toEqual(['English open', 'Spanish', 'Russian']);
  expect(tabsIn(await page(`${form}&node=title/sv`, owner))).toContain('Swedish open');
  const sent = await send(
    form,
    { ...fieldsIn(shown), 'description-ru': 'Дом у моря', 'title-sv': 'Villa' },
    owner,
  );
  expect(textOf(await follow(sent, owner))).toMatch(/Saved.*Дом у моря.*<h3>Villa</s);
});

test('only for the own website, with HTML in a text: the page says so, and shows the text as feeds have it', async () => {
  const { accountId } = await createAgency(env.DB, 'SHOWN', []);
  const texts = { uk: { description: '<b>Sea</b> & sun' } };
  await store(env.DB, accountId, [
    property('S', { texts, restrictions: ['own_website_only'] }),
    property('T', { restrictions: ['not_abroad'] }),
  ]);
  const owner = await signIn('SHOWN');
  const shown = textOf(await page('/property?id=S', owner));
  expect(shown).toMatch(/Shown on<\/dt><dd>Only on the own website<\/dd>/);
  expect(shown).toContain('&lt;b&gt;Sea&lt;/b&gt; &amp; sun');
  expect(textOf(await page('/property?id=T', owner))).toMatch(
    /Shown on<\/dt><dd>own website.*, Not on international portals<\/dd>/,
  );
});

test('the form of a unit’s property: leads to the unit, which has its status and price', async () => {
  const shown = textOf(await page('/property/edit?id=P1', cookie));
  expect(shown).toMatch(
    /Status and sale price are those of its unit: <a href="\/unit\?development=[^"]*name=A-1">A-1</,
  );
});
