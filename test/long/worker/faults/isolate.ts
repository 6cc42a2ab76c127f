import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { onTestFinished, vi } from 'vitest';
import type { app } from '../../../../src/app.ts';
import type { Env } from '../../../../src/env.ts';
import { network } from '../../../support/platform/here.ts';
import { Invocation } from '../../../support/platform/invocation.ts';

/** A response as its reader has received it, after the request's background tasks have ended. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Up to where it ended. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly end: 'complete' | 'aborted' | 'disconnected';
}

/** An instance of the Worker with a memory of its own, at a location of its own. */
export class Isolate {
  readonly #location = network.location();

  readonly #deployed: typeof app;

  private constructor(deployed: typeof app) {
    this.#deployed = deployed;
  }

  /** A new instance, as after a deployment: nothing is in its memory. */
  static async start(): Promise<Isolate> {
    vi.resetModules();
    // Other files get modules of their own, whose caches are known to be empty.
    onTestFinished(() => void vi.resetModules());
    const { app } = await import('../../../../src/app.ts');
    // What is evaluated with the first request has to be of this instance, too.
    await app.fetch(new Request('https://feeds.example/'), env, createExecutionContext());
    return new Isolate(app);
  }

  /** @param chunks the reader disconnects after this number of chunks; never by default */
  async send(
    path: string,
    init: RequestInit,
    bindings: Env,
    chunks = Number.POSITIVE_INFINITY,
  ): Promise<Received> {
    const invocation = new Invocation(this.#location);
    const context = createExecutionContext();
    const request = new Request(new URL(path, 'https://feeds.example'), init);
    try {
      const response = await invocation.run(() =>
        this.#deployed.fetch(request, invocation.bindings(bindings), context),
      );
      const { status, headers } = response;
      return { status, headers, ...(await read(response, chunks)) };
    } finally {
      invocation.background.begin();
      await waitOnExecutionContext(context);
    }
  }

  /** The daily run. */
  async runSchedule(bindings: Env): Promise<void> {
    const invocation = new Invocation(this.#location);
    await invocation.run(() => this.#deployed.scheduled(invocation.bindings(bindings)));
  }
}

async function read({ body }: Response, chunks: number): Promise<Pick<Received, 'bytes' | 'end'>> {
  const collected: Uint8Array[] = [];
  const ended = (end: Received['end']) => ({ bytes: Buffer.concat(collected), end });
  if (body === null) return ended('complete');
  const reader = body.getReader();
  while (collected.length < chunks) {
    let next: ReadableStreamReadResult<Uint8Array>;
    try {
      next = await reader.read();
    } catch {
      return ended('aborted');
    }
    if (next.done) return ended('complete');
    collected.push(next.value);
  }
  await reader.cancel();
  return ended('disconnected');
}
