import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './service.ts';

/** Seconds of which the resident memory is the median. */
const SECONDS = 10;

/** Memory of a service at one moment, in MB. */
export interface Memory {
  /** Live objects and buffers of the Worker's isolate. */
  readonly live: number;
  /** Resident memory by process. */
  readonly processes: ReadonlyMap<string, number>;
}

/** Memory of a running service over time. */
export class MemoryOverTime {
  /** Resident memory by process in each of the last seconds. */
  readonly #samples: Map<string, number>[] = [];

  private readonly service: Service;
  private readonly isOver: () => boolean;

  constructor(service: Service, isOver: () => boolean) {
    this.service = service;
    this.isOver = isOver;
  }

  async record(): Promise<void> {
    while (!this.isOver()) {
      const processes = new Map<string, number>();
      for (const { command, memory } of this.service.running.processes()) {
        processes.set(nameOf(command), (processes.get(nameOf(command)) ?? 0) + memory);
      }
      this.#samples.push(processes);
      if (this.#samples.length > SECONDS) this.#samples.shift();
      await pause(1_000);
    }
  }

  /** The memory now, while the service serves nothing; of processes the median of the last seconds. */
  async take(): Promise<Memory> {
    const samples = [...this.#samples];
    const names = new Set(samples.flatMap((processes) => [...processes.keys()]));
    const processes = new Map(
      [...names].map((name) => [name, median(samples.map((sample) => sample.get(name) ?? 0))] as const),
    );
    return { live: this.service.hasEnded ? Number.NaN : await this.service.liveMegabytes(), processes };
  }
}

function nameOf(command: string): string {
  if (command.includes('workerd'))
    return command.includes('--socket-addr=entry=localhost:') ? "wrangler's proxy" : 'the Worker';
  if (command.includes('esbuild')) return 'esbuild';
  return command.includes('start.ts') ? 'node' : 'npm';
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
