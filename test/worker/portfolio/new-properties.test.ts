import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { purge } from '../../../src/db/portfolio/listed.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { property } from '../../support/accounts/portfolio.ts';
import { newAccount } from './account.ts';

const db = env.DB;

interface Revisions {
  sale: number;
  rental: number;
  number: number;
}

async function revisionsOf(id: number): Promise<Revisions> {
  return (await db
    .prepare(
      'SELECT sale_revision AS sale, rental_revision AS rental, change_number AS number FROM accounts WHERE id = ?',
    )
    .bind(id)
    .first<Revisions>())!;
}

test('new properties: each records a revision of this change in the feeds that it is offered in, and a number of its own', async () => {
  const id = await newAccount();
  const text = { uk: { title: null, description: 'A villa', url: null } };
  const offers = [
    ['s', { sale: { price: 1 } }],
    ['r', { long_term: { rent: 1 } }],
    ['b', { sale: { price: 1 }, long_term: { rent: 1 } }],
  ] as const;
  const texts = [
    ['t', text],
    ['n', {}],
  ] as const;
  const given = offers.flatMap(([offer, parts]) =>
    texts.map(([name, each]) => property(offer + name, { offers: parts as never, texts: each, channels: ['coast'] })),
  );
  await writePortfolio(db, id, [property('first')]);
  const before = await revisionsOf(id);
  await writePortfolio(db, id, given);
  const after = await revisionsOf(id);
  const { results } = await db
    .prepare(
      `SELECT identifier, sale_revision AS sale, rental_revision AS rental, change_number AS number,
              seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id) AS is_seen
         FROM properties WHERE account_id = ? AND identifier <> 'first'`,
    )
    .bind(id)
    .all<Revisions & { identifier: string; is_seen: 0 | 1 }>();
  expect(results).toHaveLength(given.length);
  expect(new Set(results.map(({ number }) => number)).size).toBe(given.length);
  expect(Math.max(...results.map(({ number }) => number))).toBe(after.number);
  for (const { identifier, sale, rental, is_seen } of results) {
    expect(is_seen, identifier).toBe(1);
    const isOf = (kind: 'sale' | 'rental', revision: number) =>
      revision > before[kind] && revision <= after[kind] ? kind : revision;
    const expected = { s: ['sale', 0], r: [0, 'rental'], b: ['sale', 'rental'] }[identifier[0]!];
    expect([isOf('sale', sale), isOf('rental', rental)], identifier).toEqual(expected);
  }
});

test('a property that was removed and is written again: changed now, whatever time is given', async () => {
  const id = await newAccount();
  const given = ['a', 'b'].map((one) => property(one, { sale_updated_at: '2026-01-02T03:04:05Z' }));
  const times = async () => {
    const select = db.prepare(
      'SELECT identifier, sale_updated_at AS time FROM properties WHERE account_id = ? ORDER BY 1',
    );
    return (await select.bind(id).all<{ time: number }>()).results.map(({ time }) => time);
  };
  await writePortfolio(db, id, given);
  const [first] = await times();
  await purge(db, id, ['a']).run();
  await writePortfolio(db, id, given);
  const [again, other] = await times();
  expect(other).toBe(first);
  expect(Math.abs(again! - Date.now() / 1_000)).toBeLessThan(60);
});
