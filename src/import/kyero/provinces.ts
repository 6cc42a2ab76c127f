import { spelling } from '../values/interpretation.ts';

/** How many records give a province for a town, by its spelling. */
export interface FoundProvince {
  readonly town: string;
  readonly province: string;
  readonly records: number;
}

/** The provinces that records of a file give for towns. */
export class Provinces {
  /** By a town's spelling, how many records give each province. */
  readonly #found = new Map<string, Map<string, number>>();

  add(town: string, province: string): void {
    this.#add(spelling(town), province, 1);
  }

  /** All of them. */
  found(): FoundProvince[] {
    return [...this.#found].flatMap(([town, counts]) =>
      [...counts].map(([province, records]) => ({ town, province, records })),
    );
  }

  addAll(found: readonly FoundProvince[]): void {
    for (const { town, province, records } of found) this.#add(town, province, records);
  }

  #add(town: string, province: string, records: number): void {
    const counts = this.#found.get(town) ?? new Map<string, number>();
    counts.set(province, (counts.get(province) ?? 0) + records);
    this.#found.set(town, counts);
  }

  /** The province that most records give for a town. */
  of(town: string): string | undefined {
    const counts = this.#found.get(spelling(town));
    return counts === undefined ? undefined : [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  }
}
