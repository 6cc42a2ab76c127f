import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';

type Kind = PortfolioDocument['kind'];

/** Counts of documents of a kind: created, updated and unchanged. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** Counts of documents by kind. */
export class Tally {
  readonly #counts: Record<Kind, Counts> = {
    type: newCounts(),
    category: newCounts(),
    feature: newCounts(),
    development: newCounts(),
    unit: newCounts(),
    property: newCounts(),
  };

  /** The channels of the properties that are written. */
  readonly channels = new Set<string>();

  /**
   * Counts documents.
   *
   * @param changed the documents that are written
   * @param isStored whether something is stored under a key
   */
  add(
    documents: readonly PortfolioDocument[],
    changed: readonly PortfolioDocument[],
    isStored: (key: string) => boolean,
  ): void {
    for (const { kind } of documents) this.#counts[kind].unchanged++;
    for (const document of changed) {
      const counts = this.#counts[document.kind];
      counts.unchanged--;
      if (isStored(documentKey(document))) counts.updated++;
      else counts.created++;
      if (document.kind === 'property') for (const name of document.channels ?? []) this.channels.add(name);
    }
  }

  /** The counts of these kinds together. */
  of(...kinds: readonly Kind[]): Counts {
    const sum = newCounts();
    for (const kind of kinds) {
      for (const name of ['created', 'updated', 'unchanged'] as const) sum[name] += this.#counts[kind][name];
    }
    return sum;
  }
}

function newCounts(): Counts {
  return { created: 0, updated: 0, unchanged: 0 };
}
