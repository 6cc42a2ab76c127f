import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { ask } from '../../support/worker/ask.ts';
import { jpeg } from '../pictures/pictures.ts';
import { fieldsOf, follow, page, send, signIn, textOf } from './visitor.ts';

const HOME = '/property/pictures?id=P';
const UPLOAD = '/property/pictures/upload?id=P';

let cookie: string;
let stranger: string;

beforeAll(async () => {
  const { accountId } = await createAgency(env.DB, 'PHOTOS', []);
  await createAgency(env.DB, 'STRANGER', []);
  await store(env.DB, accountId, [property('P'), property('Q')]);
  [cookie, stranger] = [await signIn('PHOTOS'), await signIn('STRANGER')];
});

async function upload(files: Record<string, Uint8Array | string>, session = cookie, json = false) {
  const form = new FormData();
  for (const [name, bytes] of Object.entries(files)) form.append('file', new File([bytes], name));
  const more = json ? { Accept: 'application/json' } : {};
  const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null', ...more };
  return send(UPLOAD, form, session, headers);
}

/** The addresses of the pictures that the page shows, in their order. */
async function shown(): Promise<string[]> {
  const text = textOf(await page(HOME, cookie));
  return [...text.matchAll(/data-picture="([^"]*)"/g)].map(([, url]) => url!);
}

test('a form with two photographs and a text: the page with the photographs, which says why the text is not there', async () => {
  const sent = await upload({
    'a.jpg': await jpeg(90, 60, 1),
    'b.txt': 'b',
    'c.jpg': await jpeg(90, 60, 2),
  });
  expect(sent.status).toBe(303);
  const text = textOf(await follow(sent, cookie));
  expect(text).toMatch(/2 pictures were added.*b\.txt was not added/s);
  expect((await shown()).length).toBe(2);
});

test('a file that the script of the page sends: JSON', async () => {
  const { status, text } = await upload({ 'x.gif': 'GIF89a' }, cookie, true);
  expect([status, JSON.parse(text)]).toEqual([
    200,
    { added: 0, refused: [{ file: 'x.gif', why: expect.any(String) }] },
  ]);
});

test.each([
  ['its size', 0, 1],
  ['a smaller size', -1, 0],
  ['a larger size', 1, 0],
  ['no number', Number.NaN, 1],
])('a file after %s: taken only if that is right', async (_, difference, added) => {
  const file = await jpeg(90, 60, 50 + added);
  const form = new FormData();
  form.append('size', String(file.length + difference));
  form.append('file', new File([file], 'a.jpg'));
  const headers = { Accept: 'application/json', 'Sec-Fetch-Site': 'same-origin', Origin: 'null' };
  const other = UPLOAD.replace('id=P', 'id=Q');
  const { status, text } = await send(other, form, cookie, headers);
  expect([status, JSON.parse(text).added]).toEqual([200, added]);
});

test('an arrow, a kind, and a deletion that is taken back', async () => {
  const [first, second] = (await shown()) as [string, string];
  expect((await send(HOME, { picture: second, do: 'forward' }, cookie)).status).toBe(303);
  expect(await shown()).toEqual([second, first]);
  await send(HOME, { picture: second, do: 'back' }, cookie);
  await send(HOME, { picture: first, kind: 'floor_plan' }, cookie);
  expect(textOf(await page(HOME, cookie))).toContain('class="plan"');
  const removed = await send(HOME, { picture: first, do: 'remove' }, cookie);
  const after = await follow(removed, cookie);
  expect(textOf(after)).toContain('Picture 1 was deleted');
  expect(await shown()).toEqual([second]);
  const undo = Object.fromEntries(fieldsOf(after, '/property/pictures\\?id=P'));
  await send(HOME, { entry: undo.entry!, place: undo.place!, do: 'restore' }, cookie);
  expect(await shown()).toEqual([first, second]);
  // It is still the floor plan that it was.
  expect(textOf(await page(HOME, cookie))).toContain('class="plan"');
});

test('addresses of pictures elsewhere: added once each; one that is none: 422', async () => {
  const addresses = 'https://pictures.example/1.jpg\nhttps://pictures.example/2.jpg';
  await send(HOME, { addresses, do: 'add' }, cookie);
  await send(HOME, { addresses, do: 'add' }, cookie);
  expect((await shown()).slice(-2)).toEqual(addresses.split('\n'));
  expect((await shown()).length).toBe(4);
  expect((await send(HOME, { addresses: 'villa.jpg', do: 'add' }, cookie)).status).toBe(422);
});

test.each([
  ['restore', { entry: '{"url":5}', place: '0' }, 404],
  ['forward', { picture: 'https://pictures.example/none.jpg' }, 409],
  ['nothing', {}, 404],
])(
  '%s with what the page does not have: %j: %i, and nothing changes',
  async (does, fields, status) => {
    const before = await shown();
    expect((await send(HOME, { ...fields, do: does }, cookie)).status).toBe(status);
    expect(await shown()).toEqual(before);
  },
);

test('of another agency: 404, and nothing changes', async () => {
  const before = await shown();
  const [first] = before as [string];
  const answers = [
    await page(HOME, stranger),
    await upload({ 'a.jpg': await jpeg(90, 60, 9) }, stranger),
    await send(HOME, { picture: first, do: 'remove' }, stranger),
    await send(HOME, { order: first, do: 'order' }, stranger),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(await shown()).toEqual(before);
});

test('without the Images binding: the page says that only JPEG is taken, and kept as it is', async () => {
  const { IMAGES: _, ...bindings } = env;
  const read = async (given: object) =>
    textOf(await ask(HOME, { headers: { Cookie: cookie } }, given as Env));
  expect(await read(env)).not.toContain('no smaller versions');
  expect(await read(bindings)).toContain('no smaller versions');
});

test('without a session, and from another site: 401 and 403', async () => {
  expect((await page(HOME)).status).toBe(401);
  const form = new FormData();
  form.append('file', new File(['x'], 'x.jpg'));
  const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
  expect((await send(UPLOAD, form, cookie, foreign)).status).toBe(403);
});
