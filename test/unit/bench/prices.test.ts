import { expect, test } from 'vitest';
import { monthOf, type Operations } from '../../bench/cost/agencies.ts';
import { type Billed, billOf, type Cost, totalOf } from '../../bench/cost/prices.ts';
import { noUsage } from '../../support/platform/usage.ts';

const NOTHING: Billed = {
  ...{ requests: 0, cpu: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0, kvDeletes: 0 },
  ...{ logLines: 0, dataPoints: 0, d1Storage: 0, kvStorage: 0 },
};

test('a service within what the plan includes costs the plan', () => {
  expect(totalOf({ ...NOTHING, requests: 10e6, kvReads: 1e6, d1Storage: 5 })).toBe(5);
});

test('what is beyond it costs its price', () => {
  const bill = billOf({ ...NOTHING, requests: 73e6, cpu: 730e6, rowsRead: 73e9, d1Storage: 200, logLines: 120e6 });
  expect(bill.requests).toBeCloseTo(18.9);
  expect(bill.cpu).toBeCloseTo(14);
  expect(bill.rowsRead).toBeCloseTo(48);
  expect(bill.d1Storage).toBeCloseTo(146.25);
  expect(bill.logLines).toBeCloseTo(60);
  expect(bill.kvWrites).toBe(0);
});

const cost = (used: Partial<Cost>): Cost => ({ ...noUsage(), cpu: 0, ...used });

/** As counted in November 2026. */
const OPERATIONS: Operations = {
  notModified: cost({ rowsRead: 22, cpu: 3 }),
  hit: cost({ rowsRead: 22, cpu: 44 }),
  afterChange: cost({ rowsRead: 1_663, rowsWritten: 1, cpu: 97 }),
  update: cost({ rowsRead: 25, rowsWritten: 9, cpu: 4 }),
};

const AGENCIES = { agencies: 1_000, sets: 20, interval: 300, hasLocalCache: false };

test('twenty sets polled every five minutes: parts of KV are read 2.4 times each, and most of the bill is KV', () => {
  const month = monthOf(AGENCIES, OPERATIONS);
  expect(month.kvReads / month.kvWrites).toBeCloseTo(2.4, 1);
  const bill = billOf(month);
  expect(bill.kvWrites + bill.kvDeletes).toBeGreaterThan(10_000);
});

test('the same with the cache of the location: at most $7,000', () => {
  expect(totalOf(monthOf({ ...AGENCIES, hasLocalCache: true }, OPERATIONS))).toBeLessThan(7_000);
});

test('no agency: the plan', () => {
  expect(totalOf(monthOf({ ...AGENCIES, agencies: 0 }, OPERATIONS))).toBe(5);
});
