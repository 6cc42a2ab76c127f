import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { origin, photograph, signIn, useBrowser, visit } from './visitor.ts';

useBrowser();

/** The identifiers of the boxes in the list: of all, or of those that are ticked. */
function boxes(page: Page, which = ''): Promise<string[]> {
  const valuesOf = (all: unknown[]) => all.map((box) => (box as { value: string }).value);
  return page.locator(`input[name=id]${which}`).evaluateAll(valuesOf);
}

/** The statuses of listings, as their pages show them. */
async function statusesOf(context: BrowserContext, ids: readonly string[]): Promise<string[]> {
  const page = await context.newPage();
  const statuses: string[] = [];
  for (const id of ids) {
    await page.goto(`${origin}/property?id=${id}`);
    statuses.push((await page.locator('.head .chip').textContent())!);
  }
  await page.close();
  return statuses;
}

test('two listings get another status by keyboard alone, and it is undone', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/properties?status=Available&offer=sale`);
  const [first, , third] = await boxes(page);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // In a field, keys are letters.
  await press('/');
  await page.keyboard.type('jxe');
  const search = page.locator('input[type=search]');
  expect(await search.inputValue()).toBe('jxe');
  await search.fill('');
  await page.locator('h1').click();
  await press('j', 'x', 'j', 'j', 'Shift+X');
  expect(await boxes(page, ':checked')).toEqual((await boxes(page)).slice(0, 3));
  await press('k', 'x');
  expect(await boxes(page, ':checked')).toEqual([first, third]);
  await press('?');
  expect(await page.locator('#keys').isVisible()).toBe(true);
  await photograph(page, 'keys');
  await press('Escape');
  expect(await page.locator('#keys').isVisible()).toBe(false);
  expect(await boxes(page, ':checked')).toEqual([first, third]);
  const toButton = async (name: string) => {
    for (let steps = 0; steps < 200; steps++) {
      await press('Tab');
      const text = await page.evaluate('document.activeElement.textContent.trim()');
      if (text === name) return press('Enter');
    }
    throw new Error(`No button ${name}`);
  };
  await toButton('Status');
  await page.waitForURL(/\/properties\/change/);
  await page.locator('select[name=to]').focus();
  await page.keyboard.type('Under');
  await toButton('Show what changes');
  await page.waitForURL(/to=Under/);
  await toButton('Save 2 listings');
  await page.waitForURL(`${origin}/properties`);
  const ids = [first!, third!];
  expect(await statusesOf(context, ids)).toEqual(['Under offer', 'Under offer']);
  await toButton('Undo');
  await page.getByRole('status').getByText('before').waitFor();
  expect(await statusesOf(context, ids)).toEqual(['Available', 'Available']);
  // Esc clears a selection; with the keys switched off, they do nothing.
  await press('j', 'x', 'Escape');
  expect(await boxes(page, ':checked')).toEqual([]);
  await page.goto(`${origin}/properties?keys=off`);
  await press('j', 'x');
  expect(await boxes(page, ':checked')).toEqual([]);
  expect(faults.errors).toEqual([]);
  await context.close();
});

test('a page of rows is selected by one box; how rows look changes in place, and the selection stays', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/properties`);
  const all = await boxes(page);
  const these = page.getByLabel('on this page');
  await these.check();
  expect(await boxes(page, ':checked')).toEqual(all);
  await page.getByRole('link', { name: 'Compact rows' }).click();
  await page.locator('.low table').waitFor();
  expect(await boxes(page, ':checked')).toEqual(all);
  await page.locator('input[name=id]').first().uncheck();
  expect([await these.isChecked(), await page.locator('.bulk b').textContent()]).toEqual([
    false,
    `${all.length - 1} selected`,
  ]);
  await page.getByRole('button', { name: 'Status' }).click();
  await page.waitForURL(/kind=status/);
  expect(new URL(page.url()).searchParams.getAll('id')).toEqual(all.slice(1));
  expect(faults.errors).toEqual([]);
  await context.close();
});

test('nothing matches: the filter that leaves most out is named, and removed', async () => {
  const { context, page } = await visit({ javaScript: false });
  await signIn(page);
  await page.goto(`${origin}/properties?status=Withdrawn&beds=9`);
  await page.getByText('No property matches').waitFor();
  await page.getByRole('link', { name: 'Remove that filter' }).click();
  expect(new URL(page.url()).searchParams.size).toBe(1);
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  await context.close();
});

test('without scripts: a view is saved, its rows are compact, and a listing is withdrawn by the review and put back', async () => {
  const { context, page } = await visit({ javaScript: false });
  await signIn(page);
  await page.goto(`${origin}/properties?status=Available`);
  await page.locator('summary', { hasText: 'Save this view' }).click();
  await page.getByLabel('Name of the view').fill('Ready');
  await page.locator('nav.tabs').getByRole('button', { name: 'Save' }).click();
  await page.locator('.tab[aria-current]', { hasText: 'Ready' }).waitFor();
  await page.getByRole('link', { name: 'Compact rows' }).click();
  await page.locator('.low table').waitFor();
  const [id] = await boxes(page);
  await page.getByLabel('on this page').check();
  await page.getByRole('button', { name: 'Features' }).click();
  expect(await page.locator('h1').textContent()).toBe('Features of 24 listings');
  await page.goBack();
  await page.getByLabel('on this page').uncheck();
  await page.locator('input[name=id]').first().check();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Save 1 listing' }).click();
  expect(await statusesOf(context, [id!])).toEqual(['Withdrawn']);
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('as it was before').waitFor();
  expect(await statusesOf(context, [id!])).toEqual(['Available']);
  await context.close();
});
