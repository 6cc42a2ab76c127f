import type { Stored } from '../../db/portfolio/read.ts';
import { KyeroVocabulary } from '../../import/names/names.ts';
import { type KyeroNames, kyeroNames } from '../../import/names/names-table.ts';
import { mergedEntry, type VocabularyEntry } from '../../import/names/vocabulary-entry.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../../portfolio/documents.ts';
import type { Understood } from './schemas.ts';

/** The type and features that a document names, by the account's codes or by other names. */
export interface Named {
  readonly type?: string | undefined;
  readonly features?: readonly string[] | undefined;
}

let builtIn: KyeroNames | undefined;

/**
 * Types and features by their names, as in an import: a name that is a code of the account means that entry, otherwise it is
 * looked up in the built-in vocabulary, and becomes a new entry if it is not there either.
 */
export class NameResolver {
  readonly #vocabulary: KyeroVocabulary;
  /** What names that are no codes of the account mean, by the kind and the name. */
  readonly #codes = new Map<string, string>();

  /** @throws DocumentError if a new entry cannot have a name */
  constructor(documents: readonly Named[]) {
    builtIn ??= kyeroNames();
    this.#vocabulary = new KyeroVocabulary(builtIn);
    for (const { type, features = [] } of documents) {
      const typeCode = type === undefined ? undefined : this.#vocabulary.type(type);
      const codes = this.#vocabulary.codesOf(features.map((name) => ({ name })));
      if (type !== undefined) this.#codes.set(keyOf('type', type), typeCode!);
      for (const [index, name] of features.entries()) this.#codes.set(keyOf('feature', name), codes[index]!);
      this.#vocabulary.use({ type: typeCode, features: codes });
    }
  }

  /** All documents that resolving the names depends on: those with the names as codes, and the vocabulary's. */
  documents(): PortfolioDocument[] {
    const asCodes = [...this.#codes.keys()].map((key) => {
      const [kind, code] = JSON.parse(key) as ['type' | 'feature', string];
      return kind === 'type' ? ({ kind, code, labels: {} } as const) : { kind, code, category: '', labels: {} };
    });
    const all = [...this.#vocabulary.entries().map(({ document }) => document), ...asCodes];
    return [...new Map(all.toReversed().map((document) => [documentKey(document), document])).values()].toReversed();
  }

  /** What is written of a document of {@link documents}: an entry that a name means, and that is not stored. */
  merge(document: PortfolioDocument, stored: Stored): PortfolioDocument | undefined {
    const key = documentKey(document);
    const entries = new Map(this.#vocabulary.entries().map((entry) => [documentKey(entry.document), entry] as const));
    const entry = entries.get(key);
    if (entry === undefined || !this.#isMeant(entry, stored, entries)) return undefined;
    return mergedEntry(entry, stored.get(key));
  }

  /** A document with the codes of the account. */
  resolved<Document extends { type: string; features: string[] }>(document: Document, stored: Stored): Document {
    const codeOf = (kind: 'type' | 'feature', name: string) => this.#codeOf(keyOf(kind, name), stored) ?? name;
    return {
      ...document,
      type: codeOf('type', document.type),
      features: [...new Set(document.features.map((name) => codeOf('feature', name)))],
    };
  }

  /** What the names of a document were understood as, except codes of the account. */
  understood({ type, features = [] }: Named, stored: Stored): Understood[] {
    const { types: newTypes, features: newFeatures } = this.#vocabulary.unknownNames();
    const isNew = {
      type: new Set(newTypes.map(({ code }) => code)),
      feature: new Set(newFeatures.map(({ code }) => code)),
    };
    const names = [
      ...(type === undefined ? [] : [{ kind: 'type' as const, name: type }]),
      ...features.map((name) => ({ kind: 'feature' as const, name })),
    ];
    return names.flatMap(({ kind, name }) => {
      const code = this.#codeOf(keyOf(kind, name), stored);
      return code === undefined ? [] : [{ kind, name, code, unknown: isNew[kind].has(code) }];
    });
  }

  /** The code that a name means which is no code of the account. */
  #codeOf(key: string, stored: Stored): string | undefined {
    return stored.has(key) ? undefined : this.#codes.get(key);
  }

  #isMeant({ document }: VocabularyEntry, stored: Stored, entries: ReadonlyMap<string, VocabularyEntry>): boolean {
    const { kind, code } = document;
    if (kind !== 'category') {
      return [...this.#codes].some(
        ([key, meant]) => key.startsWith(`["${kind}"`) && meant === code && !stored.has(key),
      );
    }
    return [...entries.values()].some(
      (entry) =>
        entry.document.kind === 'feature' && entry.document.category === code && this.#isMeant(entry, stored, entries),
    );
  }
}
