import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { deleteOldRows } from '../../../src/schedule/retention.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { newAccount } from './account.ts';

test('the history of a property: whole for 90 days, then status and prices, nothing after three years', async () => {
  const id = await newAccount();
  const texts = { uk: { description: 'A' } };
  const priced = (price: number) => property('p', { texts, offers: { sale: { price } } });
  for (const price of [1, 2, 3, 4]) await store(env.DB, id, [priced(price)]);
  const age =
    'UPDATE property_history SET changed_at = unixepoch() - ?3 * 86400 WHERE account_id = ?1 AND change = ?2';
  const { results } = await env.DB.prepare(
    'SELECT change FROM property_history WHERE account_id = ? ORDER BY change',
  )
    .bind(id)
    .all<{ change: number }>();
  for (const [index, days] of [1_100, 100, 80].entries()) {
    await env.DB.prepare(age).bind(id, results[index]!.change, days).run();
  }
  for (const _ of ['once', 'again']) await deleteOldRows(env.DB, [id], 1_095);
  const left = await env.DB.prepare(
    'SELECT document FROM property_history WHERE account_id = ? ORDER BY change',
  )
    .bind(id)
    .all<{ document: string }>();
  expect(left.results.map(({ document }) => JSON.parse(document))).toEqual([
    { status: 'Available', offers: priced(2).offers },
    expect.objectContaining({ ref: 'R-p', offers: priced(3).offers }),
  ]);
});
