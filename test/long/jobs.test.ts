import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode } from '../../src/lib/secrets/totp.ts';
import { kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { png } from '../support/documents/pictures.ts';
import { type Listening, listen } from '../support/network/listen.ts';
import { SHARED } from '../support/processes/operator.ts';
import { type Effort, Hand } from './hand.ts';
import { origin, photograph, signIn, useBrowser, visit } from './visitor.ts';

useBrowser(SHARED);

/** What jobs have taken. */
const efforts: Record<string, Effort & { readonly seconds: number }> = {};

afterAll(() => {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) writeFileSync(`${SCREENSHOTS}/jobs.json`, JSON.stringify(efforts, null, 1));
});

/** The program of a client of the agency: its listings, and what it is told. */
let elsewhere: Listening;

beforeAll(async () => {
  elsewhere = await listen((_request, response) => response.end(feedOf(3)));
});
afterAll(() => elsewhere.stop());

function feedOf(count: number): string {
  const nodes = { type: 'Casa Mata', town: 'Nerja', price: '345000' };
  return kyeroFeed(Array.from({ length: count }, (_, index) => kyeroRecord(`N-${index}`, nodes)));
}

/** Somebody at home, signed in. */
async function atHome(device: Parameters<typeof visit>[0] = {}) {
  const visited = await visit(device);
  await signIn(visited.page);
  return { ...visited, hand: new Hand(visited.page) };
}

/** A job is done, with at most this effort. */
async function expectDone(name: string, { page, clicks, keys, seconds }: Hand, most: Effort) {
  efforts[name] = { clicks, keys, seconds: Math.round(seconds) };
  await photograph(page, `job-${name}`);
  expect(clicks, `clicks of ${name}`).toBeLessThanOrEqual(most.clicks);
  expect(keys, `keys of ${name}`).toBeLessThanOrEqual(most.keys);
}

/** What stands in the clipboard. */
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

async function feed(file: string, query: string): Promise<string> {
  return (await fetch(`${origin}/${file}?U=OWNPROPERTIES@DEMO&${query}`)).text();
}

test('somebody signs in', async () => {
  const { context, page } = await visit();
  const hand = new Hand(page);
  await page.goto(origin);
  await hand.fill(page.locator('[name=account]'), 'demo');
  await hand.fill(page.locator('[name=password]'), 'demo');
  await hand.button('Sign in');
  await page.locator('form[action="/sign-out"]').first().waitFor();
  await expectDone('sign in', hand, { clicks: 3, keys: 8 });
  await context.close();
});

const SPANISH =
  'Villa luminosa con vistas al mar, a diez minutos a pie de la playa de Burriana y del centro de Nerja.';
const ENGLISH =
  'A bright villa with views of the sea, ten minutes on foot from Burriana beach and the centre of Nerja.';

test('a villa with twelve photographs: at most a minute of typing and clicking', async () => {
  const { context, page, hand } = await atHome();
  const field = (name: string) => page.locator(`main [name="${name}"]`);
  await hand.link('Add a property');
  await hand.fill(field('type'), 'Villa');
  await hand.fill(field('price'), '1250000');
  await hand.paste(
    field('location'),
    'https://www.google.com/maps/place/Burriana/@36.7512,-3.8694,17z',
  );
  await hand.press('Tab');
  await hand.typeOn(['Nerja', '', '29780', 'Málaga']);
  await hand.click(field('beds'));
  await hand.typeOn(['4', '3', '312', '800']);
  await hand.click(page.locator('label.tick', { has: page.locator('[name=pool]') }));
  await hand.click(page.locator('.letter.lc').first());
  await hand.click(page.locator('.letter.ld').nth(1));
  await hand.paste(field('description-uk'), ENGLISH);
  await hand.click(page.locator('.tab', { hasText: 'Spanish' }));
  await hand.paste(field('description-es'), SPANISH);
  await hand.button('Save and list');
  await hand.link('Photographs');
  const files = Array.from({ length: 12 }, (_, index) => ({
    name: `${index}.png`,
    mimeType: 'image/png',
    buffer: Buffer.from(png(1_300, 1_000, 1_000, index)),
  }));
  await hand.chooseFiles(page.locator('#files'), files);
  await expect.poll(() => page.locator('.photo').count()).toBe(12);
  expect(hand.seconds).toBeLessThanOrEqual(60);
  await expectDone('villa', hand, { clicks: 16, keys: 47 });
  const xml = await feed('CreateXMLFeedV3.asp', 'P=demo&FV=3&IC=0');
  const [own] = xml.split('<property>').filter((one) => one.includes('<price>1250000</price>'));
  expect(own!.match(/<image /g)).toHaveLength(12);
  await context.close();
});

test('a price is changed, a home is sold, and that is undone', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Properties');
  await hand.fill(page.locator('main input[type=search]'), 'cs-1001');
  await hand.press('Enter');
  await page.waitForURL(/q=cs-1001/);
  await hand.follow(page.locator('main tbody a').first());
  await hand.link('Edit');
  await hand.fill(page.locator('[name=price]'), '339000');
  await hand.button('Save');
  await page.getByRole('status').waitFor();
  await expectDone('price', hand, { clicks: 6, keys: 15 });

  const sale = new Hand(page);
  await sale.link('Edit');
  await sale.choose(page.locator('select[name=status]'), 'Sold');
  await sale.button('Save');
  await page.locator('.head .chip', { hasText: 'Sold' }).waitFor();
  await expectDone('sold', sale, { clicks: 4, keys: 0 });

  const undo = new Hand(page);
  await undo.button('Undo');
  await page.locator('.head .chip', { hasText: 'Available' }).waitFor();
  await expectDone('undo', undo, { clicks: 1, keys: 0 });
  expect(await feed('CreateXMLFeedV3.asp', 'P=demo&FV=3')).toMatch(
    /<id>R4100001<\/id>.*?<status>Available.*?<price>339000</s,
  );
  await context.close();
});

test('Kyero and Idealista are connected, and their feeds fetched; who has fetched them', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Portals');
  await hand.link('Connect a portal');
  await hand.link(/^Kyero/);
  await hand.follow(page.locator('form[data-keep] .primary'));
  await hand.click(page.getByRole('button', { name: 'Copy' }).first());
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await expectDone('connect Kyero', hand, { clicks: 5, keys: 0 });
  const kyero = await (await fetch(await copied(page))).text();
  expect(kyero).toContain('<kyero>');

  const second = new Hand(page);
  await second.link('Portals');
  await second.link('Connect a portal');
  await second.link(/^Idealista/i);
  await second.paste(page.locator('[name=CustomerCode]'), `ilc${'0'.repeat(40)}`);
  await second.follow(page.locator('form[data-keep] .primary'));
  await second.click(page.getByRole('button', { name: 'Copy' }).first());
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await expectDone('connect Idealista', second, { clicks: 6, keys: 1 });
  expect(await (await fetch(await copied(page))).json()).toHaveProperty('customerProperties');

  const third = new Hand(page);
  await third.link('Portals');
  await third.link(/^Kyero/);
  await page.getByRole('heading', { name: /^Kyero last fetched its feed/ }).waitFor();
  await expectDone('who fetched', third, { clicks: 2, keys: 0 });
  await context.close();
});

test('by keyboard alone, a listing is found, its price changed, and that undone', async () => {
  const { context, page, hand } = await atHome();
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.textContent.trim() || document.activeElement.name',
    );
  const goTo = async (name: string) => {
    for (let step = 0; step < 60 && (await focused()) !== name; step++) await hand.press('Tab');
    expect(await focused()).toBe(name);
  };
  const enter = () => Promise.all([page.waitForEvent('load'), hand.press('Enter')]);
  await goTo('Properties');
  await enter();
  await hand.press('/');
  await hand.type('cs-1002');
  await enter();
  await hand.press('j');
  await Promise.all([page.waitForEvent('load'), hand.press('e')]);
  await goTo('price');
  const before = await page.locator('[name=price]').inputValue();
  await hand.type('570000');
  await enter();
  await page.getByRole('status').getByText('Saved').waitFor();
  await expectDone('price by keyboard', hand, { clicks: 0, keys: 56 });
  await goTo('Undo');
  await enter();
  await page.goto(`${origin}/property/edit?id=R4100008`);
  expect(await page.locator('[name=price]').inputValue()).toBe(before);
  await context.close();
});

test('why a listing is not on a portal', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Properties');
  await hand.fill(page.locator('main input[type=search]'), 'cs-1052');
  await hand.press('Enter');
  await page.waitForURL(/q=cs-1052/);
  await hand.follow(page.locator('main tbody a').first());
  expect(await page.locator('#portals').textContent()).toContain('Sold');
  await expectDone('why not', hand, { clicks: 3, keys: 8 });
  await context.close();
});

/** Forty units, as a spreadsheet copies them: two blocks of five floors. */
const TABLE = [
  'Vivienda\tTipo\tDormitorios\tSuperficie\tTerraza\tPVP\tEstado\tOrientación',
  ...['A', 'B'].flatMap((block, side) =>
    [1, 2, 3, 4, 5].flatMap((floor) =>
      [1, 2, 3, 4].map((door) => {
        const price = `${300 + 20 * floor + 9 * door}.000 €`;
        const status = ['Disponible', 'Vendida', 'Disponible', 'Reservada', 'Bloqueada'][
          (side + floor + door) % 5
        ];
        const cells = [
          2 + (door % 2),
          `${80 + 4 * door} m²`,
          16,
          price,
          status,
          ['S', 'SO'][door % 2],
        ];
        return [`${block}-${floor}0${door}`, 'Apartment', ...cells].join('\t');
      }),
    ),
  ),
].join('\n');

test('a development with forty units from a spreadsheet', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Developments');
  await hand.link('Add a development');
  await hand.fill(page.locator('[name=name]'), 'Mirador de Burriana');
  await hand.fill(page.locator('[name=town]'), 'Nerja');
  await hand.fill(page.locator('[name=province]'), 'Málaga');
  await hand.button('Create it');
  await hand.link('Add units');
  await hand.paste(page.locator('[name=table]'), TABLE);
  await hand.button('Read the table');
  await hand.button('Save 40 units');
  // From the first to the last on one screen.
  const edges: { readonly top: number; readonly bottom: number }[] = await page.evaluate(
    "[...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect().toJSON())",
  );
  expect(edges.length).toBe(40);
  const height =
    Math.max(...edges.map(({ bottom }) => bottom)) - Math.min(...edges.map(({ top }) => top));
  expect(height).toBeLessThan(600);
  await expectDone('forty units', hand, { clicks: 10, keys: 31 });
  await context.close();
});

test('five units get other prices; one is reserved on a telephone, and one sold without JavaScript', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Developments');
  await hand.link(/Sol Azul/);
  await hand.link('As a table');
  const fields = page.locator('main table input[inputmode=decimal]');
  for (let index = 0; index < 5; index++) await hand.fill(fields.nth(index), `${301 + index}000`);
  await hand.button('Review the changes');
  await hand.button('Save');
  await page.getByText('5 units').first().waitFor();
  await expectDone('five prices', hand, { clicks: 10, keys: 35 });
  await context.close();

  for (const [job, device, name, status] of [
    ['reserve', { width: 390 }, 'A-101', 'Reserved'],
    ['sell', { javaScript: false }, 'A-102', 'Sold'],
  ] as const) {
    const other = await atHome(device);
    await other.hand.link('Developments');
    await other.hand.link(/Sol Azul/);
    const cell = other.page.locator('.cell', { hasText: name });
    await other.hand.click(cell.locator('b'));
    await other.hand.choose(other.page.locator('select[name=status]'), status);
    await other.hand.button('Review the changes');
    await other.hand.button('Save');
    await other.page.getByText('1 unit was saved').waitFor();
    expect(await cell.textContent()).toContain(status[0]);
    await expectDone(job, other.hand, { clicks: 7, keys: 0 });
    await other.context.close();
  }
});

test('thirty listings are uploaded, and what their type means is said', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Imports');
  const file = { name: 'feed.xml', mimeType: 'text/xml', buffer: Buffer.from(feedOf(30)) };
  await hand.chooseFiles(page.getByLabel('File', { exact: true }), [file]);
  await hand.button('Send the file');
  await page.getByRole('heading', { name: 'This is what would change' }).waitFor();
  await hand.button('Import it now');
  await page.getByRole('heading', { name: 'The import is complete' }).waitFor();
  expect(await page.locator('#created').textContent()).toBe('30');
  await expectDone('upload', hand, { clicks: 6, keys: 1 });

  const names = new Hand(page);
  await names.fill(page.getByRole('combobox', { name: 'Casa Mata means' }), 'Townhouse');
  await names.button('Save');
  await page.getByRole('status').waitFor();
  await expectDone('map names', names, { clicks: 2, keys: 9 });

  const schedule = new Hand(page);
  await schedule.link('Imports');
  await schedule.link('Add an address');
  await schedule.paste(page.locator('[name=url]'), `${elsewhere.origin}/feed.xml`);
  await schedule.press('Tab');
  await schedule.type('crm');
  await schedule.button('Save');
  await page.getByRole('heading', { name: 'The import is complete' }).waitFor();
  await expectDone('schedule', schedule, { clicks: 4, keys: 5 });
  await context.close();
});

test('a program and a webhook', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Settings');
  await hand.link('Programs');
  await hand.link('Connect a program');
  await hand.fill(page.locator('[name=id]'), 'crm');
  await hand.button('Create its secret');
  await hand.click(page.getByRole('button', { name: 'Copy' }).nth(1));
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const token = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'crm',
      client_secret: await copied(page),
    }),
  });
  expect(token.status).toBe(200);
  await expectDone('client', hand, { clicks: 6, keys: 3 });

  const webhook = new Hand(page);
  await webhook.link('Settings');
  await webhook.link('Webhooks');
  await webhook.link('Add a webhook');
  await webhook.fill(page.locator('[name=name]'), 'crm');
  await webhook.paste(page.locator('[name=url]'), `${elsewhere.origin}/news`);
  await webhook.button('Create it and show its secret');
  await webhook.click(page.getByRole('button', { name: 'Copy' }));
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await copied(page)).toMatch(/^whsec_/);
  await expectDone('webhook', webhook, { clicks: 7, keys: 4 });
  await context.close();
});

// The last one: once an account has an owner, its password signs nobody in.
test('somebody is invited, and turns on a second factor', async () => {
  const { context, page, hand } = await atHome();
  await hand.link('Settings');
  await hand.fill(page.locator('[name=name]'), 'Carmen');
  await hand.button('Create a link');
  await hand.click(page.getByRole('button', { name: 'Copy' }));
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await copied(page);
  await expectDone('invite', hand, { clicks: 4, keys: 6 });
  await context.close();

  const invited = await visit();
  await invited.page.goto(link);
  const own = new Hand(invited.page);
  await own.fill(invited.page.locator('[name=password]'), 'nerja-carmen-1');
  await own.press('Enter');
  await invited.page.waitForURL(/account=DEMO/);
  await own.fill(invited.page.locator('[name=password]'), 'nerja-carmen-1');
  await own.button('Sign in');
  const settings = new Hand(invited.page);
  await settings.link('Settings');
  await settings.link('Your sign-in');
  const secret = await invited.page.locator('main code').textContent();
  const code = totpCode(secret!, Date.now() / 1000);
  await settings.fill(invited.page.locator('[name=code]'), code);
  await settings.typeOn(['', 'nerja-carmen-1']);
  await settings.button('Turn on');
  await invited.page
    .getByRole('heading', { name: /recovery/i })
    .first()
    .waitFor();
  await expectDone('second factor', settings, { clicks: 4, keys: 21 });
  await invited.context.close();
});
