import type { ExecutionContext } from 'hono';
import type { Delivery } from '../../db/deliveries.ts';
import type { Manifest, ManifestReader } from '../../db/manifest.ts';
import type { SnapshotSet } from '../../db/snapshots.ts';
import type { Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
import type { EpochSeconds } from '../../lib/time.ts';
import type { Ended } from '../document/tracked.ts';
import type { FeedFormat } from '../formats/format.ts';
import { countDelivery, type DeliveredState, hasJustTaken } from './ledger.ts';

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
  /** Whether the body that is being sent repeats one that the reader has just taken. */
  #repeats = false;
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
    this.#inBackground(this.#count(304, 0));
  }

  /**
   * Call it once the body that is about to be sent has ended: only a complete one counts as a delivery. `undefined` if the
   * reader has taken the same state within the last ten minutes: to observe a body costs more than to send it, and would show
   * nothing new.
   */
  sending(): Ended | undefined {
    this.#repeats = hasJustTaken(this.#requested.reader.id, this.#feed(), this.#state(), now());
    if (this.#repeats) return undefined;
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
    if (this.#repeats) this.#inBackground(this.#count(200));
  }

  /** The body will not be sent, because the request has failed. */
  fail(): void {
    if (this.#repeats) this.visit();
    else this.#end(null);
  }

  /** @param bytes of a body that was taken completely; 0 for a 304; `null` if the response is no delivery */
  #count(status: Delivery['status'] | null, bytes: number | null = null): Promise<void> | null {
    const at = now();
    const origin = status === 304 ? 'not modified' : this.#origin;
    const delivery = status === null || bytes === null ? null : { at, ...this.#state(), status, bytes, origin };
    const { reader } = this.#requested;
    return countDelivery(this.#env.DB, { readerId: reader.id, feed: this.#feed(), status, delivery, at }, (error) =>
      log('warn', 'ledger.failed', { reader: reader.name, error: describeError(error) }),
    );
  }

  #feed(): string {
    const { format, set } = this.#requested;
    return `${format.name}?${set.parameters}`;
  }

  /** What the response shows. */
  #state(): DeliveredState {
    const { manifest, set } = this.#requested;
    const { sale, rental } = manifest.accountRevisions;
    return {
      saleRevision: set.dependsOn.sale ? sale : null,
      rentalRevision: set.dependsOn.rental ? rental : null,
      channelRevision: manifest.channelRevision,
    };
  }

  #inBackground(write: Promise<void> | null): void {
    if (write !== null) this.#context.waitUntil(write);
  }
}

function now(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}
