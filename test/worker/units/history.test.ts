import { env } from 'cloudflare:workers';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { ask, runSchedule } from '../../support/worker/ask.ts';

const PATH = `/v1/developments/${DEVELOPMENT}/units`;

let agency: Agency;
let token: string;

beforeAll(async () => {
  agency = await openAgency('HISTORY', ['A', 'B', 'C', 'D', 'E']);
  token = await obtainToken(agency);
});

async function update(operation: string, body: unknown, bindings: Env): Promise<void> {
  const init = { method: 'POST', headers: withToken(token), body: JSON.stringify(body) };
  expect((await ask(`${PATH}/${operation}`, init, bindings)).status).toBe(200);
}

function values(UntName: string, UntPrice: number) {
  return { UntName, UntStatus: 1, UntPrice, UntDirections: [] };
}

/** The prices in the history of a unit, oldest first. */
async function prices(unit: string): Promise<number[]> {
  const { results } = await env.DB.prepare(
    `SELECT h.to_price FROM unit_history h JOIN units u ON u.id = h.unit_id
      WHERE u.account_id = ? AND u.name = ? ORDER BY h.version`,
  )
    .bind(agency.accountId, unit)
    .all<{ to_price: number }>();
  return results.map(({ to_price }) => to_price);
}

async function read(unit: string): Promise<{ UntPrice: number; version: number }> {
  const { text } = await ask(`${PATH}/${unit}`, { headers: withToken(token) });
  return JSON.parse(text);
}

function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

test('POST update-by-name, many times: the newest changes remain, and the state', async () => {
  const bindings = { ...env, UNIT_HISTORY_ENTRIES: '10' };
  await update('update-by-name', values('B', 1), bindings);
  // Every fiftieth version deletes the oldest entries.
  await env.DB.prepare("UPDATE units SET version = 38 WHERE account_id = ? AND name = 'A'")
    .bind(agency.accountId)
    .run();
  for (const price of upTo(11)) await update('update-by-name', values('A', price), bindings);
  expect(await prices('A')).toEqual(upTo(11));
  await update('update-by-name', values('A', 12), bindings);
  expect(await prices('A')).toEqual(upTo(12, 3));
  expect(await prices('B')).toEqual([1]);
  expect(await read('A')).toMatchObject({ UntPrice: 12, version: 50 });
});

test('POST update-many of one unit, many times: the newest changes remain, and at most 50 more', async () => {
  const bindings = { ...env, UNIT_HISTORY_ENTRIES: '30' };
  await update(
    'update-many',
    upTo(120).map((price) => values('C', price)),
    bindings,
  );
  const remaining = await prices('C');
  expect(remaining).toEqual(upTo(120, 121 - remaining.length));
  expect(remaining.length).toBeGreaterThanOrEqual(30);
  expect(remaining.length).toBeLessThanOrEqual(80);
  expect(await read('C')).toMatchObject({ UntPrice: 120, version: 121 });
});

test('an invalid UNIT_HISTORY_ENTRIES: the default of 100, and errors in the log', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await update(
    'update-many',
    upTo(149).map((price) => values('D', price)),
    { ...env, UNIT_HISTORY_ENTRIES: '-1' },
  );
  expect(await prices('D')).toEqual(upTo(149, 50));
  expect(String(logged.mock.calls[0])).toMatch(/"setting.invalid".*UNIT_HISTORY_ENTRIES/);
  logged.mockRestore();
});

test('once a day: changes older than UNIT_HISTORY_DAYS are deleted, and the state is not', async () => {
  await update('update-many', [values('E', 1), values('E', 2), values('E', 3)], env);
  await env.DB.prepare(
    'UPDATE unit_history SET changed_at = unixepoch() - 11 * 86400 WHERE account_id = ? AND to_price < 3',
  )
    .bind(agency.accountId)
    .run();
  await runSchedule({ ...env, UNIT_HISTORY_DAYS: '12' });
  expect(await prices('E')).toEqual([1, 2, 3]);
  await runSchedule({ ...env, UNIT_HISTORY_DAYS: '10' });
  expect(await prices('E')).toEqual([3]);
  expect(await read('E')).toMatchObject({ UntPrice: 3, version: 4 });
});
