import type { Ignored } from '../record.ts';

/** Maximum number of distinct node names, so that memory stays bounded. */
const MOST = 1_000;

/** Counts the nodes of a file that are not imported, by their paths. */
export class IgnoredNodes {
  readonly #found = new Map<string, Ignored>();

  add(path: string, line: number): void {
    const before = this.#found.get(path);
    if (before === undefined && this.#found.size === MOST) return;
    this.#found.set(path, { times: (before?.times ?? 0) + 1, line: before?.line ?? line });
  }

  get byName(): ReadonlyMap<string, Ignored> {
    return this.#found;
  }
}
