import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE } from '../../src/demo/life/people-and-portals.ts';
import { kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { type Faults, seriousViolations, violations } from '../support/processes/browser.ts';
import { SHARED } from '../support/processes/operator.ts';
import { expectToFit, origin, photograph, signIn, useBrowser, visit } from './visitor.ts';

useBrowser(SHARED, true);

/** The words in the cells of tables that are broken over lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('td')].flatMap((cell) => {
  const broken = [];
  const nodes = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

/** Leaves operations that have every kind of element between them: for all of them, axe takes a minute. */
async function keepTypicalOperations(page: Page): Promise<void> {
  const kept = ['getFeed', 'patchProperty', 'updateUnitByName'].map(
    (id) => `:not([data-section-id$="/${id}"])`,
  );
  const operations = '[data-section-id^="tag/"][data-section-id*="/operation/"]';
  await page.evaluate(
    `document.querySelectorAll('${operations}${kept.join('')}').forEach((one) => one.remove())`,
  );
  expect(await page.locator(operations).count()).toBe(kept.length);
}

test('the page /docs: every operation, found by searching; nothing from elsewhere; accessible in light and dark colors, no wider than 360 px', async () => {
  const { context, page, faults } = await visit();
  const operation = page.getByRole('heading', { name: 'Update a unit' });
  await page.goto(`${origin}/docs`);
  await operation.waitFor();
  await page.getByPlaceholder('Search').fill('units with names');
  await page
    .getByRole('search')
    .getByRole('menuitem', { name: /Update several units/ })
    .waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectToFit(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await keepTypicalOperations(page);
  expect(await seriousViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await operation.waitFor();
  await keepTypicalOperations(page);
  expect(await seriousViolations(page, ['color-contrast'])).toEqual([]);
  expect(faults).toEqual({ foreign: [], errors: [] });
  await context.close();
});

/** The most pages of a path: lists have one for each way of filtering them. */
const MOST_OF_PATH = 4;

/** Each page that links lead to from the home page: of a path, those with other names of parameters. */
async function reachedFrom(page: Page): Promise<string[]> {
  const reached = new Map<string, string>();
  const countOf = new Map<string, number>();
  const toVisit = ['/'];
  for (const path of toVisit) {
    const { pathname, searchParams } = new URL(path, origin);
    const key = [pathname, ...new Set(searchParams.keys())].join('&');
    const count = countOf.get(pathname) ?? 0;
    if (reached.has(key) || count === MOST_OF_PATH) continue;
    const response = await page.request.get(origin + path, { headers: { Accept: 'text/html' } });
    const html = await response.text();
    if (!html.includes('/console/console.css')) continue;
    reached.set(key, path);
    countOf.set(pathname, count + 1);
    for (const [, href] of html.matchAll(/ href="(\/[^"#]*)/g))
      toVisit.push(href!.replaceAll('&amp;', '&'));
  }
  return [...reached.values()];
}

/** Pages of guests, and of what does not exist. */
const OTHERS = ['/invitation?account=DEMO&token=none', '/nothing', '/unit?development=none&name=A'];

const send = async (page: Page, target: string) => {
  await Promise.all([page.waitForEvent('load'), page.locator(target).first().click()]);
};

/** Sends a form without what the browser itself would refuse. */
const sendWrong = async (page: Page, target: string) => {
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  await send(page, target);
};

/** What forms lead to: questions, reviews, refusals, and what is shown once, by the path of the form. */
const FORMS: Readonly<
  Record<string, readonly [path: string, lead: (page: Page) => Promise<void>]>
> = {
  'a review of units': [
    '/units?development=sol-azul',
    async (page) => {
      await page.locator('label.cell b').first().click();
      await page.locator('[name=by]').selectOption('lowerPercent');
      await page.locator('[name=amount]').fill('80');
      await send(page, '[value=several]');
      await page.locator('[name=sure]').waitFor();
    },
  ],
  'no units chosen': ['/units?development=sol-azul', (page) => send(page, '[value=several]')],
  'units with wrong prices': [
    '/units?development=sol-azul&edit=1',
    async (page) => {
      await page.locator('td input[inputmode]').first().fill('much');
      await send(page, 'main form .primary');
      await page.locator('[aria-invalid]').waitFor();
    },
  ],
  'a unit with a wrong price': [
    '/unit?development=sol-azul&name=A-101',
    async (page) => {
      await page.locator('[name=price]').fill('-1');
      await send(page, 'main form .primary');
      await page.locator('[aria-invalid]').waitFor();
    },
  ],
  'a pasted table': [
    '/units/add?development=sol-azul',
    async (page) => {
      await page.locator('[name=table]').fill('C-101\tApartment\t2\t80\t300000\tS\nC-102\tVilla');
      await send(page, '[value=read]');
      await page.locator('[name=reviewed]').waitFor({ state: 'attached' });
    },
  ],
  'a pasted table with mistakes': [
    '/units/add?development=sol-azul',
    async (page) => {
      await page
        .locator('[name=table]')
        .fill('Unit\tPrice\tStatus\nC-101\tmuch\tgone\nA-101\t1\t1');
      await send(page, '[value=read]');
      await page.locator('td .error').waitFor();
    },
  ],
  'a development without a name': [
    '/developments/edit',
    (page) => sendWrong(page, 'main .primary'),
  ],
  'a property that is doubtful': [
    '/property/edit?id=R4100001',
    async (page) => {
      await page.locator('[name=price]').fill('34000');
      await page.locator('[name=email]').fill('carmen');
      await send(page, '.savebar .primary');
      await page.locator('[aria-invalid]').first().waitFor();
    },
  ],
  'a new property without anything': [
    '/property/edit',
    (page) => sendWrong(page, '.savebar .primary'),
  ],
  'a deletion that was not confirmed': [
    '/property/edit?id=R4100001',
    (page) => sendWrong(page, '[value=delete]'),
  ],
  'a selection in the list': [
    '/properties?status=Available',
    async (page) => {
      await page.locator('summary', { hasText: 'Save this view' }).click();
      await page.locator('input[name=id]').first().check();
    },
  ],
  ...Object.fromEntries(
    [
      'status&to=Sold',
      'price&by=lowerPercent&amount=40',
      'portal&portal=kyero&move=out',
      'feature',
    ].map((kind) => [
      `a review of listings: ${kind}`,
      [`/properties/change?id=R4100001&id=R4100002&kind=${kind}`, async () => {}] as const,
    ]),
  ),
  'listings that were saved': [
    '/properties/change?id=R4100001&id=R4100002&kind=status&to=Sold',
    async (page) => {
      await send(page, 'form[method=post] .primary');
      await page.locator('.notice form').waitFor();
    },
  ],
  'what a portal would get': [
    '/portals/contents?name=kyero',
    (page) => send(page, '[value=count]'),
  ],
  'a portal without its code': [
    '/portals/connect?portal=idealista',
    (page) => sendWrong(page, 'form[data-keep] .primary'),
  ],
  'a portal that is connected': [
    '/portals/connect?portal=kyero',
    (page) => send(page, 'form[data-keep] .primary'),
  ],
  'the address of an import that is none': [
    '/imports/source',
    async (page) => {
      await page.locator('[name=url]').fill('http://');
      await sendWrong(page, 'main form .primary');
    },
  ],
  'an import with names that are not known, and a record without a price': [
    '/imports',
    async (page) => {
      const nodes = { type: 'Casa Mata', town: 'Nerja', price: '1.2.3' };
      const buffer = Buffer.from(kyeroFeed(['N-1', ''].map((id) => kyeroRecord(id, nodes))));
      const file = { name: 'feed.xml', mimeType: 'text/xml', buffer };
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await send(page, 'form[enctype] .primary');
      await page.locator('#created').waitFor();
    },
  ],
  'compact rows': ['/properties?rows=low', async () => {}],
  'an invitation': [
    '/settings',
    async (page) => {
      await page.locator('[name=name]').fill('Carmen');
      await send(page, 'form:has([name=name]) .primary');
    },
  ],
  'the secret of a program': ['/settings/client', (page) => send(page, 'main .primary')],
  'a webhook without an address': ['/settings/webhook', (page) => sendWrong(page, 'main .primary')],
};

const SMALL = { width: 360, height: 800 };

/** What axe finds in a page: by all its rules at both widths, and in the other scheme by those about colours. */
async function expectFlawless(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width, rules] of [
    ['light', 1280, undefined],
    ['dark', 1280, COLORS],
    ['light', 390, COLORS],
    ['dark', 390, undefined],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const found = await violations(page, rules);
    if (found.length > 0)
      await photograph(page, `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}`);
    expect.soft(found, `${name}, ${colorScheme}, ${width} pixels`).toEqual([]);
  }
  await page.setViewportSize(SMALL);
  await expectToFit(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  expect.soft(await page.locator('h1').count(), `headings of ${name}`).toBe(1);
}

const COLORS = ['color-contrast', 'link-in-text-block'];

describe('every page of the console: axe finds nothing, however slight, in both schemes, at 1280 and at 390 px; nothing from elsewhere; no wider than 360 px, also with text of twice the size', () => {
  let paths: readonly string[];

  beforeAll(async () => {
    const { context, page } = await visit();
    await signIn(page);
    paths = await reachedFrom(page);
    await context.close();
  });

  test('pages that links lead to', async () => {
    const { context, page, faults } = await visit();
    await signIn(page);
    for (const path of paths) {
      await page.goto(origin + path);
      await expectFlawless(page, path);
    }
    expectNoFaults(faults);
    await context.close();
  });

  test('the second factor, which only somebody with a sign-in of their own has', async () => {
    const { context, page } = await visit();
    const { name, password } = PEOPLE[0]!;
    await signIn(page, password, name);
    await page.goto(`${origin}/settings/sign-in`);
    await page.locator('[name=code]').waitFor();
    await expectFlawless(page, '/settings/sign-in');
    await context.close();
  });

  test('pages that forms lead to', async () => {
    const { context, page } = await visit();
    await signIn(page);
    for (const [name, [path, lead]] of Object.entries(FORMS)) {
      await page.goto(origin + path);
      await lead(page);
      await expectFlawless(page, name);
    }
    await context.close();
  });

  test('pages of guests, of what does not exist, and of forms from elsewhere', async () => {
    const { context, page } = await visit();
    await page.goto(origin);
    await expectFlawless(page, 'the form to sign in');
    await page.locator('[name=account]').fill('DEMO');
    await page.locator('[name=password]').fill('wrong');
    await send(page, 'main .primary');
    await expectFlawless(page, 'a wrong password');
    for (const path of OTHERS) {
      await page.goto(origin + path);
      await expectFlawless(page, path);
    }
    await page.goto('about:blank');
    await page.setContent(
      `<form method="post" action="${origin}/sign-in"><button>Go</button></form>`,
    );
    await send(page, 'button');
    await expectFlawless(page, 'a form from elsewhere');
    await context.close();
  });

  test('in Spanish, at 360 px, and at 768 px without broken words in tables', async () => {
    const { context, page, faults } = await visit({ ...SMALL, locale: 'es' });
    await signIn(page);
    for (const path of paths) {
      await page.goto(origin + path);
      expect(await page.locator('html').getAttribute('lang')).toBe('es');
      await page.setViewportSize({ width: 768, height: 800 });
      expect.soft(await page.evaluate(BROKEN_WORDS), path).toEqual([]);
      await page.setViewportSize(SMALL);
      await expectToFit(page);
    }
    expectNoFaults(faults);
    await context.close();
  });

  function expectNoFaults({ errors, foreign }: Faults): void {
    expect(errors).toEqual([]);
    expect(foreign.filter((url) => !url.includes('/demo/pictures/'))).toEqual([]);
  }
});
