import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import {
  type Agency,
  ask,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { ask as askWith, failingWhen, watched } from '../../support/worker/ask.ts';

const PATH = `/v1/developments/${DEVELOPMENT}/units/update-many`;

let agencies = 0;
let token: string;

beforeAll(async () => {
  [, token] = await newAgency(['A-1', 'A-2', 'A-3', 'A-4']);
});

async function newAgency(names: string[]): Promise<[Agency, string]> {
  const opened = await openAgency(`MANY-${++agencies}`, names);
  return [opened, await obtainToken(opened)];
}

function values(UntName: string, UntPrice: number, more: object = {}) {
  return { UntName, UntStatus: 1, UntPrice, UntDirections: [], ...more };
}

interface Result {
  status: number;
  code: string;
  unit?: { UntName: string; UntPrice: number; version: number };
  errors?: { pointer: string; code: string; detail: string }[];
}

async function updateMany(body: unknown, by = token, bindings: Env = env) {
  const init = { method: 'POST', headers: withToken(by), body: JSON.stringify(body) };
  const { status, text } = await askWith(PATH, init, bindings);
  const parsed: Pick<Result, 'code' | 'errors'> & { results: Result[] } = JSON.parse(text);
  return { status, ...parsed };
}

/** The number of an account's last change. */
async function lastChange({ accountId }: Agency): Promise<number> {
  return (await env.DB.prepare('SELECT changes FROM accounts WHERE id = ?')
    .bind(accountId)
    .first<number>('changes'))!;
}

test('POST update-many: 200 with a result for each update, and the valid ones are applied', async () => {
  const { status, results } = await updateMany([
    values('A-1', 1),
    values('Z', 2),
    values('A-2', 3, { UntStatus: 3 }),
    null,
    values('A-2', 0.1, { UntDirections: [['N']], UntStatus: 8 }),
    values('A-1', 1),
  ]);
  expect(status).toBe(200);
  expect(results).toEqual([
    {
      status: 200,
      code: 'changed',
      unit: expect.objectContaining({ UntName: 'A-1', UntPrice: 1, version: 2 }),
    },
    { status: 404, code: 'unit_not_found', detail: expect.any(String) },
    {
      status: 422,
      code: 'invalid_fields',
      detail: expect.any(String),
      errors: [expect.objectContaining({ pointer: '/UntStatus', code: 'not_one_of' })],
    },
    {
      status: 422,
      code: 'invalid_fields',
      detail: expect.any(String),
      errors: [expect.objectContaining({ pointer: '', code: 'not_object' })],
    },
    {
      status: 200,
      code: 'changed',
      unit: expect.objectContaining({ UntPrice: 0.1, UntStatus: 8, UntDirections: [['N']] }),
    },
    {
      status: 200,
      code: 'unchanged',
      unit: expect.objectContaining({ UntName: 'A-1', version: 2 }),
    },
  ]);
});

test('POST update-many of a unit to what it is, then to something else: unchanged, then changed', async () => {
  const [, own] = await newAgency(['B-1']);
  await updateMany([values('B-1', 5)], own);
  const { results } = await updateMany([values('B-1', 5), values('B-1', 6)], own);
  expect(results.map(({ code, unit }) => [code, unit!.UntPrice, unit!.version])).toEqual([
    ['unchanged', 5, results[0]!.unit!.version],
    ['changed', 6, results[0]!.unit!.version + 1],
  ]);
});

test('POST update-many to an unknown development: 404 in each result', async () => {
  const body = JSON.stringify([values('A-1', 1), values('A-2', 2)]);
  const response = await ask('/v1/developments/NONE/units/update-many', {
    method: 'POST',
    headers: withToken(token),
    body,
  });
  const { results } = await response.json<{ results: Result[] }>();
  expect(results.map(({ code }) => code)).toEqual([
    'development_not_found',
    'development_not_found',
  ]);
});

describe('POST update-many with 500 updates', () => {
  const names = Array.from({ length: 250 }, (_, index) => `U-${index}`);

  test('a change for each changed unit, and deletes stale snapshots once; again: neither', async () => {
    const [many, by] = await newAgency(names);
    const before = await lastChange(many);
    const deletions = vi.fn();
    const bindings = watched(({ of, what }) => {
      if (of === 'D1' && what.includes('delete from "snapshots"')) deletions();
    });
    const updates = [...names, ...names].map((name) => values(name, 7));
    const { results } = await updateMany(updates, by, bindings);
    expect(results.map(({ code }) => code)).toEqual([
      ...names.map(() => 'changed'),
      ...names.map(() => 'unchanged'),
    ]);
    const again = await updateMany(updates, by, bindings);
    expect(new Set(again.results.map(({ code }) => code))).toEqual(new Set(['unchanged']));
    expect((await lastChange(many)) - before).toBe(names.length);
    expect(deletions).toHaveBeenCalledOnce();
  });

  test('501 updates: 422, and none is applied', async () => {
    const [many, by] = await newAgency(['A']);
    const before = await lastChange(many);
    const { status, code, errors } = await updateMany(
      Array.from({ length: 501 }, (_, price) => values('A', price)),
      by,
    );
    expect([status, code, errors]).toEqual([
      422,
      'invalid_fields',
      [expect.objectContaining({ pointer: '' })],
    ]);
    expect(await lastChange(many)).toBe(before);
  });
});

test.each([[{}], ['text'], [null], [values('A-1', 1)]])(
  'POST update-many with a body that is not an array: 422: %j',
  async (body) => {
    expect(await updateMany(body)).toMatchObject({ status: 422, errors: [{ pointer: '' }] });
  },
);

test('POST update-many with 1 MiB: 200; a byte more: 413', async () => {
  const update = JSON.stringify(values('A-1', 1));
  const post = (length: number) =>
    ask(PATH, {
      method: 'POST',
      headers: withToken(token),
      body: `[${update}${' '.repeat(length - update.length - 2)}]`,
    });
  expect((await post(1024 * 1024)).status).toBe(200);
  expect((await post(1024 * 1024 + 1)).status).toBe(413);
});

test('POST update-many with repeated units, prices to the last bit and no changes: the state after each update', async () => {
  const [, by] = await newAgency(['A', 'B', 'C']);
  const price = 123456789.12345679;
  const { results } = await updateMany(
    [
      values('A', 0.1 + 0.2),
      values('B', price),
      values('A', 0.1 + 0.2),
      values('C', 100_000),
      values('A', 5e-324, { UntDirections: ['N', ['S']] }),
      values('B', -1e300),
      values('A', 0.1 + 0.2),
    ],
    by,
  );
  expect(
    results.map(({ code, unit }) => [code, unit!.UntName, unit!.UntPrice, unit!.version]),
  ).toEqual([
    ['changed', 'A', 0.1 + 0.2, 2],
    ['changed', 'B', price, 2],
    ['unchanged', 'A', 0.1 + 0.2, 2],
    ['unchanged', 'C', 100_000, 1],
    ['changed', 'A', 5e-324, 3],
    ['changed', 'B', -1e300, 3],
    ['changed', 'A', 0.1 + 0.2, 4],
  ]);
  const path = `/v1/developments/${DEVELOPMENT}/units`;
  const { units } = await (await ask(path, { headers: withToken(by) })).json<{
    units: Result['unit'][];
  }>();
  expect(units).toEqual([results[6]!.unit, results[5]!.unit, results[3]!.unit]);
  const { changes } = await (await ask(`${path}/A`, { headers: withToken(by) })).json<{
    changes: object[];
  }>();
  expect(changes).toMatchObject([
    { client_id: expect.any(String), from: { UntPrice: 5e-324 }, to: { UntPrice: 0.1 + 0.2 } },
    { from: { UntPrice: 0.1 + 0.2 }, to: { UntPrice: 5e-324, UntDirections: ['N', ['S']] } },
    { from: { UntPrice: 100_000 }, to: { UntPrice: 0.1 + 0.2 } },
  ]);
});

describe('POST update-many while D1 fails', () => {
  const names = Array.from({ length: 150 }, (_, index) => `U-${index}`);
  const updates = names.map((name) => values(name, 9));

  test('200 for applied updates, 503 for the rest, which is not attempted; logged once', async () => {
    const failures = vi.spyOn(console, 'error').mockImplementation(() => {});
    const [, by] = await newAgency(names);
    let batches = 0;
    const failing = failingWhen(
      ({ what }) => what === 'batch' && ++batches > 1,
      'D1_ERROR: D1 DB is overloaded.',
    );
    const { status, results } = await updateMany(updates, by, failing);
    expect([status, batches]).toEqual([200, 2]);
    expect(results.map(({ status, code }) => `${status} ${code}`)).toEqual([
      ...Array(100).fill('200 changed'),
      ...Array(50).fill('503 unavailable'),
    ]);
    expect(failures.mock.calls).toEqual([[expect.stringContaining('D1 DB is overloaded')]]);
    failures.mockRestore();
    const again = await updateMany(updates, by);
    expect(again.results.map(({ code }) => code)).toEqual([
      ...Array(100).fill('unchanged'),
      ...Array(50).fill('changed'),
    ]);
  });

  test('once, after a commit: 200, each unit is changed once, and webhooks are told', async () => {
    const [, by] = await newAgency(['A', 'B']);
    let batches = 0;
    const failing = watched(
      () => {},
      ({ what }) => {
        if (what === 'batch' && ++batches === 1)
          throw new Error('D1_ERROR: Network connection lost.');
      },
    );
    const TASKS = { send: vi.fn() };
    const bindings = { ...failing, TASKS: TASKS as unknown as Queue };
    const { status, results } = await updateMany([values('A', 9), values('B', 9)], by, bindings);
    expect([status, batches, TASKS.send.mock.lastCall?.[0].kind]).toEqual([200, 2, 'webhooks']);
    expect(results.map(({ code, unit }) => [code, unit!.version])).toEqual([
      ['changed', 2],
      ['changed', 2],
    ]);
  });
});
