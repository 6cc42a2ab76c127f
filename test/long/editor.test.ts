import { expect, test } from 'vitest';
import { DEVICE_RULES } from '../support/processes/browser.ts';
import { expectUsable, origin, photograph, signIn, useBrowser, visit } from './visitor.ts';

useBrowser();

const EDIT = '/property/edit?id=R4100001';

test.each([
  ['light', 1280, 'en'],
  ['dark', 1280, 'es'],
  ['dark', 390, 'en'],
  ['light', 390, 'es'],
] as const)(
  'the form of a property, %s, %d pixels wide, in %s: accessible, and no wider than the screen',
  async (colorScheme, width, locale) => {
    const { context, page, faults } = await visit({ colorScheme, width, locale });
    await signIn(page);
    for (const path of [EDIT, '/property/edit']) {
      await page.goto(origin + path);
      await expectUsable(page, path === EDIT ? undefined : DEVICE_RULES);
    }
    await page.goto(origin + EDIT);
    await photograph(page, `editor-${width}-${colorScheme}`, true);
    expect(faults.errors).toEqual([]);
    await context.close();
  },
);

test('a villa by keyboard: what is typed is understood and counted at once; asked about; kept off portals, then listed', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/property/edit`);
  const met = () => page.locator('#needs progress').getAttribute('value');
  expect(await met()).toBe('1');
  const type = async (name: string, text: string) => {
    await page.locator(`[name="${name}"]:not([type=hidden])`).first().focus();
    await page.keyboard.type(text);
  };
  const reference = await page.locator('[name=ref]').inputValue();
  expect(reference).not.toBe('');
  await type('type', 'Villaa');
  // Focus goes on in the order of the page.
  await page.locator('#sale').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.name')).toBe('price');
  await page.keyboard.type('1,25 M');
  await type('built', '312 m²');
  await expect
    .poll(() => page.locator('#price-read').textContent())
    .toBe('€1,250,000 · €4,006 per m²');
  await type('location', 'https://www.google.com/maps/place/Burriana/@36.7512,-3.8694,17z');
  await type('town', 'Nerja');
  await type('province', 'Málaga');
  await type('beds', '4');
  await page.locator('.letter.lc input').first().focus();
  await page.keyboard.press('Space');
  await page.locator('.letter.ld input').nth(1).focus();
  await page.keyboard.press('Space');
  await page.locator('input[type=search]').first().fill('close to SEA');
  const shown = page.locator('#features label.tick:not([hidden])');
  await expect.poll(() => shown.count()).toBe(1);
  await shown.first().locator('input').focus();
  await page.keyboard.press('Space');
  // The tabs of languages are radio buttons, with the arrow keys.
  await page.locator('.tab', { hasText: 'English' }).locator('input').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[name=description-es]').fill('Una villa junto al mar.');
  await expect.poll(() => page.locator('.needs a[href="#texts"]').count()).toBe(1);
  await photograph(page, 'editor-typed', true);
  await page.locator('[value=withhold]').focus();
  await page.keyboard.press('Enter');
  // The type is misspelt.
  await page.locator('[name=sure]').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('type');
  await photograph(page, 'editor-asked');
  await page.locator('[name=type]').fill('Villa');
  await page.locator('[value=withhold]').click();
  await page.waitForURL(/\/property\?id=/);
  expect(new URL(page.url()).searchParams.get('id')).toBe(reference);
  await page.goto(`${origin}/property/edit?id=${reference}`);
  await Promise.all([page.waitForURL(/\/property\?id=/), page.locator('[value=list]').click()]);
  const feed = await fetch(`${origin}/CreateXMLFeedV3.asp?FV=3&U=OWNPROPERTIES@DEMO&P=demo`);
  expect(await feed.text()).toMatch(
    new RegExp(`<id>${reference}</id>.*<price>1250000</price>`, 's'),
  );
  // The browser notes the response of the form that was asked about.
  expect(faults.errors).toEqual([expect.stringContaining('422')]);
  await context.close();
});

test('what scripts add to the form: types by other names, places that complete each other, steps, letters taken back, features as chips', async () => {
  const { context, page, faults } = await visit();
  await signIn(page);
  await page.goto(`${origin}/property/edit`);
  const typedIn = (name: string) => page.locator(`[name="${name}"]`).first().inputValue();
  const proposed = page.getByRole('listbox').getByRole('option');
  await page.getByRole('combobox', { name: 'Type' }).focus();
  await page.keyboard.type('chalé');
  await expect.poll(() => proposed.first().textContent()).toMatch(/^Detached villa/);
  expect(await proposed.last().textContent()).toContain('Add as a new type');
  await photograph(page, 'editor-types');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('listbox').isVisible()).toBe(false);
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  expect(await typedIn('type')).toBe('Detached villa');
  await page.locator('[name=town]').focus();
  await page.keyboard.type('MARB');
  for (const key of ['ArrowDown', 'Enter', 'Tab']) await page.keyboard.press(key);
  expect(await Promise.all(['town', 'province', 'postcode'].map(typedIn))).toEqual([
    'Marbella',
    'Málaga',
    expect.stringMatching(/^29\d{3}$/),
  ]);
  await page.locator('[name=beds]').focus();
  for (const key of ['3', 'ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
  expect(await typedIn('beds')).toBe('4');
  await page.locator('.count button', { hasText: '+' }).last().click();
  expect(await typedIn('bath')).toBe('1');
  const letter = page.locator('.letter.lc').first();
  const chosen = () => page.locator('[name=consumption]:checked').getAttribute('value');
  await letter.click();
  expect(await chosen()).toBe('C');
  await letter.click();
  expect(await chosen()).toBe('X');
  for (const name of ['Outdoor kitchen', 'close to SEA']) {
    await page.locator('#other-feature').fill(name);
    await page.keyboard.press('Enter');
  }
  const features = page.locator('[name=features]:checked');
  expect(
    await features.evaluateAll((all) => all.map((box) => (box as { value: string }).value)),
  ).toEqual([expect.stringMatching(/close to sea/i), 'Outdoor kitchen']);
  await expectUsable(page);
  expect(faults.errors).toEqual([]);
  await context.close();
});

test('the bar with Save counts what is not saved yet', async () => {
  const { context, page } = await visit();
  await signIn(page);
  await page.goto(`${origin}${EDIT}`);
  await page.locator('[name=price]').fill('350,000');
  await page.locator('[name=notes]').fill('Keys at the office');
  await page.locator('#standing').getByText('2 changes').waitFor();
  await page.locator('[name=price]').fill('349.000');
  await page.locator('#standing').getByText('1 change ').waitFor();
  await context.close();
});

test('the switch of a portal, by keyboard: its state follows half a second later, and the focus stays on it', async () => {
  const { context, page } = await visit();
  await page.goto(`${origin}/`);
  await signIn(page);
  await page.goto(`${origin}${EDIT}`);
  const box = page.getByRole('switch').first();
  await box.focus();
  await page.keyboard.press('Space');
  await page.locator('.switches').getByText('Off', { exact: true }).waitFor();
  expect(await box.isChecked()).toBe(false);
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('switch');
  await context.close();
});
