import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousViolations, startBrowser, watchFaults } from '../support/browser.ts';
import { type Server, startServer } from '../support/server.ts';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({}, undefined, undefined, true), startBrowser()]);
});

afterAll(async () => {
  await Promise.all([browser?.close(), server?.stop()]);
});

async function open(path: string, colorScheme: 'light' | 'dark', width = 1280): Promise<Page> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
  await page.goto(new URL(path, server.url).href);
  return page;
}

test.each(['light', 'dark'] as const)(
  'the page /docs, %s: every operation, found by searching; nothing from elsewhere; accessible',
  async (scheme) => {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1280, height: 800 } });
    const faults = watchFaults(page, server.url.origin);
    await page.goto(new URL('/docs', server.url).href);
    await page.getByRole('heading', { name: 'Update a unit' }).waitFor();
    await page.getByPlaceholder('Search').fill('units with names');
    await page.getByRole('menuitem', { name: /unit/i }).first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(faults).toEqual({ foreign: [], errors: [] });
    await page.close();
  },
);

test('the page /docs on a phone: no wider than its screen', async () => {
  const page = await open('/docs', 'light', 360);
  await page.getByRole('heading', { name: 'Update a unit' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await page.close();
});
