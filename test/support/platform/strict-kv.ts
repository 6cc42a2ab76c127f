import type { Invocation } from './invocation.ts';
import type { KvLocation } from './kv-consistency.ts';
import { countKvOperation } from './limits/invocation-limits.ts';
import { checkKey, checkRead, checkWrite } from './limits/kv-limits.ts';
import { checkOwner } from './ownership.ts';

type Found = KVNamespaceGetWithMetadataResult<unknown, unknown>;

/** A KV namespace within the platform's limits, as one invocation at one location sees it. */
export class StrictKv {
  private readonly real: KVNamespace;
  private readonly invocation: Invocation;
  private readonly location: KvLocation;

  constructor(real: KVNamespace, invocation: Invocation, location: KvLocation) {
    this.real = real;
    this.invocation = invocation;
    this.location = location;
  }

  async get(key: string, options?: unknown): Promise<unknown> {
    return (await this.getWithMetadata(key, options)).value;
  }

  getWithMetadata(key: string, options?: unknown): Promise<Found> {
    return this.invocation.useAndHold('A KV read', async (close) => {
      countKvOperation(this.invocation.usage, 'kvReads');
      checkRead(key, options);
      const found = await this.#read(key, options);
      if (found.value === null) this.location.cacheMiss(key);
      if (!(found.value instanceof ReadableStream)) {
        close();
        return found;
      }
      return { ...found, value: this.#held(found.value, close) };
    });
  }

  put(key: string, value: never, options?: KVNamespacePutOptions): Promise<void> {
    return this.invocation.use('A KV write', async () => {
      countKvOperation(this.invocation.usage, 'kvWrites');
      checkWrite(key, value, options, this.location.network.now());
      await this.location.network.write(key, this.location, this.real);
      await this.real.put(key, value, options);
      this.location.forgetMiss(key);
    });
  }

  delete(key: string): Promise<void> {
    return this.invocation.use('A KV delete', async () => {
      countKvOperation(this.invocation.usage, 'kvDeletes');
      checkKey(key);
      await this.location.network.change(key, this.location, this.real);
      await this.real.delete(key);
    });
  }

  list(options?: KVNamespaceListOptions): Promise<KVNamespaceListResult<unknown>> {
    return this.invocation.use('A KV list', async () => {
      countKvOperation(this.invocation.usage, 'kvLists');
      return this.real.list(options);
    });
  }

  async #read(key: string, options: unknown): Promise<Found> {
    if (this.location.hasCachedMiss(key)) return { value: null, metadata: null, cacheStatus: null };
    const hidden = this.location.network.hiddenFrom(this.location, key);
    if (hidden === undefined) return this.real.getWithMetadata(key, options as 'stream');
    return {
      ...hidden,
      value: hidden.value === null ? null : await as(typeOf(options), hidden.value),
    };
  }

  /** A stream that keeps its connection open until it has been read or cancelled. */
  #held(stream: ReadableStream<Uint8Array>, close: () => void): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          checkOwner(this.invocation, 'A KV stream');
          const { done, value } = await reader.read().catch((error: unknown) => {
            close();
            throw error;
          });
          if (!done) return controller.enqueue(value);
          close();
          controller.close();
        },
        cancel: (reason) => {
          close();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function typeOf(options: unknown): string {
  return typeof options === 'string'
    ? options
    : ((Object(options) as { type?: string }).type ?? 'text');
}

async function as(type: string, value: ArrayBuffer): Promise<unknown> {
  const body = new Response(value);
  if (type === 'arrayBuffer') return body.arrayBuffer();
  if (type === 'stream') return body.body;
  return type === 'json' ? body.json() : body.text();
}
