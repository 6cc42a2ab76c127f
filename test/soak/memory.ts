import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from '../support/project.ts';

interface Sample {
  readonly seconds: number;
  /** MB by process. */
  readonly processes: ReadonlyMap<string, number>;
}

/** Resident memory of a running service over time. */
export class MemoryOverTime {
  readonly #samples: Sample[] = [];
  readonly #startedAt = performance.now();

  constructor(
    private readonly service: Running,
    private readonly isOver: () => boolean,
  ) {}

  async record(): Promise<void> {
    while (!this.isOver()) {
      const processes = new Map<string, number>();
      for (const { command, memory } of this.service.processes()) {
        processes.set(nameOf(command), (processes.get(nameOf(command)) ?? 0) + memory);
      }
      this.#samples.push({ seconds: (performance.now() - this.#startedAt) / 1_000, processes });
      await pause(1_000);
    }
  }

  /** MB by process: the medians of the ten seconds up to a moment. */
  upTo(seconds: number): ReadonlyMap<string, number> {
    const samples = this.#samples.filter((sample) => sample.seconds > seconds - 10 && sample.seconds <= seconds);
    const names = new Set(samples.flatMap(({ processes }) => [...processes.keys()]));
    return new Map(
      [...names].map((name) => [name, median(samples.map(({ processes }) => processes.get(name) ?? 0))] as const),
    );
  }
}

function nameOf(command: string): string {
  if (command.includes('workerd'))
    return command.includes('--socket-addr=entry=localhost:') ? "wrangler's proxy" : 'the Worker';
  if (command.includes('esbuild')) return 'esbuild';
  return command.includes('start.mjs') ? 'node' : 'npm';
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
