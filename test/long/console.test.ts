import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  expectUsable,
  operator,
  origin,
  photograph,
  signIn,
  useBrowser,
  visit,
} from './visitor.ts';

useBrowser();

interface PrintedReport {
  readonly summary: Readonly<Record<string, number>>;
  readonly rules: readonly { readonly code: string; readonly properties: number }[];
}

interface PrintedReader {
  readonly name: string;
  readonly last_seen_at: string | null;
}

/** The summary of a report is that which the command prints. */
async function expectFigures(page: Page, summary: PrintedReport['summary']): Promise<void> {
  const figures = ['checked', 'with-errors', 'error', 'warning', 'info'];
  const shown = await Promise.all(figures.map((id) => page.locator(`#${id}`).textContent()));
  const names = ['properties', 'properties_with_errors', 'error', 'warning', 'info'];
  expect(shown.map((text) => Number(text!.replace(',', '')))).toEqual(
    names.map((name) => summary[name]),
  );
}

describe('the console', () => {
  test('signing in with a wrong password, then with the right one; signing out', async () => {
    const { context, page } = await visit();
    await page.goto(`${origin}/developments`);
    await page.locator('[name=account]').fill('DEMO');
    await page.locator('[name=password]').fill('wrong');
    await page.locator('main .primary').click();
    await page.getByRole('alert').waitFor();
    await page.locator('[name=password]').fill('demo');
    await page.locator('main .primary').click();
    await page.locator('a[href*="sol-azul"]').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/developments');
    const [session] = await context.cookies();
    expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    expect(
      await page.evaluate('document.cookie + localStorage.length + sessionStorage.length'),
    ).toBe('00');
    await page.getByRole('button', { name: /Sign out/ }).click();
    await page.locator('[name=password]').waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test('the home page: the figures of lindero account list, and the portals that have come', async () => {
    const { context, page } = await visit();
    const { key } = await operator.json<{ key: string }>([
      'reader',
      'create',
      'visitor',
      '--account',
      'DEMO',
    ]);
    await (
      await fetch(`${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=${key}&FV=3`)
    ).arrayBuffer();
    await expect
      .poll(async () => {
        const { readers } = await operator.json<{ readers: PrintedReader[] }>([
          'reader',
          'list',
          '--account',
          'DEMO',
        ]);
        return readers.find(({ name }) => name === 'visitor')?.last_seen_at;
      })
      .toEqual(expect.any(String));
    await signIn(page);
    const { accounts } = await operator.json<{ accounts: Record<string, number | string>[] }>([
      'account',
      'list',
    ]);
    const { properties } = accounts.find(({ code }) => code === 'DEMO')!;
    const counts = await page.locator('a[href^="/properties?status="]').allTextContents();
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(properties);
    const row = page.getByRole('row', { name: /visitor/ });
    expect(await row.textContent()).toContain('As usual');
    await photograph(page, 'home');
    await context.close();
  });

  test('a portal is connected once, however often the button is pressed; its page is loaded again until it has come', async () => {
    const { context, page, faults } = await visit();
    await signIn(page);
    await page.goto(`${origin}/portals/connect?portal=kyero`);
    // While there is no answer, pressing the button again sends nothing; once the request is stopped, it does.
    const sent: string[] = [];
    await page.route('**/portals/connect?*', (route) => {
      const title = new URLSearchParams(route.request().postData() ?? '').get('title');
      if (title !== null) sent.push(title);
      if (title !== 'Unanswered') return route.continue();
    });
    await page.waitForLoadState();
    await page.evaluate(`
      const button = document.querySelector('form[data-keep] .primary');
      const title = button.form.elements.title;
      title.value = 'Unanswered';
      const press = () => button.click();
      const steps = [press, press, stop, () => { title.value = 'Kyero'; }, press];
      for (const [index, step] of steps.entries()) setTimeout(step, index * 200);
    `);
    await page.getByRole('heading', { name: 'Kyero is ready' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Kyero is ready' }).waitFor();
    expect(sent).toEqual(['Unanswered', 'Kyero']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const url = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(url).toContain(`${origin}/kyero.xml?U=OWNPROPERTIES@DEMO&P=lindero_`);
    await page.getByRole('button', { name: 'Go to the portal' }).click();
    await page.getByRole('heading', { name: 'Kyero has not fetched its feed yet' }).waitFor();
    await page.clock.install();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The portal gets your listings again').waitFor();
    const methods: string[] = [];
    page.on(
      'request',
      (request) => request.isNavigationRequest() && methods.push(request.method()),
    );
    await page.keyboard.press('Tab');
    await page.clock.runFor(30_000);
    expect(methods, 'while somebody moves by keyboard').toEqual([]);
    await page.evaluate('document.activeElement.blur()');
    // It does not return if the page is replaced meanwhile.
    let aborted = 0;
    page.on('requestfailed', (request) => request.isNavigationRequest() && aborted++);
    page.clock.runFor(60_000).catch(() => {});
    await expect.poll(() => methods[0]).toBe('GET');
    await page.getByText('The portal gets your listings again').waitFor({ state: 'detached' });
    expect(aborted, 'by the next turn').toBe(0);
    await (await fetch(url)).arrayBuffer();
    await page.reload();
    await page.getByRole('heading', { name: /^Kyero last fetched its feed/ }).waitFor();
    expect(await page.locator('#visits').textContent()).toBe('1');
    expect(faults).toEqual({ foreign: [], errors: [] });
    await context.close();
  });

  test('signing in with the key of a reader: its feed and its report alone', async () => {
    const { context, page } = await visit();
    const created = [
      'reader',
      'create',
      'rentals',
      '--account',
      'DEMO',
      '--preset',
      'FV=3&T=RENT',
      '--fixed',
    ];
    const { key } = await operator.json<{ key: string }>(created);
    await signIn(page, key);
    expect(await page.locator('nav a[href="/properties"], nav a[href="/settings"]').count()).toBe(
      0,
    );
    const xml = await (
      await fetch(`${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=${key}`)
    ).text();
    expect(await page.locator('#found').textContent()).toBe(
      String(xml.match(/<property>/g)!.length),
    );
    await operator.json(['reader', 'disable', 'rentals', '--account', 'DEMO']);
    await page.reload();
    await page.locator('[name=password]').waitFor();
    await context.close();
  });

  test('the report: the figures of lindero report, by portal and rule, and as CSV', async () => {
    const { context, page } = await visit();
    await signIn(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Report' }).click();
    await page.locator('.menu summary', { hasText: 'Portal' }).click();
    await page.getByRole('link', { name: 'Kyero', exact: true }).click();
    await page.waitForURL(/portal=kyero/);
    // Its exit code tells whether there are errors.
    const { out } = await operator.run([
      'report',
      '--account',
      'DEMO',
      '--portal',
      'kyero',
      '--json',
    ]);
    const { summary, rules }: PrintedReport = JSON.parse(out);
    await expectFigures(page, summary);
    const ruleIn = (href: string) => new URL(href, origin).searchParams.get('rule');
    const hrefs = await page
      .locator('section a[href*="rule="]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    expect(hrefs.map(ruleIn).toSorted()).toEqual(rules.map(({ code }) => code).toSorted());
    const rule = rules[0]!;
    await page.locator(`a[href*="rule=${rule.code}"]`).first().click();
    await page.waitForURL(new RegExp(`rule=${rule.code}`));
    const affected = await page
      .locator('table a[href^="/property?"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(new Set(affected).size).toBe(Math.min(100, rule.properties));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('report-DEMO.csv');
    await context.close();
  });

  test('by keyboard alone: a price typed with groups is shown as understood, saved and undone; another person is told', async () => {
    const [{ context, page }, other] = await Promise.all([visit(), visit({ locale: 'es' })]);
    await Promise.all([signIn(page), signIn(other.page)]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    for (const href of [
      '/developments',
      '/units?development=mirador-del-golf',
      '/unit?development=mirador-del-golf&name=A-101',
    ]) {
      await page.locator(`a[href="${href}"]`).first().focus();
      await page.keyboard.press('Enter');
    }
    await page.locator('[name=price]').waitFor();
    const before = await page.locator('[name=price]').inputValue();
    await other.page.goto(page.url());
    await page.locator('[name=price]').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('345.678');
    await page.keyboard.press('Enter');
    await page.getByText(`Price: €345,678, was €${before}`).waitFor();
    await photograph(page, 'review');
    await expectUsable(page);
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.locator('.timeline li').first().textContent()).toContain('€345,678');
    await photograph(page, 'saved');
    await other.page.locator('[name=price]').fill('1');
    await other.page.getByLabel('Suroeste').check();
    await other.page.getByRole('button', { name: 'Revisar los cambios' }).click();
    await other.page.getByRole('alert').waitFor();
    expect(await other.page.locator('[name=price]').inputValue()).toBe('1');
    expect(await other.page.getByLabel('Suroeste').isChecked()).toBe(true);
    expect(await other.page.locator('#price-error').textContent()).toMatch(/345\.678/);
    await expectUsable(other.page);
    await photograph(other.page, 'conflict');
    await other.page.getByRole('button', { name: 'Revisar los cambios' }).click();
    // The browser itself does not send the page without the second confirmation.
    await other.page.getByRole('button', { name: 'Guardar' }).click();
    expect(await other.page.locator('[name=sure]:invalid').count()).toBe(1);
    await photograph(other.page, 'concern');
    await page.getByRole('button', { name: 'Undo' }).click();
    const undone = new RegExp(`€345,678.*→.*€${before}`);
    await expect.poll(() => page.locator('.timeline li').first().textContent()).toMatch(undone);
    const { changes } = await operator.json<{ changes: { to: { price: number } }[] }>([
      ...['unit', 'history', 'mirador-del-golf', 'A-101', '--account', 'DEMO'],
    ]);
    expect(changes.slice(0, 2).map(({ to }) => to.price)).toEqual([
      Number(before.replace(',', '')),
      345_678,
    ]);
    await Promise.all([context.close(), other.context.close()]);
  });

  test('the feed: its URL changes with the form, can be copied and fetched, and the records are those of the feed', async () => {
    const { context, page } = await visit();
    await signIn(page);
    await page.goto(`${origin}/feed`);
    await page.getByText('What the feed contains').click();
    await page.locator('summary', { hasText: 'Advanced' }).click();
    await page.locator('#FV').selectOption('3');
    await page.locator('#T').selectOption('SALE');
    await page.getByLabel('German').check();
    const typed = await page.locator('#url').textContent();
    expect(typed).toBe(
      `${origin}/CreateXMLFeedV3.asp?U=OWNPROPERTIES@DEMO&P=••••••&T=SALE&Language=3&FV=3`,
    );
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('article').first().waitFor();
    const url = await page.locator('#url').textContent();
    const partsOf = (text: string | null) => text!.split(/[?&]/).toSorted();
    expect(partsOf(url)).toEqual(partsOf(typed));
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
    const xml = await (await fetch(url!.replace('••••••', 'demo'))).text();
    expect(await page.locator('#found').textContent()).toBe(
      String(xml.match(/<property>/g)!.length),
    );
    const references = [...xml.matchAll(/<ref>([^<]*)</g)].map(([, reference]) => reference!);
    for (const [index, card] of (await page.locator('article').allTextContents()).entries()) {
      expect(card).toContain(references[index]);
    }
    await page.getByRole('link', { name: 'See the source' }).first().click();
    await page.locator('[data-source]').waitFor();
    expect(await page.locator('[data-source]').textContent()).toContain(
      `<ref>${references[0]}</ref>`,
    );
    await page.goBack();
    await page.locator('#records').scrollIntoViewIfNeeded();
    await photograph(page, 'feed');
    await page.getByRole('link', { name: 'Next' }).click();
    await expect
      .poll(() => page.locator('article').first().textContent())
      .toContain(references[12]);
    await context.close();
  });
});
