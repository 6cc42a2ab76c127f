import { createInflateRaw, type InflateRaw } from 'node:zlib';

/** Bytes of compressed input per step: what it inflates to, usually five times as much, is in memory at once. */
const STEP_BYTES = 16 * 1024;

/** Bytes of zlib's output buffer. */
const CHUNK_BYTES = 32 * 1024;

/** A stream of zlib with what it has put out. */
interface Engine {
  readonly zlib: InflateRaw;
  /** Whether a step is running, or has failed or was cut off: then the stream cannot be used again. */
  isRunning: boolean;
  output: Uint8Array[];
  /** Ends the step that is running. */
  fail: (error: unknown) => void;
}

/**
 * Engines that nobody is using. They are reused, because workerd never frees one, even if it is destroyed: its native handle
 * holds an error handler that refers to the handle. One for each response would fill the memory of an isolate after some 3,000.
 */
const idle: Engine[] = [];

/** Of readers that hung up: workerd then ends the request without running what would close its inflater. */
const abandoned = new FinalizationRegistry(free);

/** Inflates raw deflate (RFC 1951) in bounded steps: the complete output is never in memory. Close it after use. */
export class StepInflater {
  /** `null` while it runs, after it has failed and once it is closed. */
  #engine: Engine | null = idle.pop() ?? newEngine();
  #consumed = 0;

  constructor() {
    abandoned.register(this, this.#engine!, this);
  }

  /** Bytes of the input that have been inflated. */
  get consumed(): number {
    return this.#consumed;
  }

  /**
   * Inflates the next step of the complete input. If it is not raw deflate, it throws, and nothing more can be inflated.
   */
  async next(deflated: Uint8Array): Promise<Uint8Array[]> {
    const engine = this.#engine!;
    this.#engine = null;
    const input = deflated.subarray(this.#consumed, this.#consumed + STEP_BYTES);
    this.#consumed += input.length;
    engine.isRunning = true;
    await new Promise<void>((resolve, reject) => {
      engine.fail = reject;
      engine.zlib.write(input, () => resolve());
    });
    const { output } = engine;
    Object.assign(engine, { isRunning: false, output: [], fail: () => {} });
    this.#engine = engine;
    return output;
  }

  /** Leaves zlib's memory to others. */
  close(): void {
    const engine = this.#engine;
    this.#engine = null;
    abandoned.unregister(this);
    if (engine !== null) free(engine);
  }
}

function free(engine: Engine): void {
  if (engine.isRunning) return;
  engine.zlib.reset();
  idle.push(engine);
}

function newEngine(): Engine {
  const zlib = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const engine: Engine = { zlib, isRunning: false, output: [], fail: () => {} };
  zlib.on('data', (chunk: Uint8Array) => engine.output.push(chunk));
  // zlib does not call back a write that fails.
  zlib.on('error', (error) => engine.fail(error));
  return engine;
}
