import type { CategoryDocument, FeatureDocument, PortfolioDocument, TypeDocument } from '../../portfolio/documents.ts';

export type TypeSet = 'older' | 'current' | 'both';

/** A type, category or feature that the records of a file use; JSON. */
export interface VocabularyEntry {
  /** What is written if nothing is stored under its code. */
  readonly document: TypeDocument | CategoryDocument | FeatureDocument;
  /**
   * What is written over a stored one: the document, nothing, or the labels that the file has, while labels in other
   * languages remain.
   */
  readonly over: 'replace' | 'keep' | { readonly labels: object; readonly set: TypeSet };
}

export type TypeLabel = NonNullable<TypeDocument['labels']['uk']>;

/** An entry merged with what is stored under its code. */
export function mergedEntry({ document, over }: VocabularyEntry, stored: PortfolioDocument | undefined) {
  if (stored === undefined || over === 'replace') return document;
  if (over === 'keep') return undefined;
  if (stored.kind === 'type') return mergedType(stored, over.labels as TypeDocument['labels'], over.set);
  if (stored.kind !== 'category' && stored.kind !== 'feature') return stored;
  return { ...stored, labels: { ...stored.labels, ...over.labels } };
}

function mergedType(stored: TypeDocument, labels: TypeDocument['labels'], set: TypeSet): TypeDocument {
  const merged = { ...stored.labels };
  for (const [name, label] of Object.entries(labels)) {
    const language = name as keyof TypeDocument['labels'];
    const [type, subtype] = set === 'older' ? [label.older_type, label.older_subtype] : [label.type, label.subtype];
    merged[language] = withLabel(set, stored.labels[language] ?? label, type, subtype);
  }
  return { ...stored, labels: merged };
}

/** A label of one of the two sets, with a known one of the other. */
export function withLabel(set: TypeSet, known: TypeLabel | undefined, type: string, subtype: string | null): TypeLabel {
  const older = set === 'current' ? known : undefined;
  const current = set === 'older' ? known : undefined;
  return {
    older_type: older?.older_type ?? type,
    older_subtype: older === undefined ? subtype : older.older_subtype,
    type: current?.type ?? type,
    subtype: current === undefined ? subtype : current.subtype,
  };
}
