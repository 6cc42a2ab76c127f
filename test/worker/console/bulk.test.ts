import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeReader } from '../../../src/readers/api/reader.ts';
import { addToChannel } from '../../../src/readers/channels.ts';
import { policyIn } from '../../../src/readers/policy.ts';
import { findReader } from '../../../src/readers/readers.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

let cookie: string;
let accountId: number;
let count = 0;
let account: string;

beforeEach(async () => {
  account = `BULK${count++}`;
  ({ accountId } = await createAgency(env.DB, account, ['A-1']));
  await store(env.DB, accountId, [
    ...VOCABULARY,
    property('ONE', { offers: { sale: { price: 345_000 } } }),
    property('TWO', {
      offers: { sale: { price: 275_050, minimum_price: 272_000 } },
      features: ['Sea'],
    }),
    property('RENT', { offers: { long_term: { rent: 900 } } }),
  ]);
  cookie = await signIn(account);
});

const PRICES = 'id=ONE&id=TWO&id=RENT&id=P1&kind=price&by=lowerPercent&amount=2&round=100';

/** What a browser sends for the boxes as they are. */
const reviewed = (path: string) => page(path, cookie);

async function pricesNow(): Promise<unknown> {
  const { results } = await env.DB.prepare(
    'SELECT identifier, sale_price FROM properties WHERE account_id = ? AND sale_price IS NOT NULL ORDER BY 1',
  )
    .bind(accountId)
    .raw<[string, number]>()
    .then((rows) => ({ results: rows }));
  return Object.fromEntries(results.filter(([id]) => id !== 'P1'));
}

async function saved(path: string, more: [string, string][] = []): Promise<CompleteResponse> {
  const shown = await reviewed(path);
  return send(path, [...fieldsOf(shown), ...more], cookie);
}

describe('/properties/change', () => {
  const path = `/properties/change?${PRICES}`;

  test('a review: what changes, why the others do not, and nothing is saved', async () => {
    const text = textOf(await reviewed(path));
    expect(text).toMatch(/345,000.*338,100/s);
    expect(text).toMatch(/275,050.*269,500.*below the vendor’s lowest, €272,000/s);
    expect(text).toContain('Has no sale price');
    expect(text).toContain('Its unit decides this');
    expect(await pricesNow()).toEqual({ ONE: 345_000, TWO: 275_050 });
  });

  test('saved once what is doubtful is agreed, in every feed, and undone', async () => {
    expect((await saved(path)).status).toBe(422);
    expect(await pricesNow()).toEqual({ ONE: 345_000, TWO: 275_050 });
    const response = await saved(path, [['sure', '1']]);
    expect(await pricesNow()).toEqual({ ONE: 338_100, TWO: 269_500 });
    expect((await fetchFeed(`U=OWNPROPERTIES@${account}&P=demo&FV=3`)).xml).toContain(
      '<price>338100</price>',
    );
    const list = await follow(response, cookie);
    const [action] = /\/undo\?batch=[^"]*/.exec(textOf(list))!;
    const undone = await send(action, { do: 'save' }, cookie);
    expect(undone.status).toBe(303);
    expect(await pricesNow()).toEqual({ ONE: 345_000, TWO: 275_050 });
  });

  test('what somebody has changed since it was shown is left alone and named, and undo leaves it as well', async () => {
    const fields: [string, string][] = [...fieldsOf(await reviewed(path)), ['sure', '1']];
    await store(env.DB, accountId, [
      property('ONE', { offers: { sale: { price: 300_000 } }, ref: 'MINE' }),
    ]);
    const response = await send(path, fields, cookie);
    expect(await pricesNow()).toEqual({ ONE: 300_000, TWO: 269_500 });
    const list = textOf(await follow(response, cookie));
    expect(list).toMatch(/class="notice warn".*in the meantime: MINE\./s);
    const [again] = /\/properties\/change\?[^"]*/.exec(list)!;
    expect(textOf(await page(again.replaceAll('&amp;', '&'), cookie))).toMatch(/name="row"/);
    const [action] = /\/undo\?batch=[^"]*/.exec(list)!;
    await store(env.DB, accountId, [property('TWO', { offers: { sale: { price: 2 } }, beds: 4 })]);
    const undoing = textOf(await page(action, cookie));
    expect(undoing).toMatch(/Nothing is left to undo.*R-TWO/s);
    await send(action, { do: 'save' }, cookie);
    expect(await pricesNow()).toEqual({ ONE: 300_000, TWO: 2 });
  });

  test('a price that is not that of its neighbours in type and town, which it was not before either: asked about, as in the form', async () => {
    const near = (id: string, price: number) =>
      property(id, { town: 'Nerja', offers: { sale: { price } } });
    await store(env.DB, accountId, [near('A', 300_000), near('B', 310_000), near('C', 31_000)]);
    const lower = '/properties/change?id=C&kind=price&by=lowerPercent&amount=10&round=1';
    expect(textOf(await reviewed(lower))).toMatch(/€27,900: others of this type.*€310,000/);
    expect((await saved(lower)).status).toBe(422);
    expect((await saved(lower, [['sure', '1']])).status).toBe(303);
    // Areas are not changed, and so not asked about.
    const status = '/properties/change?id=C&kind=status&to=Sold';
    expect(textOf(await reviewed(status))).not.toContain('name="sure"');
  });

  test('the box of a page: its rows, with one that was ticked as well, and an identifier with spaces', async () => {
    await store(env.DB, accountId, [property('WITH A SPACE')]);
    const query = new URLSearchParams({ kind: 'status', to: 'Sold', id: 'ONE' });
    query.set('these', 'ONE\r\nWITH A SPACE');
    const response = await saved(`/properties/change?${query}`);
    expect(response.status).toBe(303);
    const sold = await env.DB.prepare(
      "SELECT identifier FROM properties WHERE account_id = ? AND status = 'Sold' ORDER BY 1",
    )
      .bind(accountId)
      .all();
    expect(sold.results.map(({ identifier }) => identifier)).toEqual(['ONE', 'WITH A SPACE']);
  });

  test('an unticked row stays as it is', async () => {
    const fields = fieldsOf(await reviewed(path)).filter(([, value]) => value !== 'TWO');
    expect((await send(path, fields, cookie)).status).toBe(303);
    expect(await pricesNow()).toEqual({ ONE: 338_100, TWO: 275_050 });
  });

  test('all that a filter finds, counted again: withdrawn', async () => {
    const response = await saved('/properties/change?all=1&offer=sale&to=Withdrawn');
    expect(response.status).toBe(303);
    const { results } = await env.DB.prepare(
      "SELECT identifier FROM properties WHERE account_id = ? AND status = 'Withdrawn' ORDER BY 1",
    )
      .bind(accountId)
      .all();
    expect(results.map(({ identifier }) => identifier)).toEqual(['ONE', 'P1', 'TWO']);
  });

  test('two features, one by its name: each is added where it is missing, and both are removed', async () => {
    const both = 'id=ONE&id=TWO&kind=feature&feature=Sea&feature=golf';
    const stored = async () => {
      const rows = await env.DB.prepare(
        `SELECT identifier, document -> '$.features' FROM properties
          WHERE account_id = ? AND identifier IN ('ONE', 'TWO')`,
      )
        .bind(accountId)
        .raw<[string, string]>();
      return Object.fromEntries(rows.map(([id, features]) => [id, JSON.parse(features)]));
    };
    await saved(`/properties/change?${both}&how=add`);
    expect(await stored()).toEqual({ ONE: ['Sea', 'Golf'], TWO: ['Sea', 'Golf'] });
    expect(textOf(await reviewed(`/properties/change?${both}&how=add`))).not.toContain(
      'name="row"',
    );
    await saved('/properties/change?id=ONE&kind=feature&how=remove&feature=Sea&feature=Golf');
    expect(await stored()).toEqual({ ONE: [], TWO: ['Sea', 'Golf'] });
  });

  const inFeed = async (key: string) => {
    const { xml } = await fetchFeed(`U=OWNPROPERTIES@${account}&P=${key}&FV=3`);
    return [...xml.matchAll(/<id>(\w+)<\/id>/g)].map(([, id]) => id);
  };

  test('out of a portal without a channel, and back: by its rules, in its feed, undone; what it leaves out anyway says why', async () => {
    const key = await openReader(accountId, 'kyero', 'FV=3&T=SALE');
    const change = '/properties/change?id=ONE&id=TWO&id=RENT&kind=portal&portal=kyero';
    expect(textOf(await reviewed(`${change}&move=out`))).toContain('Kind of offer not included');
    const shown = fieldsOf(await reviewed(`${change}&move=out`));
    const response = await send(`${change}&move=out`, shown, cookie);
    expect(await inFeed(key)).toEqual(['P1']);
    expect((await send(`${change}&move=out`, shown, cookie)).status).toBe(412);
    expect(textOf(await page('/property?id=TWO', cookie))).toMatch(/Switched off by .* on \d/);
    const [undoing = ''] = /\/properties\/change\?[^"]*move=in[^"]*/.exec(
      textOf(await page('/settings/log', cookie)),
    )!;
    expect(textOf(await page(undoing.replaceAll('&amp;', '&'), cookie))).toMatch(/In its feed/);
    const list = textOf(await follow(response, cookie));
    const [, action = ''] = /action="(\/properties\/change[^"]*)"/.exec(list)!;
    await send(action.replaceAll('&amp;', '&'), { do: 'save', every: '1' }, cookie);
    expect(await inFeed(key)).toEqual(['P1', 'ONE', 'TWO']);
    expect(textOf(await page('/settings/log', cookie))).toMatch(/ONE, kyero: on → off/);
    const reader = { accountId, name: 'kyero' };
    expect(policyIn((await findReader(env.DB, reader))!.policy).selection).toBe(undefined);
    await changeReader(env.DB, reader, { selection: { photographs: 9 } }, SOMEBODY);
    await saved(`${change}&move=in`);
    expect(policyIn((await findReader(env.DB, reader))!.policy).selection).toEqual({
      photographs: 9,
      include: ['ONE', 'TWO'],
    });
  });

  test('into the channel of a portal, which another one has as well: by the listings, undone with them', async () => {
    const channel = await openChannel(env.DB, { accountId, name: 'coast' });
    const key = await openReader(accountId, 'kyero', 'FV=3', false, channel);
    await openReader(accountId, 'other', 'FV=3', false, channel);
    await addToChannel(env.DB, { accountId, name: 'coast' }, ['ONE'], { kind: 'account' });
    const path = '/properties/change?id=ONE&id=TWO&kind=portal&portal=kyero&move=in';
    expect(textOf(await reviewed(path))).toMatch(/also for other.*It is so already/s);
    const list = textOf(await follow(await saved(path), cookie));
    expect(await inFeed(key)).toEqual(['ONE', 'TWO']);
    expect(textOf(await page('/settings/log', cookie))).toMatch(/href="\/undo\?batch=bulk/);
    const [action] = /\/undo\?batch=[^"]*/.exec(list)!;
    await send(action, { do: 'save' }, cookie);
    expect(await inFeed(key)).toEqual(['ONE']);
  });

  test.each([
    'kind=price',
    'kind=price&amount=x',
    'kind=status',
    'kind=portal',
    'kind=feature',
    '',
  ])('without what to change, as %s: the form, and nothing to save', async (query) => {
    const text = textOf(await reviewed(`/properties/change?id=ONE&${query}`));
    expect(text).not.toContain('name="row"');
  });
});

describe('/undo', () => {
  test('a change from the history: its fields go back, others stay', async () => {
    await store(env.DB, accountId, [
      property('ONE', {
        offers: { sale: { price: 300_000 } },
        status: 'Under Offer',
        notes: 'New',
      }),
    ]);
    await store(env.DB, accountId, [
      property('ONE', {
        offers: { sale: { price: 300_000 } },
        status: 'Sale Agreed',
        notes: 'New',
        beds: 5,
      }),
    ]);
    const history = textOf(await page('/property?id=ONE', cookie));
    const links = [...history.matchAll(/\/undo\?id=ONE&amp;change=\d+/g)].map(([link]) =>
      link.replaceAll('&amp;', '&'),
    );
    const first = links.at(-1)!;
    expect(textOf(await page(first, cookie))).toMatch(/300,000.*345,000.*Status: Sale agreed/s);
    const sent = await send(first, { do: 'save' }, cookie);
    expect(textOf(await follow(sent, cookie))).toContain('R-ONE');
    const stored = await env.DB.prepare(
      `SELECT status, sale_price, document ->> '$.notes' AS notes, document ->> '$.beds' AS beds
         FROM properties WHERE account_id = ? AND identifier = 'ONE'`,
    )
      .bind(accountId)
      .first();
    expect(stored).toEqual({ status: 'Sale Agreed', sale_price: 345_000, notes: null, beds: 5 });
  });

  test('an import as a whole: what it added is withdrawn, what it changed goes back, and what somebody has worked on stays', async () => {
    const run = await env.DB.prepare(
      `INSERT INTO imports (account_id, state, options, ended_at)
       VALUES (?, 'finished', '{}', unixepoch()) RETURNING id`,
    )
      .bind(accountId)
      .first('id');
    const batch = `import:${run}`;
    await store(
      env.DB,
      accountId,
      [
        property('ONE', {
          town: 'Nerja',
          pictures: ['https://a.example/1.jpg'],
          texts: { uk: { title: 'T', description: null, url: null } },
        }),
        property('ADDED'),
        property('WORKED'),
      ],
      { batch },
    );
    await store(env.DB, accountId, [property('WORKED', { beds: 3 })]);
    const text = textOf(await page(`/undo?batch=${batch}`, cookie));
    expect(text).toMatch(/R-WORKED/);
    expect((await send(`/undo?batch=${batch}`, { do: 'save' }, cookie)).status).toBe(303);
    const { results } = await env.DB.prepare(
      `SELECT identifier, status, town, pictures, texts FROM properties
        WHERE account_id = ? AND identifier IN ('ONE', 'ADDED', 'WORKED') ORDER BY number`,
    )
      .bind(accountId)
      .all();
    const rest = { town: 'Marbella', pictures: '[]', texts: '{}' };
    expect(results).toEqual([
      { identifier: 'ONE', status: 'Available', ...rest },
      { identifier: 'ADDED', status: 'Withdrawn', ...rest },
      { identifier: 'WORKED', status: 'Available', ...rest },
    ]);
  });

  test('after a month: 404; of another account: 404', async () => {
    await store(env.DB, accountId, [property('ONE', { beds: 9 })]);
    const change = await env.DB.prepare('SELECT change FROM property_history WHERE account_id = ?')
      .bind(accountId)
      .first('change');
    const path = `/undo?id=ONE&change=${change}`;
    expect((await page(path, cookie)).status).toBe(200);
    await createAgency(env.DB, `${account}X`, []);
    expect((await page(path, await signIn(`${account}X`))).status).toBe(404);
    await env.DB.prepare(
      'UPDATE property_history SET changed_at = unixepoch() - 31 * 86400 WHERE account_id = ?',
    )
      .bind(accountId)
      .run();
    expect((await page(path, cookie)).status).toBe(404);
  });
});
