import { expect, test } from 'vitest';
import { expectToFit, origin, photograph, signIn, useBrowser, visit } from './visitor.ts';

useBrowser();

test('the prices of a development on paper: no navigation, rows as rows, no wider than A4', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/units/prices?development=sol-azul`);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await page.locator('nav').first().isVisible()).toBe(false);
  // A4 with usual margins.
  await page.setViewportSize({ width: 700, height: 990 });
  expect(await page.evaluate("getComputedStyle(document.querySelector('tbody tr')).display")).toBe(
    'table-row',
  );
  await expectToFit(page);
  await photograph(page, 'prices-print', true);
  expect(faults.errors).toEqual([]);
  await context.close();
});

test('the board by keyboard: units are ticked, reviewed and saved', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/units?development=sol-azul`);
  await page.locator('input[value="A-101"]').focus();
  await page.keyboard.press('Space');
  await page.locator('input[value="A-201"]').focus();
  await page.keyboard.press('Space');
  expect(await page.locator('[data-selected] [role=status]').textContent()).toBe('2');
  await page.locator('[name=status]').focus();
  await page.keyboard.press('R');
  await page.locator('[value=several]').focus();
  await photograph(page, 'board-ticked', true);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Save these 2 changes?' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 units were saved.').waitFor();
  expect(await page.locator('.cell.warn', { hasText: 'A-101' }).count()).toBe(1);
  expect(faults.errors).toEqual([]);
  await context.close();
});
