import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's first: its headless shell, without a browser's windows, takes two thirds of the time. `CHROMIUM` names any other. */
const PATHS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/**
 * Starts headless Chromium.
 *
 * @throws if there is none, saying how to install it
 */
export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'Chromium is missing. Install it (apt-get install chromium-headless-shell), or set CHROMIUM to its path.',
    );
  }
  // Containers often lack what its sandbox needs. Only this project's own pages are opened.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** What a page has done that it must not do. */
export interface Faults {
  /** Requests to other origins. */
  readonly foreign: string[];
  /** Errors in its console, among them violations of its security policy. */
  readonly errors: string[];
}

/** Records the faults of a page from now on. */
export function watchFaults(page: Page, origin: string): Faults {
  const faults: Faults = { foreign: [], errors: [] };
  page.on('request', (request) => {
    const url = request.url();
    if (
      !url.startsWith(`${origin}/`) &&
      !url.startsWith(`blob:${origin}/`) &&
      !url.startsWith('data:')
    ) {
      faults.foreign.push(url);
    }
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.errors.push(message.text());
  });
  page.on('pageerror', (error) => faults.errors.push(error.message));
  return faults;
}

/** axe itself: its adapter for Playwright requires a later version of Node. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of accessibility that depend on colors and on the width of the screen. */
export const DEVICE_RULES = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
];

/**
 * The rules of accessibility that a page violates seriously, each with the elements affected.
 *
 * @param rules those to check; all by default
 */
export function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  return violations(page, rules, ['serious', 'critical']);
}

/**
 * The rules of accessibility that a page violates, each with the elements affected.
 *
 * @param rules those to check; all by default
 * @param impacts those that count; all by default
 */
export async function violations(
  page: Page,
  rules?: readonly string[],
  impacts?: readonly string[],
): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  // Through the debugger's protocol, because the page's policy forbids foreign scripts.
  const session = await page.context().newCDPSession(page);
  const isLoaded = await page.evaluate("typeof axe === 'object'");
  if (!isLoaded) await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
  });
  await session.detach();
  const found: Violation[] = JSON.parse(result.value);
  return found
    .filter(({ impact }) => impacts?.includes(impact) ?? true)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
