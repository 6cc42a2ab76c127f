/** Milliseconds between two writes to a key: https://developers.cloudflare.com/kv/platform/limits/ */
const WRITE_INTERVAL = 1_000;

/** For how long a location does not see a write made elsewhere, and serves a miss that it cached: https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency */
const DELAY = 60_000;

/** What KV throws on the second write to a key within a second. */
class TooManyWrites extends Error {
  constructor(key: string) {
    super(`KV PUT failed: 429 Too Many Requests (${key})`);
  }
}

/** What a location reads before it sees a change made elsewhere. */
interface Change {
  readonly by: KvLocation;
  readonly at: number;
  readonly before: KVNamespaceGetWithMetadataResult<ArrayBuffer, unknown>;
}

/** The write limit of all locations together, and what each of them does not see yet. */
export class KvNetwork {
  readonly #writtenAt = new Map<string, number>();
  readonly #changes = new Map<string, Change>();
  #locations = 0;

  /** @param now milliseconds, of a clock that a busy machine does not advance */
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** A place from which KV is used. What one location writes, the others see a minute later. */
  location(): KvLocation {
    this.#locations++;
    return new KvLocation(this);
  }

  /**
   * Call before each write.
   *
   * @throws TooManyWrites if the key was written less than a second ago
   */
  async write(key: string, by: KvLocation, values: KVNamespace): Promise<void> {
    const last = this.#writtenAt.get(key);
    if (last !== undefined && Math.abs(this.now() - last) < WRITE_INTERVAL)
      throw new TooManyWrites(key);
    this.#writtenAt.set(key, this.now());
    await this.change(key, by, values);
  }

  /** Call before a key is written or deleted. */
  async change(key: string, by: KvLocation, values: KVNamespace): Promise<void> {
    if (this.#locations < 2) return;
    const before = await values.getWithMetadata(key, 'arrayBuffer');
    this.#changes.set(key, { by, at: this.now(), before });
  }

  /** What a location reads instead of what is stored; `undefined` if it sees the latest write. */
  hiddenFrom(location: KvLocation, key: string): Change['before'] | undefined {
    const change = this.#changes.get(key);
    if (change === undefined || change.by === location || this.now() - change.at >= DELAY)
      return undefined;
    return change.before;
  }
}

/** Where the Worker runs: it caches that a key was missing. */
export class KvLocation {
  readonly #missedAt = new Map<string, number>();

  readonly network: KvNetwork;

  constructor(network: KvNetwork) {
    this.network = network;
  }

  /** Whether a lookup finds that there is nothing in this location's cache. */
  hasCachedMiss(key: string): boolean {
    const missed = this.#missedAt.get(key);
    return missed !== undefined && Math.abs(this.network.now() - missed) < DELAY;
  }

  cacheMiss(key: string): void {
    this.#missedAt.set(key, this.network.now());
  }

  /** A location sees its own writes. */
  forgetMiss(key: string): void {
    this.#missedAt.delete(key);
  }
}
