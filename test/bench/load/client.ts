import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { processorTime } from '../servers/processes.ts';
import type { Job, JobResult } from './generator.ts';

/** A server that requests go to. */
export interface Server {
  /** Its address, without a slash at the end. */
  readonly origin: string;
  readonly pid: number;
}

/** The result of a job, and the server's processor time for it in milliseconds. */
export type Measured = JobResult & { readonly processor: number | null };

/** The load generator, in a process of its own. */
export class LoadGenerator {
  readonly #process: ChildProcess;
  #busiest = 0;

  constructor() {
    this.#process = fork(path.join(import.meta.dirname, 'generator.ts'), {
      execArgv: process.execArgv,
    });
  }

  /** The generator's maximum processor utilisation during a job: near 1, the generator was the bottleneck. */
  get busiest(): number {
    return this.#busiest;
  }

  /** Runs a job; one at a time. @throws Error if a response differs from what the job requires */
  async run({ origin, pid }: Server, job: Omit<Job, 'origin'>): Promise<Measured> {
    const before = processorTime(pid);
    this.#process.send({ ...job, origin });
    const [message] = (await once(this.#process, 'message')) as [
      { result: JobResult } | { error: string },
    ];
    if ('error' in message) throw new Error(message.error);
    const after = processorTime(pid);
    const { result } = message;
    if (result.milliseconds > 100)
      this.#busiest = Math.max(this.#busiest, result.ownProcessor / result.milliseconds);
    return { ...result, processor: before === null || after === null ? null : after - before };
  }

  /** Requests a second of a job. */
  async rate(
    server: Server,
    job: Omit<Job, 'origin'>,
  ): Promise<{ figure: number; processor: number | null }> {
    const { milliseconds, processor } = await this.run(server, job);
    return { figure: (job.requests * 1000) / milliseconds, processor };
  }

  stop(): void {
    this.#process.kill();
  }
}
