import { expect, test } from 'vitest';
import { type Cost, monthlyBill } from '../../bench/cost/prices.ts';
import { noUsage } from '../../support/platform/usage.ts';

const FREE: Cost = { ...noUsage(), cpu: 0 };

test('a service within what the plan includes costs the plan', () => {
  const used = { ...FREE, cpu: 2, rowsRead: 30, kvReads: 1 };
  expect(monthlyBill(10, [{ cost: used, perFeed: 1, isRequest: true }]).total).toBe(5);
});

test('what is beyond it costs its price: 73 million requests with 10 ms, 1,000 rows read and one KV read each', () => {
  const used = { ...FREE, cpu: 10, rowsRead: 1_000, kvReads: 1 };
  const { items, total } = monthlyBill(100_000, [{ cost: used, perFeed: 1, isRequest: true }]);
  expect(items.requests).toBeCloseTo((73 - 10) * 0.3);
  expect(items.cpu).toBeCloseTo((730 - 30) * 0.02);
  expect(items.rowsRead).toBeCloseTo((73_000 - 25_000) * 0.001);
  expect(items.kvReads).toBeCloseTo((73 - 10) * 0.5);
  expect(total).toBeCloseTo(5 + 18.9 + 14 + 48 + 31.5);
});

test('operations are shared out per feed, and only requests are billed as such', () => {
  const used = { ...FREE, rowsWritten: 10 };
  const { items } = monthlyBill(100_000, [{ cost: used, perFeed: 0.1, isRequest: false }]);
  expect([items.requests, items.rowsWritten]).toEqual([0, 73 - 50]);
});
