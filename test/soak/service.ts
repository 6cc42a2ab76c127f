import { setTimeout as pause } from 'node:timers/promises';
import { freePort, Inspector, inspectedRuntime } from '../support/processes/inspector.ts';
import type { Project, Running } from '../support/processes/project.ts';

/** How often the Worker's live memory is taken: the least counts, because what a request held may be freed late. */
const ATTEMPTS = 3;

/** `npm start`, as everybody runs it, but with an inspector of the Worker's isolate. */
export class Service {
  /** Its address, without a slash at the end. */
  readonly origin: string;
  readonly running: Running;
  hasEnded = false;
  readonly #inspectorPort: number;

  private constructor(running: Running, origin: string, inspectorPort: number) {
    this.running = running;
    this.origin = origin;
    this.#inspectorPort = inspectorPort;
    void running.exit.then(() => {
      this.hasEnded = true;
    });
  }

  static async start(project: Project): Promise<Service> {
    const [port, inspectorPort] = [await freePort(), await freePort()];
    const program = inspectedRuntime(project.directory, inspectorPort);
    const command = ['npm', 'start', '--', '--port', String(port), '--persist-to', 'state'];
    const running = project.run('env', `MINIFLARE_WORKERD_PATH=${program}`, ...command);
    await running.prints(/update-by-name\n/);
    return new Service(running, `http://localhost:${port}`, inspectorPort);
  }

  /** Megabytes of live objects and buffers of the Worker's isolate, to be taken while it serves nothing else. */
  async liveMegabytes(): Promise<number> {
    if (this.hasEnded) return Number.NaN;
    const inspector = await Inspector.connect(this.#inspectorPort);
    try {
      const taken: number[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await pause(1_000);
        taken.push(await inspector.liveMegabytes(() => this.#wake()));
      }
      return Math.min(...taken);
    } finally {
      inspector.close();
    }
  }

  /** A request that is answered without D1 and KV. */
  async #wake(): Promise<void> {
    const response = await fetch(`${this.origin}/nothing`);
    await response.arrayBuffer();
  }
}
