import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { deliver, deliverAll } from '../../../src/changes/webhooks/deliver.ts';
import type { Env } from '../../../src/env.ts';
import type { Task } from '../../../src/tasks/tasks.ts';
import { createAgency } from '../../support/accounts/agency.ts';
import {
  type Call,
  type OpenWebhook,
  openWebhook,
  readCall,
} from '../../support/accounts/webhooks.ts';
import { Random } from '../../support/random.ts';
import { isKilled, unreliable } from '../../support/worker/unreliable.ts';

const CHANGES = env.FUZZ.cases;
const UNITS = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'];
const SECOND = 1_000;
const CRON = 300 * SECOND;

afterEach(() => vi.unstubAllGlobals());

/** How a receiver behaves. A message counts as received before its answer, which can be lost. */
type Behaviour = 'confirms' | 'fails at random' | 'is down at first' | 'leaves';

class Receiver {
  readonly webhook: OpenWebhook;
  readonly behaviour: Behaviour;
  /** By type and id: the number of the last news; a message with a known id is ignored. */
  readonly news = new Map<string, number>();
  readonly #ids = new Set<string>();
  readonly #received = new Set<string>();
  #last = 0;
  #calls = 0;
  #hasLeft = false;
  constructor(webhook: OpenWebhook, behaviour: Behaviour) {
    this.webhook = webhook;
    this.behaviour = behaviour;
  }

  async answer(request: Request, random: Random, now: number): Promise<Response> {
    // A process that is killed after the answer does not record it.
    if (this.#hasLeft) {
      expect(await this.#isEnabled()).toBe(1);
      return new Response(null, { status: 410 });
    }
    expect(++this.#calls).toBe(1);
    const call = await readCall(request, this.webhook.secret);
    // Other tasks continue, and would call as well if they could.
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 2)));
    this.#calls--;
    return this.#receive(call, random, now);
  }

  #isEnabled(): Promise<number | null> {
    return env.DB.prepare('SELECT enabled FROM webhooks WHERE id = ?')
      .bind(this.webhook.id)
      .first<number>('enabled');
  }

  #receive({ id, data }: Call, random: Random, now: number): Response {
    if (this.behaviour === 'is down at first' && now < 3_600 * SECOND)
      throw new TypeError('refused');
    const numbers = data.events.map(({ number }) => number);
    expect(numbers.length).toBeLessThanOrEqual(100);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    // What is repeated has been received before; everything else is later than all of that.
    const unknown = data.events.filter(
      ({ type, id, number }) => !this.#received.has(`${type} ${id} ${number}`),
    );
    for (const { number } of unknown) expect(number).toBeGreaterThan(this.#last);
    for (const { type, id, number } of data.events) this.#received.add(`${type} ${id} ${number}`);
    this.#last = Math.max(this.#last, ...numbers);
    if (!this.#ids.has(id))
      for (const event of data.events) this.news.set(`${event.type} ${event.id}`, event.number);
    this.#ids.add(id);
    // At the latest with its fifth message: the draws depend on the order in which the machine runs the tasks.
    if (this.behaviour === 'leaves' && (random.next() < 0.1 || this.#ids.size >= 5)) {
      this.#hasLeft = true;
      return new Response(null, { status: 410 });
    }
    if (this.behaviour === 'fails at random' && random.next() < 0.6) {
      if (random.next() < 0.4) throw new TypeError('reset');
      const headers = { Location: 'https://elsewhere.example.com/' };
      return new Response(null, { status: random.pick([301, 307, 400, 429, 500, 503]), headers });
    }
    const isCut = random.next() < 0.3;
    return new Response(isCut ? cutBody() : 'ok', { status: random.pick([200, 202]) });
  }
}

/** A body that is shorter than announced. */
function cutBody(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('o'));
      controller.error(new TypeError('reset'));
    },
  });
}

/** A queue that repeats, delays and drops messages. */
class Queue {
  waiting: { task: Task; at: number }[] = [];
  readonly #random: Random;
  readonly #now: () => number;
  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  async send(task: Task, { delaySeconds = 0 } = {}): Promise<void> {
    while (this.#random.next() < 0.5) {
      this.waiting.push({
        task,
        at: this.#now() + (delaySeconds + this.#random.between(0, 30)) * SECOND,
      });
    }
  }

  takeDue(): Task[] {
    const due = this.waiting.filter(({ at }) => at <= this.#now());
    this.waiting = this.waiting.filter(({ at }) => at > this.#now());
    return due.map(({ task }) => task);
  }
}

test(`${CHANGES} random changes, a queue that repeats, delays and drops, and processes that are killed: every webhook receives every change in order, and nothing after a 410`, async () => {
  const random = new Random(env.FUZZ.seed);
  const agency = await createAgency(env.DB, 'HOOKED', UNITS);
  const behaviours: Behaviour[] = ['confirms', 'fails at random', 'is down at first', 'leaves'];
  const receivers = await Promise.all(
    behaviours.map(
      async (behaviour, index) =>
        new Receiver(await openWebhook(agency.accountId, `r${index}`), behaviour),
    ),
  );
  let now = 0;
  const clock = () => now;
  const queue = new Queue(random.fork(), clock);
  const working = { ...env, TASKS: queue as unknown as Env['TASKS'] };
  const killed = { ...working, DB: unreliable(env.DB, random.fork(), 0.1) };
  const violations: unknown[] = [];
  vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
    const receiver = receivers.find(({ webhook }) => webhook.url === input.href);
    try {
      expect(init.redirect).toBe('manual');
      return await receiver!.answer(new Request(input, init), random, now);
    } catch (error) {
      // The Worker takes every error for one of the connection.
      if (!(error instanceof TypeError)) violations.push(error);
      throw error;
    }
  });

  const execute = async (task: Task, given: Env): Promise<void> => {
    try {
      if (task.kind === 'webhook') await deliver(given, task.id, clock);
      else if (task.kind === 'webhooks') await deliverAll(given, [task.accountId], clock);
    } catch (error) {
      if (!isKilled(error)) throw error;
    }
  };
  const changeSomething = async (): Promise<void> => {
    const sql = async (text: string, ...values: unknown[]) => {
      await env.DB.prepare(text)
        .bind(...values)
        .run();
    };
    const unit = random.pick(UNITS);
    const kind = random.between(0, 9);
    if (kind < 6)
      await sql(
        'UPDATE units SET price = price + 1, version = version + 1 WHERE account_id = ? AND name = ?',
        agency.accountId,
        unit,
      );
    else if (kind < 8)
      await sql(
        'UPDATE units SET status = ?1, version = version + (status <> ?1) WHERE account_id = ?2 AND name = ?3',
        random.pick([1, 2, 4, 8]),
        agency.accountId,
        unit,
      );
    else
      await sql(
        "UPDATE properties SET document = json_set(document, '$.town', ?) WHERE account_id = ? AND identifier = ?",
        random.hex(4),
        agency.accountId,
        `P${random.between(1, UNITS.length)}`,
      );
  };
  const pass = async (given: Env): Promise<void> => {
    const before = now;
    now += random.between(0, 120) * SECOND;
    if (Math.floor(now / CRON) > Math.floor(before / CRON))
      await execute({ kind: 'webhooks', accountId: agency.accountId }, given);
    await Promise.all(queue.takeDue().map((task) => execute(task, given)));
  };

  for (let change = 0; change < CHANGES; change++) {
    await changeSomething();
    await queue.send({ kind: 'webhooks', accountId: agency.accountId });
    if (random.next() < 0.5) await pass(killed);
  }
  const state = () =>
    env.DB.prepare(
      'SELECT w.name, w.enabled, w.confirmed_number = a.changes AS done FROM webhooks w JOIN accounts a ON a.id = w.account_id WHERE a.id = ? ORDER BY w.name',
    )
      .bind(agency.accountId)
      .all<{ name: string; enabled: number; done: number }>();
  const isDone = async () => (await state()).results.every(({ enabled, done }) => !enabled || done);
  while (!(await isDone())) {
    await pass(working);
    expect(violations).toEqual([]);
  }

  expect((await state()).results).toEqual([
    { name: 'r0', enabled: 1, done: 1 },
    { name: 'r1', enabled: 1, done: 1 },
    { name: 'r2', enabled: 1, done: 1 },
    { name: 'r3', enabled: 0, done: 0 },
  ]);
  const { results: units } = await env.DB.prepare(
    'SELECT name AS id, change AS number, version FROM units WHERE account_id = ?',
  )
    .bind(agency.accountId)
    .all<{ id: string; number: number; version: number }>();
  const { results: properties } = await env.DB.prepare(
    'SELECT identifier AS id, change AS number FROM properties WHERE account_id = ?',
  )
    .bind(agency.accountId)
    .all<{ id: string; number: number }>();
  for (const { news, behaviour } of receivers.slice(0, 3)) {
    for (const { id, number, version } of units) {
      if (version > 1)
        expect([behaviour, id, news.get(`unit.changed ${id}`)]).toEqual([behaviour, id, number]);
    }
    for (const { id, number } of properties) {
      const last = Math.max(
        news.get(`property.changed ${id}`) ?? 0,
        news.get(`property.removed ${id}`) ?? 0,
      );
      expect([behaviour, id, last]).toEqual([behaviour, id, number]);
    }
  }
});
