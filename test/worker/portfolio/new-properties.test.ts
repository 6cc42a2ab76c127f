import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { property, store } from '../../support/accounts/portfolio.ts';
import { newAccount } from './account.ts';

const db = env.DB;

test('a property that was deleted and is written again: changed now, whatever time is given', async () => {
  const id = await newAccount();
  const given = ['a', 'b'].map((one) => property(one, { updated_at: '2026-01-02T03:04:05Z' }));
  const times = async () => {
    const select = db.prepare(
      'SELECT changed_at AS time FROM properties WHERE account_id = ? ORDER BY identifier',
    );
    return (await select.bind(id).all<{ time: number }>()).results.map(({ time }) => time);
  };
  await store(db, id, given);
  const [first] = await times();
  await store(db, id, given, { merge: () => undefined, purge: () => ['a'] });
  await store(db, id, given);
  const [again, other] = await times();
  expect(other).toBe(first);
  expect(Math.abs(again! - Date.now() / 1_000)).toBeLessThan(60);
});

test('a time in the future: now', async () => {
  const id = await newAccount();
  await store(db, id, [property('p', { updated_at: '2999-01-01T00:00:00Z' })]);
  const row = await db
    .prepare('SELECT changed_at AS time FROM properties WHERE account_id = ?')
    .bind(id)
    .first('time');
  expect(Math.abs((row as number) - Date.now() / 1_000)).toBeLessThan(60);
});

test('300 changes within a second: dated at most one second ahead', async () => {
  const id = await newAccount();
  await store(db, id, [property('p')]);
  const change = db.prepare(
    "UPDATE properties SET document = json_set(document, '$.beds', ?2) WHERE account_id = ?1",
  );
  await db.batch(Array.from({ length: 300 }, (_, beds) => change.bind(id, beds + 1)));
  const ahead = await db
    .prepare(
      'SELECT changed_at - unixepoch() AS ahead, change FROM properties WHERE account_id = ?',
    )
    .bind(id)
    .first<{ ahead: number; change: number }>();
  expect(ahead!.ahead).toBeLessThanOrEqual(1);
});
