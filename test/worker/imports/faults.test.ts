import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import type { Env } from '../../../src/env.ts';
import { storedInput } from '../../../src/imports/runs/files.ts';
import { findImport, type ImportOptions } from '../../../src/imports/runs/imports.ts';
import { cancel, importFile, readReport, runSchedule } from '../../../src/imports/runs/manage.ts';
import { continueImport, continueImports } from '../../../src/imports/runs/run.ts';
import { exportPortfolio } from '../../../src/properties/store/export.ts';
import type { Task } from '../../../src/tasks/tasks.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { Random } from '../../support/random.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { unreliable } from '../../support/worker/unreliable.ts';

const MINUTE = 60_000;
const OPTIONS: ImportOptions = {
  actor: SOMEBODY,
  format: null,
  strict: false,
  replace: true,
  maxWithdrawn: 100,
  channel: null,
};

afterEach(() => vi.restoreAllMocks());

let accounts = 0;

/** An account with a property that no file has, and one that files change. */
async function newAccount(): Promise<number> {
  const id = await openAccount(env.DB, `IMPORTS${++accounts}`);
  await store(env.DB, id, [...VOCABULARY, property('gone'), property('P1')]);
  return id;
}

async function portfolioOf(id: number): Promise<unknown[]> {
  const documents: unknown[] = [];
  for await (const document of exportPortfolio(env.DB, id)) {
    documents.push({ ...document, updated_at: null });
  }
  return documents;
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let start = 0; start < all.length; start += 30_000)
    yield all.subarray(start, start + 30_000);
}

/** A bucket whose calls fail at random, before or after they are executed. */
function unreliableBucket(bucket: R2Bucket, random: Random, share: number): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: never[]) => {
        if (random.next() < share / 2) throw new Error('R2 fails before');
        const result = await value.apply(target, args);
        if (random.next() < share / 2) throw new Error('R2 fails after');
        return result;
      };
    },
  });
}

const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
const KYERO = kyeroFeed([
  ...numbers.map((n) =>
    kyeroRecord(`P${n}`, { beds: String(n % 7), channels: '<channel>coast</channel>' }),
  ),
  kyeroRecord('P1', { beds: '9' }),
]);
const NDJSON = [...VOCABULARY, ...numbers.map((n) => property(`P${n}`, { beds: n % 5 }))]
  .map((document) => `${JSON.stringify(document)}\n`)
  .join('');

test.each([
  ['Kyero', KYERO],
  ['NDJSON', NDJSON],
])(
  '%s, the isolate ends after every batch, D1 and R2 fail at random, messages come twice, late, in any order or never: the same rows and the same report as from the command line',
  async (name, file) => {
    const random = new Random(env.FUZZ.seed);
    const errors: unknown[] = [];
    vi.spyOn(console, 'error').mockImplementation((...values) => void errors.push(values));
    const expectedId = await newAccount();
    const plain = {
      actor: SOMEBODY,
      now: READ_AT,
      strict: false,
      replace: true,
      maxWithdrawn: 100,
      dryRun: false,
    };
    const expected = await importPortfolio(env, expectedId, inputOf(file, 50_000), plain);
    expect(expected.properties).toMatchObject({
      read: name === 'NDJSON' ? 400 : 401,
      created: 399,
      withdrawn: 1,
    });

    const id = await newAccount();
    let now = Date.now();
    const clock = () => now;
    let queue: Task[] = [];
    const send = async (task: Task) => {
      for (let n = random.pick([0, 1, 1, 2]); n > 0; n--) queue.push(task);
    };
    const working: Env = { ...env, LONG_TASKS: { send } as unknown as Queue };
    const failing: Env = {
      ...working,
      DB: unreliable(env.DB, random.fork(), 0.1),
      FILES: unreliableBucket(env.FILES, random.fork(), 0.1),
    };
    const importId = (await importFile(working, id, OPTIONS, bytes(file)))!;
    const state = async () => (await findImport(env.DB, id, importId))!;
    let steps = 0;
    while ((await state()).endedAt === null) {
      now += random.between(0, 2) * MINUTE;
      if (random.next() < 0.3) await runSchedule(working, now).catch((error) => errors.push(error));
      const tasks = queue.filter(() => random.next() < 0.7);
      queue = random.next() < 0.2 ? [] : queue.filter((task) => !tasks.includes(task));
      await Promise.all(
        tasks.map((task) =>
          continueImport(failing, (task as { accountId: number }).accountId, clock, 1)
            .then(() => send(task))
            .catch((error) => errors.push(error)),
        ),
      );
      expect(++steps).toBeLessThan(2_000);
    }
    expect(await state()).toMatchObject({ state: 'finished', code: null });
    const { withdrawn_properties, ...report } = (await readReport(env, id, await state())).report!;
    expect(report).toEqual(expected);
    expect(withdrawn_properties).toEqual(['gone']);
    expect(await portfolioOf(id)).toEqual(await portfolioOf(expectedId));
    expect(errors.length).toBeGreaterThan(0);
  },
);

test('an import that is cancelled while a batch is under way: the batch fails once, and is not tried again', async () => {
  const id = await newAccount();
  const importId = (await importFile(env, id, OPTIONS, bytes(KYERO)))!;
  await continueImport(env, id);
  let [batches, failed] = [0, 0];
  const batch = async (statements: D1PreparedStatement[]) => {
    if (++batches === 4) await cancel(env, id, importId, 1);
    return env.DB.batch(statements).catch((error) => {
      failed++;
      throw error;
    });
  };
  await continueImport({ ...env, DB: withMethods(env.DB, { batch }) }, id);
  expect(failed).toBe(1);
});

test('a file whose records state channels, twice into another channel: the second time changes nothing', async () => {
  const id = await newAccount();
  const file = kyeroFeed(
    ['P1', 'P2'].map((one) => kyeroRecord(one, { channels: '<channel>coast</channel>' })),
  );
  const read = async () => {
    const importId = (await importFile(env, id, { ...OPTIONS, channel: 'hills' }, bytes(file)))!;
    for (let steps = 0; steps < 2; steps++) await continueImport(env, id);
    const { properties } = (await readReport(env, id, (await findImport(env.DB, id, importId))!))
      .report!;
    return properties;
  };
  expect(await read()).toMatchObject({ created: 1, updated: 1 });
  expect(await read()).toMatchObject({ unchanged: 2 });
  const listed = (await portfolioOf(id)) as { id?: string; channels?: string[] }[];
  expect(listed.find((one) => one.id === 'P2')!.channels).toEqual(['coast', 'hills']);
});

test('a stored file of 2 MiB: while it is read, at least six times something else can run', async () => {
  const body = () =>
    new ReadableStream({
      type: 'bytes',
      start(controller) {
        for (let chunk = 0; chunk < 32; chunk++)
          controller.enqueue(new Uint8Array(64 * 1024).fill(chunk));
        controller.close();
      },
    });
  const input = storedInput(
    { get: async () => ({ body: body() }) } as unknown as R2Bucket,
    'imports/1/1/file',
  );
  let times = 0;
  const timer = setInterval(() => times++, 0);
  const read: number[] = [];
  for await (const chunk of input.open()) {
    for (let start = 0; start < chunk.length; start += 64 * 1024) read.push(chunk[start]!);
  }
  clearInterval(timer);
  expect(read).toEqual(Array.from({ length: 32 }, (_, chunk) => chunk));
  expect(times).toBeGreaterThanOrEqual(6);
});

test('a message of the queue: one step, which has an invocation for itself, and a message for the next one', async () => {
  const { env: bindings, tasks } = withTasks();
  const accountId = await newAccount();
  const id = (await importFile(bindings, accountId, OPTIONS, bytes(KYERO)))!;
  const states: string[] = [];
  for (let next = tasks.pop(); next?.task.kind === 'import'; next = tasks.pop()) {
    states.push((await findImport(env.DB, accountId, id))!.state);
    await continueImports(bindings, next.task.accountId);
  }
  expect(states).toEqual(['validating', 'applying', 'finished']);
});

test.each([
  [1, 'finished'],
  [7, 'applying'],
])('a message that is delivered %i times before its step ends: %s', async (attempts, state) => {
  const { env: bindings } = withTasks();
  const accountId = await newAccount();
  const id = (await importFile(bindings, accountId, OPTIONS, bytes(KYERO)))!;
  await continueImports(bindings, accountId);
  const task: Task = { kind: 'import', accountId };
  const messages = [{ body: task, attempts, ack: () => {} }];
  await app.tasks({ queue: 'long-tasks', messages } as unknown as MessageBatch, bindings);
  const found = await findImport(env.DB, accountId, id);
  // The lease ends with the step.
  expect(found).toMatchObject({ state, leasedUntil: 0 });
});
