import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { sweepPictures } from '../../../src/pictures/sweep.ts';
import { call } from '../../support/worker/api.ts';
import { add, filesOf, jpeg, openPhotographed, type Photographed } from './pictures.ts';

const DAY = 86_400;
let own: Photographed;
let code: string;
let accounts = 0;

beforeEach(async () => {
  code = `SWEEP${accounts++}`;
  own = await openPhotographed(code, ['P1', 'P2']);
});

/** Lets days pass, as far as the database knows. */
async function pass(days: number): Promise<void> {
  const seconds = days * DAY;
  await env.DB.batch([
    env.DB.prepare(
      'UPDATE pictures SET received_at = received_at - ?1, unnamed_since = unnamed_since - ?1, deleted_at = deleted_at - ?1',
    ).bind(seconds),
    env.DB.prepare('UPDATE property_history SET changed_at = changed_at - ?1').bind(seconds),
  ]);
}

async function sweep(bindings = env): Promise<void> {
  const id = await env.DB.prepare('SELECT id FROM accounts WHERE code = ?')
    .bind(code)
    .first<number>('id');
  await sweepPictures(bindings, [id!]);
}

async function addOne(id = 'P1', seed = 0): Promise<string> {
  const { body } = await add(own, id, await jpeg(90, 60, seed));
  return body.pictures[0].url;
}

const json = () => ({ ...own.headers, 'Content-Type': 'application/json' });

test('a picture that a property names: it stays for ever', async () => {
  await addOne();
  for (let month = 0; month < 3; month++) {
    await sweep();
    await pass(40);
  }
  expect((await filesOf(code)).length).toBe(2);
});

test('a picture that was removed: its files stay for a month, and are then deleted', async () => {
  const url = await addOne();
  const digest = /[0-9a-f]{32}/.exec(url)![0];
  await call('DELETE', `/v1/properties/P1/pictures/${digest}`, undefined, own.headers);
  await sweep();
  await pass(30);
  await sweep();
  expect((await filesOf(code)).length).toBe(2);
  await pass(2);
  await sweep();
  expect(await filesOf(code)).toEqual([]);
  const left = env.DB.prepare(
    'SELECT count(*) AS n FROM pictures p JOIN accounts a ON a.id = p.account_id WHERE a.code = ?',
  );
  expect(await left.bind(code).first('n')).toBe(0);
});

test.each([
  ['withdrawn', '?purge=false', [2, 2]],
  ['removed for good', '?purge=true', [2, 0]],
])('a property is %s: its pictures stay for a month', async (_, query, [within, after]) => {
  await addOne();
  await call('DELETE', `/v1/properties/P1${query}`, undefined, own.headers);
  await sweep();
  await pass(29);
  await sweep();
  expect((await filesOf(code)).length).toBe(within);
  await pass(3);
  await sweep();
  expect((await filesOf(code)).length).toBe(after);
});

test('a picture that another property has as well, or returns: it stays', async () => {
  const url = await addOne();
  await call('PATCH', '/v1/properties/P2', { pictures: [url] }, json());
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json());
  await sweep();
  await pass(40);
  await sweep();
  expect((await filesOf(code)).length).toBe(2);
  await call('PATCH', '/v1/properties/P2', { pictures: [] }, json());
  await sweep();
  await pass(20);
  await call('PATCH', '/v1/properties/P2', { pictures: [url] }, json());
  await pass(20);
  await sweep();
  expect((await filesOf(code)).length).toBe(2);
});

test('a picture that was named for a moment within the month: it stays as long as somebody may undo that', async () => {
  const url = await addOne();
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json());
  await sweep();
  await pass(31);
  await call('PATCH', '/v1/properties/P1', { pictures: [url] }, json());
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json());
  await sweep();
  expect((await filesOf(code)).length).toBe(2);
});

test('a picture of a development, and one with its thumbnail only: they stay', async () => {
  const [one, two] = [await addOne('P1', 1), await addOne('P1', 2)];
  await call('PATCH', '/v1/properties/P1', { pictures: [two.replace('-2560', '-480')] }, json());
  const scope = await env.DB.prepare(
    "UPDATE clients SET scopes = scopes || ' units:write units:read' WHERE account_id = (SELECT id FROM accounts WHERE code = ?)",
  )
    .bind(code)
    .run();
  expect(scope.success).toBe(true);
  const id = await env.DB.prepare('SELECT id FROM accounts WHERE code = ?')
    .bind(code)
    .first<number>('id');
  await env.DB.prepare(
    "INSERT INTO developments (account_id, identifier, document) VALUES (?, 'pics', ?)",
  )
    .bind(id, JSON.stringify({ name: 'x', details: { pictures: [one] } }))
    .run();
  await sweep();
  await pass(40);
  await sweep();
  expect((await filesOf(code)).length).toBe(4);
});

test('a picture that is taken in while the sweep deletes it: 503; later, it is there', async () => {
  const file = await jpeg(90, 60, 5);
  await add(own, 'P1', file);
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json());
  await sweep();
  await pass(40);
  const failing = {
    ...env.FILES,
    delete: async () => {
      throw new Error('R2 fails');
    },
  } as unknown as R2Bucket;
  await expect(sweep({ ...env, FILES: failing })).rejects.toThrow('R2 fails');
  expect((await add(own, 'P1', file)).status).toBe(503);
  await pass(1);
  expect((await add(own, 'P1', file)).status).toBe(201);
  await sweep();
  expect((await filesOf(code)).length).toBe(2);
});

test('a sweep that ended halfway: the next one completes it', async () => {
  await addOne();
  await call('PATCH', '/v1/properties/P1', { pictures: [] }, json());
  await sweep();
  await pass(40);
  const failing = {
    ...env.FILES,
    delete: async () => {
      throw new Error('R2 fails');
    },
  } as unknown as R2Bucket;
  await expect(sweep({ ...env, FILES: failing })).rejects.toThrow('R2 fails');
  await sweep();
  expect(await filesOf(code)).toEqual([]);
});

test('an upload that ended before its property was written: its files are deleted after a month', async () => {
  const { status } = await add(own, 'P1', await jpeg(90, 60, 6), 'image/jpeg', {
    ...env,
    DB: new Proxy(env.DB, {
      get(target, name) {
        if (name === 'batch')
          return async () => {
            throw new Error('D1_ERROR: Network connection lost.');
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  });
  expect(status).toBe(503);
  await sweep();
  await pass(40);
  await sweep();
  expect(await filesOf(code)).toEqual([]);
});

test('sweeping one account: those of others stay', async () => {
  const others = await openPhotographed(`${code}B`);
  await add(others, 'P1', await jpeg(90, 60));
  await env.DB.prepare("UPDATE properties SET pictures = '[]' WHERE identifier = 'P1'").run();
  await sweep();
  await pass(40);
  await sweep();
  expect((await filesOf(`${code}B`)).length).toBe(2);
});
