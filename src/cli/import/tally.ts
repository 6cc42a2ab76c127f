import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';

type Kind = PortfolioDocument['kind'];

/** What became of documents of a kind: those not yet stored, those stored with other contents, and those stored as given. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** What became of documents, by their kinds. */
export class Tally {
  readonly #counts: Record<Kind, Counts> = {
    type: newCounts(),
    category: newCounts(),
    feature: newCounts(),
    development: newCounts(),
    unit: newCounts(),
    property: newCounts(),
  };

  /**
   * Counts documents.
   *
   * @param changed those of them that are written
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
