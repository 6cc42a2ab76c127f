import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Env } from '../../../../src/env.ts';
import { Faults, type Mishaps } from '../../../support/platform/faults.ts';
import { network } from '../../../support/platform/here.ts';
import type { Random } from '../../../support/random.ts';
import { Isolate, type Received } from './isolate.ts';
import type { Moment } from './versions.ts';

const UNLIMITED = { limit: async () => ({ success: true }) };
const SETTINGS = { UNIT_HISTORY_ENTRIES: '1000000' };

/** A request's response and its circumstances. */
export interface Exchange extends Received {
  readonly isolate: Isolate;
  readonly begun: Moment;
  readonly ended: Moment;
  readonly mishaps: Mishaps;
}

/** How to send a request; by default to any isolate, with faults, and the response is read to its end. */
interface SendOptions {
  readonly isolate?: Isolate;
  readonly chunks?: number;
  readonly withFaults?: boolean;
}

/** A service of two isolates at different locations, which share D1 and KV, and a clock. */
export class Service {
  readonly faults: Faults;
  readonly #random: Random;
  readonly #isolates: Isolate[];
  #order = 0;

  private constructor(random: Random, isolates: Isolate[]) {
    this.#random = random;
    this.faults = new Faults(random.fork());
    this.#isolates = isolates;
  }

  static async start(random: Random): Promise<Service> {
    vi.setSystemTime(network.now());
    return new Service(random, [await Isolate.start(), await Isolate.start()]);
  }

  get isolates(): readonly Isolate[] {
    return this.#isolates;
  }

  readonly clock = (): Moment => ({ order: this.#order++, time: Date.now() });

  advance(milliseconds: number): void {
    vi.setSystemTime(Date.now() + milliseconds);
  }

  /** Replaces an isolate by a new one, which remembers nothing. */
  async redeploy(): Promise<void> {
    this.#isolates[this.#random.between(0, 1)] = await Isolate.start();
  }

  /** Deletes some entries of KV. */
  async loseEntries(): Promise<void> {
    const { keys } = await env.SNAPSHOTS.list();
    const lost = keys.filter(() => this.#random.next() < 0.3);
    await Promise.all(lost.map(({ name }) => env.SNAPSHOTS.delete(name)));
  }

  async runSchedule(): Promise<void> {
    const { bindings } = this.faults.forRequest();
    await env.DB.exec('DELETE FROM walks');
    // It fails if D1 does; a later run does the rest.
    await this.#random
      .pick(this.#isolates)
      .runSchedule({ ...bindings, ...SETTINGS })
      .catch(() => {});
  }

  async send(
    path: string,
    init: RequestInit,
    { isolate = this.#random.pick(this.#isolates), chunks, withFaults = true }: SendOptions = {},
  ): Promise<Exchange> {
    const { bindings, mishaps } = this.faults.forRequest(withFaults);
    const limiters = {
      CREDENTIAL_CHECKS: UNLIMITED,
      ADDRESS_CHECKS: UNLIMITED,
      TOKENS: UNLIMITED,
      UPDATES: UNLIMITED,
    };
    const begun = this.clock();
    const received = await isolate.send(
      path,
      init,
      { ...bindings, ...limiters, ...SETTINGS } as Env,
      chunks,
    );
    return { ...received, isolate, begun, ended: this.clock(), mishaps };
  }
}
