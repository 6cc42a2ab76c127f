import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { beforeAll, expect, test } from 'vitest';
import { HEIC, png, SECRET_PLACE, segmentsOf, withExif } from '../../support/documents/pictures.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';
import {
  add,
  filesOf,
  jpeg,
  openPhotographed,
  originalsOf,
  type Photographed,
} from './pictures.ts';

let own: Photographed;

beforeAll(async () => {
  own = await openPhotographed('PICS', [
    'P1',
    'FULL',
    'FORM',
    'REFUSED',
    'AT-ONCE',
    'SAME',
    'ALMOST',
    'PLAIN',
    'BIG',
  ]);
});

async function picturesOf(id: string) {
  const { body } = await call('GET', `/v1/properties/${id}/pictures`, undefined, own.headers);
  return body.pictures;
}

test('POST a photograph that a phone took upright: turned, without Exif, named by its content, at the end', async () => {
  const photograph = withExif(await jpeg(3_000, 2_000), 6);
  expect(Buffer.from(photograph).includes(SECRET_PLACE)).toBe(true);
  const { status, body } = await add(own, 'P1', photograph);
  expect(status).toBe(201);
  const [picture] = body.pictures;
  expect(picture).toEqual({
    url: expect.stringMatching(
      /^https:\/\/feeds\.example\/pictures\/PICS\/[0-9a-f]{32}-2560\.jpg$/,
    ),
    kind: 'photo',
    width: 1_707,
    height: 2_560,
  });
  expect(await picturesOf('P1')).toEqual([picture]);
  for (const [url, pixels] of [
    [picture.url, 2_560],
    [picture.url.replace('-2560', '-480'), 480],
  ]) {
    const { status, headers, bytes } = await ask(url);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(bytes).includes(SECRET_PLACE)).toBe(false);
    const { markers, height } = segmentsOf(bytes);
    expect(height).toBe(pixels);
    expect(markers).not.toContain('e1');
  }
  // The file as it was sent is kept for a month, where nobody can fetch it.
  expect(await originalsOf('PICS')).toBe(1);
});

test('POST the same photograph twice: the property has it once', async () => {
  const file = await jpeg(600, 400, 1);
  const [first, second] = [await add(own, 'P1', file), await add(own, 'P1', file)];
  expect(second.body.pictures).toEqual(first.body.pictures);
  expect(new Set((await picturesOf('P1')).map(({ url }: { url: string }) => url)).size).toBe(2);
});

test('POST a PNG that says it shows a floor plan: a JPEG of this kind', async () => {
  const headers = { ...own.headers, 'Content-Type': 'image/png' };
  const path = '/v1/properties/P1/pictures?kind=floor_plan';
  const { status, body } = await call('POST', path, png(800, 600), headers);
  expect([status, body.pictures[0].kind, body.pictures[0].width]).toEqual([201, 'floor_plan', 800]);
});

test.each<[string, () => Promise<Uint8Array> | Uint8Array, number, string]>([
  ['an empty file', () => new Uint8Array(0), 415, 'picture_format'],
  ['a text', () => Buffer.from('hello, this is no picture at all'), 415, 'picture_format'],
  [
    'an SVG',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'),
    415,
    'picture_format',
  ],
  ['a GIF', () => Buffer.from(`GIF89a${'\0'.repeat(40)}`), 415, 'picture_format'],
  ['a truncated JPEG', async () => (await jpeg(900, 600)).slice(0, -20), 422, 'picture_damaged'],
  ['a truncated PNG', () => png(900, 600).slice(0, -20), 422, 'picture_damaged'],
  ['a PNG with fewer rows than it says', () => png(900, 600, 10), 422, 'picture_damaged'],
  ['a bomb', () => png(11_000, 11_000, 1), 422, 'picture_too_many_pixels'],
  [
    'a JPEG of 13,000 pixels a side',
    async () => withSize(await jpeg(90, 60), 13_000, 90),
    422,
    'picture_too_many_pixels',
  ],
  // The binding has no decoder here: the deployed one reads it.
  ['a HEIC', () => HEIC, 422, 'picture_heic_not_read'],
  ['a damaged HEIC', () => HEIC.subarray(0, 300), 422, 'picture_heic_not_read'],
])('POST %s: refused with its reason, and nothing is stored', async (_, file, status, code) => {
  const before = [await originalsOf('PICS'), (await filesOf('PICS')).length];
  const answer = await add(own, 'REFUSED', await file());
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect([await originalsOf('PICS'), (await filesOf('PICS')).length]).toEqual(before);
  expect(await picturesOf('REFUSED')).toEqual([]);
});

/** A JPEG that states another size than it has. */
function withSize(file: Uint8Array, width: number, height: number): Uint8Array {
  const changed = Buffer.from(file);
  const at = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(height, at + 5);
  changed.writeUInt16BE(width, at + 7);
  return changed;
}

test('POST a file of more than 30 MB, with its length or without: 413 picture_too_large', async () => {
  const file = Buffer.concat([await jpeg(90, 60), Buffer.alloc(30_000_000)]);
  expect((await add(own, 'REFUSED', file)).body.code).toBe('picture_too_large');
  const headers = { ...own.headers, 'Content-Type': 'image/jpeg' };
  const body = new Response(file).body!.pipeThrough(new TransformStream());
  const answer = await call('POST', '/v1/properties/REFUSED/pictures', body, headers);
  expect([answer.status, answer.body.code]).toEqual([413, 'picture_too_large']);
});

test('POST a form with pictures and other files: those that are pictures, and why the others are not', async () => {
  const form = new FormData();
  form.set('first', new File([await jpeg(90, 60, 2)], 'a.jpg'));
  form.set('second', new File([new Uint8Array(500_000).fill(65)], 'b.txt'));
  form.set('third', new File([png(90, 60, 60, 3)], 'c.png'));
  const { headers, body } = new Response(form);
  const type = { ...own.headers, 'Content-Type': headers.get('Content-Type')! };
  const answer = await call('POST', '/v1/properties/FORM/pictures', body, type);
  expect(answer.status).toBe(201);
  expect(answer.body.refused).toEqual([{ file: 'b.txt', code: 'picture_format' }]);
  expect(answer.body.pictures.length).toBe(2);
  expect(await picturesOf('FORM')).toEqual(answer.body.pictures);
});

test('POST ten pictures at the same time: all are there', async () => {
  const files = await Promise.all(Array.from({ length: 10 }, (_, at) => jpeg(90, 60, at + 10)));
  const answers = await Promise.all(files.map((file) => add(own, 'AT-ONCE', file)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect((await picturesOf('AT-ONCE')).length).toBe(10);
});

test('POST the same photograph five times at once: each is a 201, and the property has it once', async () => {
  const file = await jpeg(90, 60, 77);
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(own, 'SAME', file)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  expect(new Set(answers.map(({ body }) => body.pictures[0].url)).size).toBe(1);
  expect((await picturesOf('SAME')).length).toBe(1);
});

test('POST two photographs at once to a property with 999: one is added, the other a 409; and nobody stores 1,001', async () => {
  const urls = Array.from({ length: 1_001 }, (_, at) => `https://pictures.example/${at}.jpg`);
  const headers = { ...own.headers, 'Content-Type': 'application/json' };
  await call('PATCH', '/v1/properties/ALMOST', { pictures: urls.slice(0, 999) }, headers);
  const files = [await jpeg(90, 60, 78), await jpeg(90, 60, 79)];
  const answers = await Promise.all(files.map((file) => add(own, 'ALMOST', file)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const path = '/v1/properties/ALMOST';
  for (const [method, to] of [
    ['PATCH', path],
    ['PUT', `${path}/pictures`],
  ] as const) {
    const { status, body } = await call(method, to, { pictures: urls }, headers);
    expect([status, body.code]).toEqual([422, 'invalid_fields']);
  }
  expect((await picturesOf('ALMOST')).length).toBe(1_000);
});

test('POST to a property with 1,000 pictures: 409 too_many_pictures', async () => {
  const pictures = Array.from({ length: 1_000 }, (_, at) => `https://pictures.example/${at}.jpg`);
  const headers = { ...own.headers, 'Content-Type': 'application/json' };
  await call('PATCH', '/v1/properties/FULL', { pictures }, headers);
  const answer = await add(own, 'FULL', await jpeg(90, 60));
  expect([answer.status, answer.body.code]).toEqual([409, 'too_many_pictures']);
});

test('POST without the Images binding: a JPEG as it is but for where it was taken; nothing else', async () => {
  const { IMAGES: _, ...bindings } = env;
  const file = withExif(await jpeg(900, 600, 4), 6);
  const { status, body } = await add(own, 'PLAIN', file, 'image/jpeg', bindings as typeof env);
  expect([status, body.pictures[0].width, body.pictures[0].height]).toEqual([201, 600, 900]);
  const { bytes } = await ask(body.pictures[0].url);
  expect(Buffer.from(bytes).includes(SECRET_PLACE)).toBe(false);
  // Which way is up is all that is left of Exif.
  expect(segmentsOf(bytes)).toMatchObject({ width: 900, height: 600 });
  const original = segmentsOf(file).markers;
  expect(segmentsOf(bytes).markers.filter((marker) => marker === 'e1').length).toBe(1);
  expect(original.filter((marker) => marker === 'e1').length).toBe(2);
  const refused = await add(own, 'PLAIN', png(90, 60), 'image/png', bindings as typeof env);
  expect([refused.status, refused.body.code]).toEqual([415, 'picture_not_jpeg']);
});

test.each(['image/svg+xml', 'application/json', 'text/plain'])(
  'POST with the type %s: 415 unsupported_media_type',
  async (type) => {
    const { status, body } = await add(own, 'P1', 'x', type);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  },
);
