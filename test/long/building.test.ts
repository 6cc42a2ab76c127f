import { expect, test } from 'vitest';
import {
  expectToFit,
  expectUsable,
  origin,
  photograph,
  signIn,
  useBrowser,
  visit,
} from './visitor.ts';

useBrowser();

/** Forty units, as a spreadsheet copies them: two blocks of five floors. */
const TABLE = [
  'Vivienda\tTipo\tDormitorios\tSuperficie\tTerraza\tPVP\tEstado\tOrientación',
  ...['A', 'B'].flatMap((block, side) =>
    [1, 2, 3, 4, 5].flatMap((floor) =>
      [1, 2, 3, 4].map((door) => {
        const number = side + floor + door;
        const price = `${300 + 20 * floor + 9 * door}.000 €`;
        const status = ['Disponible', 'Vendida', 'Disponible', 'Reservada', 'Bloqueada'][
          number % 5
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

test('a development with forty units from a spreadsheet: created, pasted, reviewed and saved by clicks; all on one screen', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/developments`);
  await page.getByRole('link', { name: 'Add a development' }).click();
  await page.locator('[name=name]').fill('Mirador de Burriana');
  await page.locator('[name=town]').fill('Nerja');
  await page.locator('[name=province]').fill('Málaga');
  await photograph(page, 'development-form', true);
  await page.getByRole('button', { name: 'Create it' }).click();
  await page.getByRole('link', { name: 'Add units' }).first().click();
  await page.locator('[name=table]').fill(`${TABLE}\nA-101\t\t\t\t\tmucho\tGone`);
  await page.getByRole('button', { name: 'Read the table' }).click();
  await page.getByText('One row cannot be saved').waitFor();
  await expectUsable(page);
  await photograph(page, 'paste-wrong', true);
  await page.locator('[name=table]').fill(TABLE);
  await page.getByRole('button', { name: 'Read the table' }).click();
  await photograph(page, 'paste', true);
  await page.getByRole('button', { name: 'Save 40 units' }).click();
  await page.getByText('40 listings were created').waitFor();
  const board = page.url();
  await page.goto(board);
  expect(await page.locator('.cell').count()).toBe(40);
  // From the first to the last on one screen.
  expect(
    await page.evaluate(`(() => {
      const cells = [...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect());
      return Math.max(...cells.map(({ bottom }) => bottom)) - Math.min(...cells.map(({ top }) => top));
    })()`),
  ).toBeLessThan(600);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await expectUsable(page);
      await photograph(page, `board-${width}-${colorScheme}`, true);
    }
  }
  await page.goto(`${board}&status=1&beds=2`);
  await photograph(page, 'board-filtered', true);
  await expectUsable(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(board.replace('/units', '/units/prices'));
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

test('without JavaScript: units are ticked with all that is needed; filters are links', async () => {
  const { context, page } = await visit({ javaScript: false, width: 390 });
  await signIn(page);
  await page.goto(`${origin}/units?development=mirador-del-golf`);
  await page.locator('label.cell', { hasText: 'A-102' }).locator('b').click();
  await page.locator('[name=by]').selectOption('lowerPercent');
  await page.locator('[name=amount]').fill('2');
  await page.locator('[value=several]').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 unit was saved').waitFor();
  await page.locator('a.tick', { hasText: 'Sold' }).click();
  expect(await page.locator('.cell:not(.dim)').count()).toBe(
    await page.locator('.cell.sold').count(),
  );
  await context.close();
});
