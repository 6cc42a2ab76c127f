import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Faults, seriousViolations, startBrowser, watchFaults } from '../support/browser.ts';
import { seedDemo } from '../support/demo.ts';
import { type Operator, startOperator } from '../support/operator.ts';

/** Where screenshots go; those of the README are updated by `SCREENSHOTS=.github/images npx vitest run test/system/pages.test.ts`. */
const SCREENSHOTS = process.env.SCREENSHOTS ?? '.wrangler/screenshots';

/** Pages are the same for all agencies, so the tests share what the demo has. */
let operator: Operator;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  [operator, browser] = await Promise.all([startOperator({}, true), startBrowser()]);
  await seedDemo(operator.server.db);
  // Only at this name are cookies with Secure accepted without HTTPS.
  origin = `http://localhost:${operator.server.url.port}`;
});

afterAll(async () => {
  await Promise.all([browser?.close(), operator?.stop()]);
});

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly faults: Faults;
}

interface Device {
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly width?: number;
}

async function visit({ colorScheme = 'light', locale = 'en', width = 1280 }: Device = {}): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, locale, viewport: { width, height: 800 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  // The demo's pictures, which only a service for development serves.
  await context.route('**/demo/pictures/**', (route) => {
    const [, name] = /-([a-z-]+\.jpg)$/.exec(route.request().url())!;
    return route.fulfill({ contentType: 'image/jpeg', path: `src/demo/pictures/${name}` });
  });
  const page = await context.newPage();
  return { context, page, faults: watchFaults(page, origin) };
}

async function signIn(page: Page, password = 'demo', landmark = 'nav[aria-label]'): Promise<void> {
  await page.goto(origin);
  await page.locator('[name=account]').fill('demo');
  await page.locator('[name=password]').fill(password);
  await page.locator('main .primary').click();
  await page.locator(landmark).waitFor();
}

/** A page is no wider than its screen, and accessible. */
async function expectUsable(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect([page.url(), width]).toEqual([page.url(), 0]);
  expect(await seriousViolations(page)).toEqual([]);
}

describe.each(['light', 'dark'] as const)('the page /docs, %s', (colorScheme) => {
  test('shows every operation, found by searching; nothing from elsewhere; accessible, also at 360 px', async () => {
    const { context, page, faults } = await visit({ colorScheme });
    await page.goto(`${origin}/docs`);
    await page.getByRole('heading', { name: 'Update a unit' }).waitFor();
    await page.getByPlaceholder('Search').fill('units with names');
    await page
      .getByRole('search')
      .getByRole('menuitem', { name: /Update several units/ })
      .waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    for (const size of ['100%', '200%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    }
    expect(faults).toEqual({ foreign: [], errors: [] });
    await context.close();
  });
});

const PATHS = [
  '/',
  '/properties',
  '/properties?status=Sold&order=price',
  '/property?id=R4100001',
  '/developments',
  '/units?development=sol-azul',
  '/units?development=sol-azul&edit=1',
  '/unit?development=sol-azul&name=A-101',
  '/portals',
  '/portals/connect',
  '/portals/connect?portal=kyero',
  '/portal?name=portal',
  '/portals/contents?name=portal',
  '/portals/key?name=portal',
  '/portals/disconnect?name=portal',
  '/report',
  '/feed?format=kyero',
  '/feed?FV=3&Language=1&Language=2&record=R4100001',
];

/** The most that a page may weigh, compressed, without pictures and the font. */
const MAX_PAGE_BYTES = 40_000;

describe.each([
  { colorScheme: 'light', locale: 'en', width: 1280 },
  { colorScheme: 'dark', locale: 'es', width: 360 },
] as const)('the console, $colorScheme, $locale, $width px', (device) => {
  test('every page: light, nothing from elsewhere, no wider than the screen, accessible, also with text of twice the size', async () => {
    const { context, page, faults } = await visit(device);
    await operator.json(['reader', 'create', 'portal', '--account', 'DEMO']).catch(() => null);
    await page.goto(origin);
    await expectUsable(page);
    await signIn(page);
    const files = await Promise.all(
      ['console.css', 'console.js'].map(async (name) => (await fetch(`${origin}/console/${name}`)).arrayBuffer()),
    );
    const fileBytes = files.reduce((sum, file) => sum + gzipSync(new Uint8Array(file)).length, 0);
    for (const path of PATHS) {
      const response = await page.goto(origin + path);
      expect([path, response!.status()]).toEqual([path, 200]);
      expect(gzipSync(await response!.body()).length + fileBytes).toBeLessThan(MAX_PAGE_BYTES);
      expect(await page.locator('h1').count()).toBe(1);
      await expectUsable(page);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, device.width]);
    }
    expect(faults.errors).toEqual([]);
    expect(faults.foreign.filter((url) => !url.includes('/demo/pictures/'))).toEqual([]);
    await context.close();
  });
});

describe('the console', () => {
  test('from signing in to a delivered feed by clicks alone', async () => {
    const { context, page } = await visit();
    await signIn(page);
    await page.getByRole('link', { name: 'Connect a portal' }).click();
    await page.getByRole('link', { name: /ThinkSPAIN/ }).click();
    await page.getByRole('button', { name: 'Create its address' }).click();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const url = String(await page.evaluate('navigator.clipboard.readText()'));
    const xml = await (await fetch(url)).text();
    await page.getByRole('link', { name: 'Go to the portal' }).click();
    await page.getByRole('heading', { level: 1, name: /ThinkSPAIN/ }).waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('#visits').textContent();
      })
      .toBe('1');
    await page.screenshot({ path: `${SCREENSHOTS}/portal.jpg`, type: 'jpeg', quality: 60 });
    await page.locator('#sent').click();
    await page.getByRole('heading', { level: 1, name: /properties match/ }).waitFor();
    expect(xml).toContain('<kyero>');
    await page.goto(origin);
    await page.screenshot({ path: `${SCREENSHOTS}/overview.jpg`, type: 'jpeg', quality: 60 });
    await page.goto(`${origin}/feed?format=kyero`);
    await page.screenshot({ path: `${SCREENSHOTS}/feed.jpg`, type: 'jpeg', quality: 60 });
    await context.close();
  });

  test('by keyboard: a price typed with groups is shown as understood, saved and undone; another person is told', async () => {
    const [{ context, page }, other] = await Promise.all([visit(), visit({ locale: 'es' })]);
    await Promise.all([signIn(page), signIn(other.page)]);
    const path = `${origin}/unit?development=sol-azul&name=A-101`;
    await Promise.all([page.goto(path), other.page.goto(path)]);
    await page.locator('[name=price]').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('445.678');
    await page.keyboard.press('Enter');
    await page.getByText('€445,678').waitFor();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('status').waitFor();
    await other.page.locator('[name=price]').fill('441000');
    await other.page.getByRole('button', { name: 'Revisar los cambios' }).click();
    await other.page.getByRole('alert').waitFor();
    expect(await other.page.locator('[name=price]').inputValue()).toBe('441000');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: /€435,000/ }).waitFor();
    await Promise.all([context.close(), other.context.close()]);
  });
});
