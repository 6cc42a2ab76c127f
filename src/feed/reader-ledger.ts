import type { ExecutionContext } from 'hono';
import type { Delivery } from '../db/deliveries.ts';
import type { Manifest, ManifestReader } from '../db/manifest.ts';
import type { SnapshotSet } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import type { FeedFormat } from './formats/format.ts';
import { countDelivery } from './ledger.ts';
import type { Ended } from './tracked.ts';

/** What a reader has requested. */
interface Requested {
  readonly manifest: Manifest;
  readonly reader: ManifestReader;
  readonly format: FeedFormat;
  readonly set: SnapshotSet;
}

/** Counts the response to one request of a reader. Nothing that fails here reaches the reader. */
export class ReaderLedger {
  readonly #env: Env;
  readonly #context: Pick<ExecutionContext, 'waitUntil'>;
  readonly #requested: Requested;
  #origin: Delivery['origin'] = 'miss';
  /** Counts the response that is being sent; does nothing a second time. */
  #end: Ended = () => {};

  constructor(env: Env, context: Pick<ExecutionContext, 'waitUntil'>, requested: Requested) {
    this.#env = env;
    this.#context = context;
    this.#requested = requested;
  }

  /** Counts a request that was answered without a feed. */
  visit(): void {
    this.#inBackground(this.#count(null));
  }

  /** Counts a 304: the reader has the feed as it is. */
  notModified(): void {
    this.#inBackground(this.#count(304));
  }

  /** To be called once the body that is about to be sent has ended: only a complete one counts as a delivery. */
  sending(): Ended {
    const done = new Promise<void>((resolve) => {
      this.#end = (bytes) => {
        this.#end = () => {};
        resolve((bytes === null ? this.#count(null) : this.#count(200, bytes)) ?? undefined);
      };
    });
    this.#context.waitUntil(done);
    return (bytes) => this.#end(bytes);
  }

  /** Where the body that is being sent comes from. */
  sentFrom(origin: Delivery['origin']): void {
    this.#origin = origin;
  }

  /** The body will not be sent, because the request has failed. */
  fail(): void {
    this.#end(null);
  }

  #count(status: Delivery['status'] | null, bytes = 0): Promise<void> | null {
    const { manifest, reader, format, set } = this.#requested;
    const { sale, rental } = manifest.accountRevisions;
    const at = Math.floor(Date.now() / 1_000);
    const delivery = status && {
      at,
      saleRevision: set.dependsOn.sale ? sale : null,
      rentalRevision: set.dependsOn.rental ? rental : null,
      channelRevision: manifest.channelRevision,
      status,
      bytes,
      origin: status === 304 ? 'not modified' : this.#origin,
    };
    const response = { readerId: reader.id, feed: `${format.name}?${set.parameters}`, delivery, at };
    return countDelivery(this.#env.DB, response, (error) =>
      log('warn', 'ledger', { reader: reader.name, error: describeError(error) }),
    );
  }

  #inBackground(write: Promise<void> | null): void {
    if (write !== null) this.#context.waitUntil(write);
  }
}
