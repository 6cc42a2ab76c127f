import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fetch, type WebSocket } from 'miniflare';

/** Milliseconds for a response of the inspector: it waits until the isolate is free, and a collection takes some 100. */
const TIMEOUT = 15_000;

/** What V8 reports about an isolate's memory, in bytes. */
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** A connection to the inspector of a Worker's isolate. */
export class Inspector {
  readonly #socket: WebSocket;
  #commands = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /**
   * Connects to the Worker under test, not to those that simulate D1 and KV. workerd often closes the first connection to an
   * isolate, saying that its client had.
   *
   * @param port workerd's own inspector, not a proxy of Miniflare's
   */
  static async connect(port: number): Promise<Inspector> {
    for (let attempt = 1; ; attempt++) {
      const inspector = await Inspector.#open(port);
      try {
        await inspector.#send('Runtime.getIsolateId');
        return inspector;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  static async #open(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json`, {
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const targets = (await response.json()) as { id: string; webSocketDebuggerUrl: string }[];
    const target = targets.find(({ id }) => id.startsWith('core:user:'));
    if (target === undefined)
      throw new Error(`No Worker among ${targets.map(({ id }) => id).join(', ')}`);
    const upgrade = await fetch(target.webSocketDebuggerUrl.replace('ws:', 'http:'), {
      headers: { Upgrade: 'websocket' },
    });
    const socket = upgrade.webSocket;
    if (socket === null) throw new Error('The inspector refused the connection');
    socket.accept();
    return new Inspector(socket);
  }

  /**
   * Megabytes of live objects and of the buffers they refer to, after a collection.
   *
   * @param wake sends the isolate a request: V8 collects in a task, and workerd runs tasks only along with requests
   */
  async liveMegabytes(wake: () => Promise<unknown>): Promise<number> {
    const waking = setInterval(() => void wake().catch(() => {}), 200);
    const collect = () => this.#send('HeapProfiler.collectGarbage');
    // What the isolate allocates between two messages would count although it is garbage, so the last two are sent at once.
    const usage = collect().then(() =>
      Promise.all([collect(), this.#send('Runtime.getHeapUsage')]),
    );
    const [, used] = await usage.finally(() => clearInterval(waking));
    const { usedSize, backingStorageSize = 0 } = used as HeapUsage;
    return (usedSize + backingStorageSize) / 1e6;
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string): Promise<unknown> {
    const id = ++this.#commands;
    return within(method, (resolve, reject) => {
      this.#socket.addEventListener('close', ({ reason }) =>
        reject(new Error(`${method}: closed, ${reason}`)),
      );
      const onMessage = ({ data }: { data: unknown }) => {
        const message = JSON.parse(String(data)) as {
          id?: number;
          result?: unknown;
          error?: { message: string };
        };
        if (message.id !== id) return;
        this.#socket.removeEventListener('message', onMessage);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(`${method}: ${message.error.message}`));
      };
      this.#socket.addEventListener('message', onMessage);
      this.#socket.send(JSON.stringify({ id, method }));
    });
  }
}

function within<Value>(
  what: string,
  start: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The inspector did not respond in time: ${what}`)),
      TIMEOUT,
    );
    const settled =
      <Given>(settle: (given: Given) => void) =>
      (given: Given) => {
        clearTimeout(timer);
        settle(given);
      };
    start(settled(resolve), settled(reject));
  });
}

/**
 * Writes a program that Miniflare runs instead of workerd: it starts workerd, with an inspector unless it is for wrangler's proxy.
 * `npm start -- --inspector-port` would add wrangler's proxy for debuggers, which stores every message of the runtime.
 */
export function inspectedRuntime(directory: string, port: number): string {
  const miniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  const workerd = miniflare('workerd') as { readonly default: string };
  const program = join(directory, 'inspected-runtime.sh');
  writeFileSync(
    program,
    `#!/bin/sh
case "$*" in
  *--socket-addr=entry=localhost:*) exec '${workerd.default}' "$@" ;;
  *) exec '${workerd.default}' "$@" --inspector-addr=127.0.0.1:${port} ;;
esac
`,
  );
  chmodSync(program, 0o755);
  return program;
}

/** A port of the loopback interface that nobody uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
