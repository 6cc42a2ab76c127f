import { spelling } from '../values/interpretation.ts';

/** The provinces that records of a file give for towns. */
export class Provinces {
  /** By a town's spelling, how many records give each province. */
  readonly #found = new Map<string, Map<string, number>>();

  add(town: string, province: string): void {
    const counts = this.#found.get(spelling(town)) ?? new Map<string, number>();
    counts.set(province, (counts.get(province) ?? 0) + 1);
    this.#found.set(spelling(town), counts);
  }

  /** The province that most records give for a town. */
  of(town: string): string | undefined {
    const counts = this.#found.get(spelling(town));
    return counts === undefined ? undefined : [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  }
}
