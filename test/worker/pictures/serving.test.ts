import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sweepPictures } from '../../../src/pictures/sweep.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';
import { add, filesOf, jpeg, openPhotographed, type Photographed } from './pictures.ts';

let own: Photographed;
let other: Photographed;
let url: string;
let digest: string;

beforeAll(async () => {
  [own, other] = [await openPhotographed('SERVED'), await openPhotographed('ANOTHER')];
  const { body } = await add(own, 'P1', await jpeg(900, 600));
  url = body.pictures[0].url;
  digest = /([0-9a-f]{32})/.exec(url)![1]!;
});

test('GET a picture: for ever, with an ETag; again with it: 304', async () => {
  const { status, headers, bytes } = await ask(url);
  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('Content-Length')).toBe(String(bytes.length));
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  const etag = headers.get('ETag')!;
  const again = await ask(url, { headers: { 'If-None-Match': etag } });
  expect([again.status, again.headers.get('ETag'), again.bytes.length]).toEqual([304, etag, 0]);
});

test('HEAD a picture: the headers of GET, without its body', async () => {
  const whole = await ask(url);
  const { status, headers, bytes } = await ask(url, { method: 'HEAD' });
  expect([status, bytes.length]).toEqual([200, 0]);
  for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control'])
    expect(headers.get(name), name).toBe(whole.headers.get(name));
});

test.each([
  ['bytes=10-19', 10, 20],
  ['bytes=-5', -5, undefined],
  ['bytes=100-', 100, undefined],
])('GET the range %s: 206 with these bytes, cached or not', async (Range, from, to) => {
  const { body } = await add(own, 'P1', await jpeg(300, 200, from + 10));
  const fresh: string = body.pictures[0].url;
  const part = await ask(fresh, { headers: { Range } });
  const whole = await ask(fresh);
  const cached = await ask(fresh, { headers: { Range } });
  for (const { status, bytes, headers } of [part, cached]) {
    expect(status).toBe(206);
    expect(bytes).toEqual(whole.bytes.slice(from, to));
    expect(headers.get('Content-Range')).toMatch(
      new RegExp(`^bytes \\d+-\\d+/${whole.bytes.length}$`),
    );
  }
});

test('GET a picture whose file is gone: from the cache; and with any query: the same', async () => {
  const { body } = await add(own, 'P1', await jpeg(300, 200, 99));
  const cached: string = body.pictures[0].url;
  await ask(cached);
  await env.FILES.delete(new URL(cached).pathname.slice(1));
  expect((await ask(`${cached}?v=2`)).status).toBe(200);
});

test.each([
  ['another digest', (path: string) => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))],
  ['another size', (path: string) => path.replace('-2560', '-full')],
  ['a size that does not exist', (path: string) => path.replace('-2560', '-1920')],
  ['another account', (path: string) => path.replace('SERVED', 'ANOTHER')],
  ['the account in small letters', (path: string) => path.replace('SERVED', 'served')],
  ['the original', () => '/originals/SERVED/x'],
  ['a folder above', (path: string) => path.replace('SERVED/', 'SERVED/..%2F..%2Fbackups%2F')],
])('GET a picture at %s: 404', async (_, changed) => {
  expect((await ask(changed(new URL(url).pathname))).status).toBe(404);
});

test('POST to a picture: 405', async () => {
  expect((await ask(url, { method: 'POST' })).status).toBe(405);
});

test('another account lists, adds, orders or deletes pictures of a property: 404, and they are as they were', async () => {
  const path = '/v1/properties/OWN/pictures';
  const json = { ...own.headers, 'Content-Type': 'application/json' };
  const { status } = await call(
    'PUT',
    '/v1/properties/OWN',
    { ref: 'x', type: 'Villa', status: 'Available', town: 'x', province: 'x', pictures: [url] },
    json,
  );
  expect(status).toBe(201);
  const theirs = { ...other.headers, 'Content-Type': 'application/json' };
  const answers = [
    await call('GET', path, undefined, theirs),
    await add(other, 'OWN', await jpeg(90, 60)),
    await call('PUT', path, { pictures: [] }, theirs),
    await call('DELETE', `${path}/${digest}`, undefined, theirs),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    Array(4).fill([404, 'property_not_found']),
  );
  expect((await call('GET', path, undefined, own.headers)).body.pictures.length).toBe(1);
  // A property of the same name is another one.
  const same = await call('DELETE', `/v1/properties/P1/pictures/${digest}`, undefined, theirs);
  expect([same.status, same.body.code]).toEqual([404, 'picture_not_found']);
  const none = await call('POST', path, 'x', { 'Content-Type': 'image/jpeg' });
  expect(none.body.code).toBe('missing_token');
});

test.each(['OWN', 'x', 'https://feeds.example'])(
  'a name that is guessed from a property, %s: 404',
  async (guess) => {
    const name = createHash('sha256').update(guess).digest('hex').slice(0, 32);
    const { pathname, origin } = new URL(url);
    const guessed = new URL(pathname.replace(digest, name), origin);
    expect((await ask(guessed.href)).status).toBe(404);
  },
);

test('another account names the address of a picture as its own: it can neither delete nor keep the file', async () => {
  const [theirs, ours] = [await openPhotographed('THIEF'), await openPhotographed('VICTIM')];
  const stolen = (await add(ours, 'P1', await jpeg(90, 60, 8))).body.pictures[0].url;
  const json = { ...theirs.headers, 'Content-Type': 'application/json' };
  const pictures = [stolen, stolen.replace('/VICTIM/', '/THIEF/')];
  expect((await call('PATCH', '/v1/properties/P1', { pictures }, json)).status).toBe(200);
  const [, name] = /([0-9a-f]{32})/.exec(stolen)!;
  const path = `/v1/properties/P1/pictures/${name}`;
  expect((await call('DELETE', path, undefined, json)).status).toBe(204);
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json);
  const pass = () =>
    env.DB.exec(
      'UPDATE pictures SET received_at = received_at - 4000000, unnamed_since = unnamed_since - 4000000',
    );
  const ids = [theirs, ours].map(({ agency }) => agency.accountId);
  await sweepPictures(env, ids);
  await pass();
  await sweepPictures(env, ids);
  expect((await filesOf('VICTIM')).length).toBe(2);
  await call('PATCH', '/v1/properties/P1', { pictures: [stolen] }, json);
  const own = { ...ours.headers, 'Content-Type': 'application/json' };
  await call('DELETE', path, undefined, own);
  await sweepPictures(env, ids);
  await pass();
  await env.DB.exec('UPDATE property_history SET changed_at = changed_at - 4000000');
  await sweepPictures(env, ids);
  expect(await filesOf('VICTIM')).toEqual([]);
});

test('PUT pictures in another order and kind: so they are, and those that it does not mention follow', async () => {
  const one = await openPhotographed('ORDER');
  const path = '/v1/properties/P1/pictures';
  const urls: string[] = [];
  for (const seed of [1, 2, 3])
    urls.push((await add(one, 'P1', await jpeg(90, 60, seed))).body.pictures[0].url);
  const json = { ...one.headers, 'Content-Type': 'application/json' };
  const plan = { url: urls[2], kind: 'floor_plan' };
  const { status, body } = await call('PUT', path, { pictures: [plan, urls[0]] }, json);
  expect(status).toBe(200);
  const shown = body.pictures.map((one: { url: string; kind: string; width: number }) => [
    urls.indexOf(one.url),
    one.kind,
    one.width,
  ]);
  expect(shown).toEqual([
    [2, 'floor_plan', 90],
    [0, 'photo', 90],
    [1, 'photo', 90],
  ]);
  const unknown = await call('PUT', path, { pictures: ['https://pictures.example/x.jpg'] }, json);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'picture_not_found']);
  const twice = await call('PUT', path, { pictures: [urls[0], urls[1], urls[0]] }, json);
  expect([twice.status, twice.body.code]).toEqual([404, 'picture_not_found']);
  expect((await call('GET', path, undefined, json)).body).toEqual(body);
  const [, first] = /([0-9a-f]{32})/.exec(urls[0]!)!;
  expect((await call('DELETE', `${path}/${first}`, undefined, json)).status).toBe(204);
  const left = await call('GET', path, undefined, json);
  expect(left.body.pictures.map(({ url }: { url: string }) => urls.indexOf(url))).toEqual([2, 1]);
});
