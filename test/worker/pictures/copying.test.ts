import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import type { Env } from '../../../src/env.ts';
import { listCopies, takeCopies } from '../../../src/pictures/copies.ts';
import { copyPictures, resumeCopies } from '../../../src/pictures/copy.ts';
import { obtainToken, openAgency } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';
import { page, send, signIn, textOf } from '../console/visitor.ts';
import { add, filesOf, jpeg, openPhotographed, type Photographed } from './pictures.ts';

/** The address of a file at a host of its own, which need not wait for another one. */
const at = (path: string) => `https://${path.slice(1)}.example.com${path}`;
const PAGE = '/property/pictures?id=P1';

let own: Photographed;
let code: string;
let cookie: string;
let accounts = 0;
/** What is at another server, by its path. */
let files: Record<string, () => Promise<Response> | Response>;
let fetched: string[];

beforeEach(async () => {
  code = `COPIES${accounts++}`;
  own = await openPhotographed(code);
  cookie = await signIn(code);
  fetched = [];
  files = {};
  await env.DB.exec('DELETE FROM host_paces');
  vi.stubGlobal('fetch', async (url: URL) => {
    fetched.push(url.pathname);
    return (await files[url.pathname]?.()) ?? new Response('Not here', { status: 404 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function served(path: string, seed: number): Promise<string> {
  const file = await jpeg(90, 60, seed);
  files[path] = () => new Response(file, { headers: { 'Content-Length': String(file.length) } });
  return at(path);
}

const patch = (body: object) =>
  call('PATCH', '/v1/properties/P1', body, { ...own.headers, 'Content-Type': 'application/json' });

// biome-ignore lint/suspicious/noExplicitAny: each test reads members of its own
async function pictures(): Promise<any[]> {
  return (await call('GET', '/v1/properties/P1/pictures', undefined, own.headers)).body.pictures;
}

const ask4copies = (bindings: Env, headers = own.headers, id = 'P1') =>
  call('POST', `/v1/properties/${id}/pictures/copy`, undefined, headers, bindings);

/** Presses the button, or has a program ask, and does what the messages say, each of which arrives twice. */
async function copy(isProgram = false): Promise<void> {
  const { env: given, tasks } = withTasks();
  const { status } = isProgram
    ? await ask4copies(given)
    : await send(PAGE, { do: 'copy' }, cookie, undefined, given);
  expect(status).toBe(isProgram ? 202 : 303);
  for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) {
    if (next.task.kind !== 'pictures') continue;
    const messages = [1, 1].map(() => ({
      body: next!.task,
      attempts: 1,
      ack: vi.fn(),
      retry: vi.fn(),
    }));
    await Promise.all(
      messages.map((one) =>
        app.tasks({ queue: '', messages: [one] } as unknown as MessageBatch, given),
      ),
    );
    for (const { ack } of messages) expect(ack).toHaveBeenCalledOnce();
  }
}

/** A picture that is served from here. */
async function addHere(): Promise<string> {
  return (await add(own, 'P1', await jpeg(90, 60, 9))).body.pictures[0].url;
}

const reasons = async () =>
  (await listCopies(env.DB, own.agency.accountId, 'P1')).map(({ address, reason }) => [
    new URL(address).pathname,
    reason?.code,
  ]);

test('pictures elsewhere are copied: each is fetched once, served from here, and an import of its old address keeps it', async () => {
  const [a, b] = [await served('/a', 1), await served('/b', 2)];
  await patch({ pictures: [a, { url: b, kind: 'floor_plan' }] });
  await copy();
  expect(fetched.sort()).toEqual(['/a', '/b']);
  const now = await pictures();
  expect(now).toMatchObject([
    { kind: 'photo', width: 90, height: 60, copied_from: a },
    { kind: 'floor_plan', width: 90, height: 60, copied_from: b },
  ]);
  for (const { url } of now) expect((await ask(url)).status).toBe(200);
  expect(await reasons()).toEqual([]);
  await patch({ pictures: [a, b] });
  expect(await pictures()).toEqual(now);
  expect(await ask4copies(withTasks().env)).toMatchObject({ status: 200, body: { pictures: [] } });
  expect(fetched.length).toBe(2);
});

test('a program asks for copies, twice: 202 with what is elsewhere, and each is fetched once', async () => {
  const here = await addHere();
  const [a, b] = [await served('/a', 1), at('/gone')];
  await patch({ pictures: [a, here, { url: b, kind: 'floor_plan' }] });
  const elsewhere = [
    { url: a, kind: 'photo', width: null, height: null },
    { url: b, kind: 'floor_plan', width: null, height: null },
  ];
  for (let time = 0; time < 2; time++) {
    const { status, body } = await ask4copies(withTasks().env);
    expect([status, body]).toEqual([202, { pictures: elsewhere }]);
  }
  await copy(true);
  expect(fetched.sort()).toEqual(['/a', '/gone']);
  expect(await reasons()).toEqual([['/gone', 'advised']]);
  expect(await ask4copies(withTasks().env)).toMatchObject({
    status: 202,
    body: { pictures: [elsewhere[1]] },
  });
});

test('a program of another account, or one that may only read: nothing is copied', async () => {
  const stranger = await openPhotographed(`${code}B`, ['P2']);
  await patch({ pictures: [await served('/a', 1)] });
  const { env: given, tasks } = withTasks();
  expect((await ask4copies(given, stranger.headers)).body.code).toBe('property_not_found');
  expect((await ask4copies(given, own.headers, 'P2')).body.code).toBe('property_not_found');
  const scopes = ['properties:read'];
  const reader = await obtainToken(await openAgency(`${code}C`, [], scopes));
  expect((await ask4copies(given, { Authorization: `Bearer ${reader}` })).status).toBe(403);
  expect([tasks, await reasons()]).toEqual([[], []]);
});

test('two accounts with pictures at one host: it gets one request a second', async () => {
  const times: number[] = [];
  const others = await openPhotographed(`${code}D`);
  const file = await jpeg(90, 60);
  for (const one of [own, others]) {
    const addresses = [1, 2].map((name) => `https://shared.example.com/${code}/${name}`);
    for (const address of addresses)
      files[new URL(address).pathname] = () => {
        times.push(Date.now());
        return new Response(file);
      };
    const json = { ...one.headers, 'Content-Type': 'application/json' };
    await call('PATCH', '/v1/properties/P1', { pictures: addresses }, json);
    await ask4copies(withTasks().env, one.headers);
  }
  const both = [own, others].map(({ agency }) => agency.accountId);
  await Promise.all(both.map((id) => copyPictures(withTasks().env, id)));
  const sorted = times.toSorted((one, other) => one - other);
  expect(sorted.length).toBe(4);
  for (const [index, time] of sorted.slice(1).entries())
    expect(time - sorted[index]!).toBeGreaterThan(700);
});

test('a host that others have claimed for long: its picture waits without a failure, and the others are copied', async () => {
  const [busy, free] = [await served('/busy', 1), await served('/free', 2)];
  await patch({ pictures: [busy, free] });
  await env.DB.prepare('INSERT INTO host_paces VALUES (?, (unixepoch() + 60) * 1000)')
    .bind(new URL(busy).hostname)
    .run();
  await ask4copies(withTasks().env);
  const { env: given, tasks } = withTasks();
  await copyPictures(given, own.agency.accountId);
  expect(fetched).toEqual(['/free']);
  expect(await reasons()).toEqual([['/busy', undefined]]);
  const again = tasks.find(({ task }) => task.kind === 'pictures');
  expect(again?.delay).toBeGreaterThan(0);
});

test('pictures that cannot be copied: they stay where they are, and the page says why; the next attempt takes what is there by then', async () => {
  const good = await served('/good', 1);
  files['/text'] = () => new Response('<html>No picture</html>');
  files['/large'] = () => new Response('x', { headers: { 'Content-Length': '30000001' } });
  const addresses = ['/gone', '/text', '/large'].map(at);
  const all = [...addresses, 'https://10.0.0.1/inner.jpg', good];
  await patch({ pictures: all });
  await copy();
  expect((await pictures()).map(({ url }) => url).slice(0, 4)).toEqual(all.slice(0, 4));
  expect((await pictures())[4].copied_from).toBe(good);
  expect(Object.fromEntries(await reasons())).toMatchObject({
    '/gone': 'advised',
    '/text': 'picture_format',
    '/large': 'picture_too_large',
  });
  expect(fetched).not.toContain('/inner.jpg');
  expect(textOf(await page(PAGE, cookie))).toContain('neither JPEG, PNG, WebP nor HEIC');
  await served('/gone', 3);
  await copy();
  expect((await pictures())[0].copied_from).toBe(addresses[0]);
});

test.each<[string, object, object[]]>([
  ['loses the picture', { pictures: [] }, []],
  ['gets another one', { pictures: [at('/other')] }, [{ url: at('/other') }]],
])(
  'a property that %s while it is fetched: the copy is not brought in',
  async (_, change, after) => {
    const address = await served('/slow', 1);
    const file = files['/slow']!;
    files['/slow'] = async () => {
      await patch(change);
      return file();
    };
    await patch({ pictures: [address] });
    await copy();
    expect(await pictures()).toMatchObject(after);
    expect(await reasons()).toEqual([]);
  },
);

test('a property that is withdrawn while its picture is fetched: it stays withdrawn', async () => {
  const address = await served('/slow', 1);
  const file = files['/slow']!;
  files['/slow'] = async () => {
    await patch({ status: 'Withdrawn' });
    return file();
  };
  await patch({ pictures: [address] });
  await copy();
  const { body } = await call('GET', '/v1/properties/P1', undefined, own.headers);
  expect(body).toMatchObject({ status: 'Withdrawn', pictures: [{ copied_from: address }] });
});

test('a property that is removed while its picture is fetched: nothing is left to copy', async () => {
  const address = await served('/slow', 1);
  const file = files['/slow']!;
  files['/slow'] = async () => {
    await call('DELETE', '/v1/properties/P1?purge=true', undefined, own.headers);
    return file();
  };
  await patch({ pictures: [address] });
  await copy();
  expect(await reasons()).toEqual([]);
});

test('a bucket that fails, and a message that is lost: the schedule continues, and only what is missing is fetched', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const [a, b] = [await served('/a', 1), await served('/b', 2)];
  await patch({ pictures: [a, b] });
  const { env: unsent } = withTasks();
  await send(PAGE, { do: 'copy' }, cookie, undefined, unsent);
  let puts = 0;
  const FILES = new Proxy(env.FILES, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'put') return typeof value === 'function' ? value.bind(target) : value;
      // The first picture has three files.
      return (...given: Parameters<R2Bucket['put']>) =>
        ++puts > 3 ? Promise.reject(new Error('R2 fails')) : target.put(...given);
    },
  });
  await expect(copyPictures({ ...env, FILES }, own.agency.accountId)).rejects.toThrow('R2 fails');
  const { env: given, tasks } = withTasks();
  await resumeCopies(given);
  expect(tasks.map(({ task }) => task)).toContainEqual({
    kind: 'pictures',
    accountId: own.agency.accountId,
  });
  await copyPictures(given, own.agency.accountId);
  expect(fetched).toEqual(['/a', '/b', '/b']);
  expect((await pictures()).map(({ copied_from }) => copied_from)).toEqual([a, b]);
  expect((await filesOf(code)).length).toBe(4);
});

test('a picture that ends each isolate that copies it: it stays where it is, and the others are copied', async () => {
  const [bad, good] = [await served('/bad', 1), await served('/good', 2)];
  await patch({ pictures: [good, bad] });
  await send(PAGE, { do: 'copy' }, cookie, undefined, withTasks().env);
  const { accountId } = own.agency;
  const taken: number[] = [];
  for (let isolate = 0; isolate < 3; isolate++) {
    taken.push((await takeCopies(env.DB, accountId, 10))!.addresses.length);
    expect(await takeCopies(env.DB, accountId, 10)).toBeNull();
    await env.DB.exec('UPDATE picture_copies SET leased_until = 0');
  }
  expect(taken).toEqual([2, 1, 1]);
  for (let message = 0; message < 2; message++) await copyPictures(withTasks().env, accountId);
  expect(await reasons()).toEqual([['/bad', 'copy_interrupted']]);
  expect((await pictures()).map(({ copied_from }) => copied_from)).toEqual([good, undefined]);
  expect(fetched).toEqual(['/good']);
});
