import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEVICE_RULES, type Faults, seriousViolations } from '../support/processes/browser.ts';
import { expectToFit, expectUsable, origin, signIn, useBrowser, visit } from './visitor.ts';

useBrowser();

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

/** The path of every page, once signed in. */
const PAGES = [
  '/',
  '/properties',
  '/property?id=R4100001',
  '/property/edit?id=R4100001',
  '/property/pictures?id=R4100001',
  '/developments',
  '/units?development=sol-azul',
  '/units?development=sol-azul&edit=1',
  '/units/add?development=sol-azul',
  '/units/prices?development=sol-azul',
  '/developments/edit?id=sol-azul',
  '/unit?development=sol-azul&name=A-101',
  '/portals',
  '/portals/connect',
  '/portals/connect?portal=kyero',
  '/portal?name=portal',
  '/report',
  '/imports',
  '/imports/once',
  '/imports/source',
  '/settings',
  '/settings/sign-in',
  '/settings/agency',
  '/settings/programs',
  '/settings/client',
  '/settings/webhooks',
  '/settings/webhook',
  '/settings/format',
  '/settings/names',
  '/settings/log',
  '/feed?FV=3&Language=1&Language=2',
];

const SMALL = { colorScheme: 'dark', width: 360, height: 800 } as const;

describe('every page of the console: nothing from elsewhere; no wider than the screen, also with text of twice the size', () => {
  test('in English, accessible in light colors at 1280 px, and in dark ones at 360 px', async () => {
    const { context, page, faults } = await visit();
    await page.goto(origin);
    await expectUsable(page);
    await signIn(page);
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(origin + path);
      expect(await page.locator('h1').count()).toBe(1);
      await expectUsable(page);
      await page.emulateMedia(SMALL);
      await page.setViewportSize(SMALL);
      await expectUsable(page, DEVICE_RULES);
    }
    expectNoFaults(faults);
    await context.close();
  });

  test('in Spanish, at 360 px, and at 768 px without broken words in tables', async () => {
    const { context, page, faults } = await visit({ ...SMALL, locale: 'es' });
    await signIn(page);
    for (const path of PAGES) {
      await page.goto(origin + path);
      expect(await page.locator('html').getAttribute('lang')).toBe('es');
      await page.setViewportSize({ width: 768, height: 800 });
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
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
