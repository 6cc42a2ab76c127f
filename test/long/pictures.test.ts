import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { png, SECRET_PLACE, segmentsOf, withExif } from '../support/documents/pictures.ts';
import { listen } from '../support/network/listen.ts';
import { DEVICE_RULES } from '../support/processes/browser.ts';
import {
  expectUsable,
  operator,
  origin,
  photograph,
  signIn,
  useBrowser,
  visit,
} from './visitor.ts';

useBrowser({ LOCAL_ADDRESSES: 'allowed' });

/** Photographs that a phone took on its side: red above and blue below once they are turned. */
async function photographs(page: Page, count: number) {
  const drawn = await page.evaluate<string[]>(`Array.from({ length: ${count} }, (_, index) => {
    const canvas = document.createElement('canvas');
    canvas.width = 1600;
    canvas.height = 1200;
    const context = canvas.getContext('2d');
    for (const [colour, from] of [['#f00', 0], ['#00f', 800]]) {
      context.fillStyle = colour;
      context.fillRect(from, 0, 800, 1200);
    }
    context.fillStyle = '#fff';
    context.fillRect(40 * index + 20, 80, 30, 30);
    return canvas.toDataURL('image/jpeg').split(',')[1];
  })`);
  return drawn.map((base64, index) => ({
    name: `IMG_${index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(withExif(Buffer.from(base64, 'base64'), 6)),
  }));
}

interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue near the upper and the lower edge. */
  readonly top: readonly number[];
  readonly bottom: readonly number[];
}

/** A picture as another program decodes it, whatever the picture says of which way is up. */
function decoded(page: Page, bytes: Uint8Array): Promise<Decoded> {
  const url = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
  return page.evaluate<Decoded>(`(async () => {
    const blob = await (await fetch('${url}')).blob();
    const bitmap = await createImageBitmap(blob, { imageOrientation: 'none' });
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const at = (y) => [...context.getImageData(width / 2, y, 1, 1).data].slice(0, 3);
    return { width, height, top: at(20), bottom: at(height - 20) };
  })()`);
}

test('a home with twelve photographs from a phone: in all three feeds, upright and without Exif', async () => {
  const { context, page, faults } = await visit({ width: 390 });
  await signIn(page);
  await page.goto(`${origin}/property/edit`);
  const typed = {
    ref: 'PHONE-1',
    type: 'Villa',
    town: 'Nerja',
    province: 'Málaga',
    postcode: '29780',
    address: 'Calle Mayor 1',
    price: '250000',
    beds: '3',
    bath: '2',
    built: '120',
  };
  await page.locator('[name=sale]').check();
  for (const [name, value] of Object.entries(typed))
    await page.locator(`[name=${name}]`).fill(value);
  await page.locator('main form .primary').click();
  await page.waitForURL(/\/property\?id=PHONE-1/);
  await page.locator('a[href^="/property/pictures"]').first().click();
  await page.locator('.drop').waitFor();
  await expectUsable(page);
  const canvas = await context.newPage();
  await canvas.goto('about:blank');
  const files = await photographs(canvas, 12);
  await page.locator('#files').setInputFiles(files);
  await expect.poll(() => page.locator('.photo').count()).toBe(12);
  await expectUsable(page, DEVICE_RULES);
  await photograph(page, 'photographs');

  // By the arrows, with the focus staying where it was; as a floor plan; deleted, and back.
  const second = await page.locator('.photo').nth(1).getAttribute('data-picture');
  await page.locator('.photo').nth(1).locator('[value=forward]').click();
  await expect.poll(() => page.locator('.photo').first().getAttribute('data-picture')).toBe(second);
  await expect.poll(() => page.locator('#said').textContent()).toContain('1');
  await page.locator('.photo').nth(11).locator('select').selectOption('floor_plan');
  await expect.poll(() => page.locator('.photo').nth(11).locator('.plan').count()).toBe(1);
  await page.locator('.photo').nth(2).locator('[value=remove]').click();
  await expect.poll(() => page.locator('.photo').count()).toBe(11);
  await Promise.all([page.waitForEvent('load'), page.locator('.notice button').click()]);
  expect(await page.locator('.photo').count()).toBe(12);

  // A file that is no picture says why, and can be tried again.
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x'.repeat(99)) };
  await page.locator('#files').setInputFiles([text]);
  await page.locator('.files [role=alert]').waitFor();

  const code = `ilc${'0'.repeat(40)}`;
  const feeds = await Promise.all(
    [
      'CreateXMLFeedV3.asp?FV=3&IC=0&',
      'kyero.xml?Extended=TRUE&',
      `idealista.json?CustomerCode=${code}&`,
    ].map(async (path) => (await fetch(`${origin}/${path}U=OWNPROPERTIES@DEMO&P=demo`)).text()),
  );
  expect(feeds[1]).toContain('<tag>floorplan</tag>');
  expect(feeds[2]).toContain('"imageLabel":"plan"');
  for (const feed of feeds) {
    const own = feed.split(/<property>|"propertyCode"/).find((one) => one.includes('PHONE-1'))!;
    const urls = [...new Set(own.match(/http:\/\/[^"<]+\/pictures\/DEMO\/[^"<]+-2560\.jpg/g))];
    expect(urls.length).toBe(12);
    expect(urls[0]).toBe(second);
    for (const url of urls) {
      const response = await fetch(url);
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(Buffer.from(bytes).includes(SECRET_PLACE)).toBe(false);
      expect(segmentsOf(bytes).markers).not.toContain('e1');
      const { width, height, top, bottom } = await decoded(canvas, bytes);
      expect([width, height]).toEqual([1_200, 1_600]);
      expect(top[0]! > 200 && top[2]! < 60 && bottom[2]! > 200 && bottom[0]! < 60).toBe(true);
    }
  }
  expect(faults.foreign).toEqual([]);
  expect(faults.errors).toEqual([]);
  await context.close();
});

test('photographs at another address: added, copied by the button, and then served from here; the one that is gone says why', async () => {
  const elsewhere = await listen((request, response) => {
    if (request.url === '/1.png') response.end(png(600, 400));
    else response.writeHead(404).end('Gone');
  });
  const { context, page, faults } = await visit({ width: 390 });
  await context.route(`${elsewhere.origin}/**`, (route) => route.fulfill({ status: 404 }));
  await signIn(page);
  await page.goto(`${origin}/property/pictures?id=R4100120`);
  const addresses = [1, 2].map((name) => `${elsewhere.origin}/${name}.png`);
  await page.locator('[name=addresses]').fill(addresses.join('\n'));
  await Promise.all([page.waitForEvent('load'), page.locator('[value=add]').click()]);
  await expectUsable(page);
  await Promise.all([page.waitForEvent('load'), page.locator('[value=copy]').click()]);
  await expectUsable(page);
  const shown = async () => {
    await page.reload();
    const photos = page.locator('.photo');
    return photos.evaluateAll((all) =>
      all.map((one) => [one.getAttribute('data-picture'), one.querySelectorAll('.why').length > 0]),
    );
  };
  const ours = expect.stringMatching(/\/pictures\/DEMO\/[0-9a-f]{32}-2560\.jpg$/);
  await expect
    .poll(shown, { timeout: 30_000 })
    .toEqual([expect.arrayContaining([ours]), [addresses[1], true]]);

  // As after three days.
  await operator.server.db
    .prepare(
      `INSERT INTO picture_checks (account_id, address, failures, failing_since, status)
       SELECT id, ?, 3, unixepoch() - 250000, 404 FROM accounts WHERE code = 'DEMO'`,
    )
    .bind(addresses[1])
    .run();
  await page.reload();
  await expectUsable(page, DEVICE_RULES);
  expect(await page.locator('.photo .gone').count()).toBe(1);
  await photograph(page, 'photographs-elsewhere', true);
  expect(faults.errors.filter((error) => !error.includes('404'))).toEqual([]);
  await context.close();
  await elsewhere.stop();
});
