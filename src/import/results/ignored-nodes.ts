import type { Ignored } from '../record.ts';

/** The ignored nodes of a section of a file, by their path. */
export type FoundIgnored = readonly [path: string, Ignored];

/** Maximum number of distinct node names, so that memory stays bounded. */
const MOST = 1_000;

/** Counts the nodes of a file that are not imported, by their paths. */
export class IgnoredNodes {
  readonly #found = new Map<string, Ignored>();

  add(path: string, line: number): void {
    this.#add(path, { times: 1, line });
  }

  /** All of them. */
  found(): FoundIgnored[] {
    return [...this.#found];
  }

  /** Adds those of a later section of the file, after so many lines. */
  addAll(found: readonly FoundIgnored[], lines: number): void {
    for (const [path, { times, line }] of found) this.#add(path, { times, line: line + lines });
  }

  #add(path: string, { times, line }: Ignored): void {
    const before = this.#found.get(path);
    if (before === undefined && this.#found.size === MOST) return;
    this.#found.set(path, { times: (before?.times ?? 0) + times, line: before?.line ?? line });
  }

  get byName(): ReadonlyMap<string, Ignored> {
    return this.#found;
  }
}
