import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { listDeliveries } from '../../../../src/readers/deliveries.ts';
import type { TestAgency } from './agency.ts';
import type { Received } from './isolate.ts';

/** What the reader of an agency has received, as the ledger may state it. */
export class DeliveriesReceived {
  /** By time in seconds, status and bytes. */
  readonly #received = new Set<string>();
  readonly #counts = { 200: 0, 304: 0 };

  /** Adds a response. One that was aborted or that the reader has left has fewer bytes than the ledger would state. */
  add({ status, bytes }: Received): void {
    if (status !== 200 && status !== 304) return;
    this.#received.add(keyOf(Math.floor(Date.now() / 1_000), status, bytes.length));
    this.#counts[status]++;
  }

  /**
   * Checks that the ledger states nothing else.
   *
   * @returns when each feed was last delivered, in seconds since 1970-01-01 UTC
   */
  async check({ accountId, code }: TestAgency): Promise<number[]> {
    const feeds = await listDeliveries(env.DB, accountId);
    const counted = { 200: 0, 304: 0 };
    for (const { delivery, history, days, feed } of feeds) {
      const stated = delivery === null ? [] : [keyOf(delivery.at, delivery.status, delivery.bytes)];
      expect([...this.#received], `${code}: ${feed}`).toEqual(expect.arrayContaining(stated));
      const times = new Set([...this.#received].map((key) => Number(key.split(' ')[0])));
      expect(history.map(([at]) => at).filter((at) => !times.has(at))).toEqual([]);
      for (const [complete, notModified] of Object.values(days)) {
        counted[200] += complete;
        counted[304] += notModified;
      }
    }
    expect(counted[200]).toBeLessThanOrEqual(this.#counts[200]);
    expect(counted[304]).toBeLessThanOrEqual(this.#counts[304]);
    return feeds.flatMap(({ delivery }) => delivery?.at ?? []);
  }
}

function keyOf(at: number, status: number, bytes: number): string {
  return `${at} ${status} ${bytes}`;
}
