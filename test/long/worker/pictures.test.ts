import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { sweepPictures } from '../../../src/pictures/sweep.ts';
import { Random } from '../../support/random.ts';
import { call } from '../../support/worker/api.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { add, filesOf, jpeg, openPhotographed } from '../../worker/pictures/pictures.ts';

const CODE = 'FAULTY';
const UPLOADS = 1_000;
const PICTURES = 40;
const PROPERTIES = ['P1', 'P2', 'P3', 'P4', 'P5'];
const DAY = 86_400;

const random = new Random(62);

/** Uses of D1 and R2 after which an isolate is killed: it does nothing more. */
type Life = { uses: number };

/** What one use does: nothing, or its effect without an answer, once the isolate is killed; and nothing ever after. */
async function use<Result>(life: Life, execute: () => Promise<Result>): Promise<Result> {
  life.uses--;
  if (life.uses < 0) throw new Error('The isolate was killed before');
  const result = await execute();
  if (life.uses === 0 && random.next() < 0.5) throw new Error('The isolate was killed after');
  return result;
}

/** Bindings whose isolate is killed after so many uses of them. */
function mortal(life: Life, withImages: boolean): Env {
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    withMethods(real, {
      bind: (...values: unknown[]) => statement(real.bind(...values)),
      all: () => use(life, () => real.all()),
      run: () => use(life, () => real.run()),
      raw: () => use(life, () => real.raw()),
      first: (column: string) => use(life, () => real.first(column)),
      original: real,
    });
  const DB = withMethods(env.DB, {
    prepare: (sql: string) => statement(env.DB.prepare(sql)),
    batch: (all: (D1PreparedStatement & { original?: D1PreparedStatement })[]) =>
      use(life, () => env.DB.batch(all.map((one) => one.original ?? one))),
  });
  const FILES = withMethods(env.FILES, {
    put: (...given: Parameters<R2Bucket['put']>) => use(life, () => env.FILES.put(...given)),
    get: (key: string) => use(life, () => env.FILES.get(key)),
    delete: (keys: string[]) => use(life, () => env.FILES.delete(keys)),
  });
  const { IMAGES, ...others } = env;
  return { ...others, ...(withImages && { IMAGES }), DB, FILES } as Env;
}

async function pass(days: number): Promise<void> {
  const seconds = days * DAY;
  await env.DB.batch([
    env.DB.prepare(
      'UPDATE pictures SET received_at = received_at - ?1, unnamed_since = unnamed_since - ?1, deleted_at = deleted_at - ?1',
    ).bind(seconds),
    env.DB.prepare('UPDATE property_history SET changed_at = changed_at - ?1').bind(seconds),
  ]);
}

test('1,000 uploads, deletions and sweeps whose isolates are killed: no listing names a missing file, and no file is left over', async () => {
  const own = await openPhotographed(CODE, PROPERTIES);
  const pool: Uint8Array[] = [];
  for (let seed = 0; seed < PICTURES; seed++) pool.push(await jpeg(60, 40, seed));
  const id = (await env.DB.prepare('SELECT id FROM accounts WHERE code = ?')
    .bind(CODE)
    .first<number>('id'))!;
  const named = async () => {
    const { results } = await env.DB.prepare('SELECT pictures FROM properties WHERE account_id = ?')
      .bind(id)
      .all<{ pictures: string }>();
    const urls = results.flatMap(({ pictures }) =>
      (JSON.parse(pictures) as { url: string }[]).map(({ url }) => url.split('/').at(-1)!),
    );
    return [...new Set(urls)];
  };
  const expectAllThere = async () => {
    const files = new Set(await filesOf(CODE));
    for (const name of await named()) {
      expect(files).toContain(name);
      if (name.includes('-2560')) expect(files).toContain(name.replace('-2560', '-480'));
    }
  };
  const statuses = new Map<number, number>();
  for (let upload = 0; upload < UPLOADS; upload++) {
    const isKilled = random.next() < 0.5;
    const bindings = mortal(
      { uses: isKilled ? random.between(1, 14) : Number.MAX_SAFE_INTEGER },
      random.next() < 0.3,
    );
    const property = random.pick(PROPERTIES);
    const { status } = await add(own, property, random.pick(pool), 'image/jpeg', bindings);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (random.next() < 0.4) {
      const urls = await named();
      const digest = urls.length === 0 ? '' : random.pick(urls).slice(0, 32);
      await call('DELETE', `/v1/properties/${property}/pictures/${digest}`, undefined, own.headers);
    }
    if (random.next() < 0.08) {
      await pass(random.pick([0, 1, 20, 40]));
      const sweeper = mortal({ uses: random.between(1, 12) }, true);
      await sweepPictures(sweeper, [id]).catch(() => {});
      await expectAllThere();
    }
  }
  expect([...statuses.keys()].filter((status) => ![201, 500, 503].includes(status))).toEqual([]);
  expect(statuses.get(201)).toBeGreaterThan(UPLOADS / 3);
  expect(UPLOADS - statuses.get(201)!).toBeGreaterThan(UPLOADS / 5);
  await expectAllThere();
  for (let month = 0; month < 3; month++) {
    await sweepPictures(env, [id]);
    await pass(40);
  }
  await expectAllThere();
  // Of a picture that only its thumbnail is named of, both files stay.
  const digests = new Set((await named()).map((name) => name.slice(0, 32)));
  const left = (await filesOf(CODE)).filter((name) => !digests.has(name.slice(0, 32)));
  expect(left).toEqual([]);
});
