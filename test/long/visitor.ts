import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Env } from '../../src/env.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { seedDemo, seedDemoWithEvents } from '../support/accounts/demo.ts';
import {
  type Faults,
  seriousViolations,
  startBrowser,
  watchFaults,
} from '../support/processes/browser.ts';
import { type Operator, startOperator } from '../support/processes/operator.ts';
import { readable } from '../support/processes/platform.ts';

/** Where screenshots go, if any are wanted: `SCREENSHOTS=.github/images npx vitest run test/long/console.test.ts` updates the README's. */
const { SCREENSHOTS } = process.env;

/** Of the running test file: see {@link useBrowser}. */
export let operator: Operator;
export let origin: string;
let browser: Browser;

/**
 * Gives the tests of a file a browser, and a service with the demo. Pages are the same for all agencies.
 *
 * @param settings the Worker's settings
 * @param withEvents whether the demo has had its fourteen days
 */
export function useBrowser(settings: Record<string, string> = {}, withEvents = false): void {
  beforeAll(async () => {
    [operator, browser] = await Promise.all([startOperator(settings, true), startBrowser()]);
    const { db, files, snapshots } = operator.server;
    const env = {
      DB: db,
      FILES: readable(files),
      SNAPSHOTS: snapshots,
      ...settings,
    } as Partial<Env> as Env;
    await (withEvents ? seedDemoWithEvents(env, nowInSeconds()) : seedDemo(db));
    // Only at this name are cookies with Secure accepted without HTTPS.
    origin = `http://localhost:${operator.server.url.port}`;
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), operator?.stop()]);
  });
}

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly faults: Faults;
}
interface Device {
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly width?: number;
  readonly javaScript?: boolean;
}

export async function visit({
  colorScheme = 'light',
  locale = 'en',
  width = 1280,
  javaScript = true,
}: Device = {}): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme,
    locale,
    javaScriptEnabled: javaScript,
    viewport: { width, height: 800 },
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  // The demo's pictures, which only a service for development serves.
  await context.route('**/demo/pictures/**', (route) => {
    const [, name] = /-([a-z-]+\.jpg)$/.exec(route.request().url())!;
    return route.fulfill({ contentType: 'image/jpeg', path: `src/demo/pictures/${name}` });
  });
  const page = await context.newPage();
  return { context, page, faults: watchFaults(page, origin) };
}

/** @param name of a person, if not with the account's password */
export async function signIn(page: Page, password = 'demo', name = ''): Promise<void> {
  await page.goto(origin);
  await page.locator('[name=account]').fill('demo');
  if (name !== '') await page.locator('[name=name]').fill(name);
  await page.locator('[name=password]').fill(password);
  await page.locator('main .primary').click();
  await page.locator('form[action="/sign-out"]').first().waitFor({ state: 'attached' });
}

export async function photograph(page: Page, name: string, fullPage = false): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  await page.screenshot({
    path: `${SCREENSHOTS}/${name}.jpg`,
    type: 'jpeg',
    quality: 60,
    fullPage,
  });
}

/** A page is no wider than its screen, also with text of twice the size. */
export async function expectToFit(page: Page): Promise<void> {
  for (const size of ['200%', '100%']) {
    await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
    expect(
      await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    ).toBe(0);
  }
}

/** A page is no wider than its screen, and accessible, by all rules or by some. */
export async function expectUsable(page: Page, rules?: readonly string[]): Promise<void> {
  await expectToFit(page);
  expect(await seriousViolations(page, rules)).toEqual([]);
}
