import type { ImportNames } from '../../db/schema.ts';
import { Vocabulary } from '../../imports/pipeline/names.ts';
import { isVisible } from '../checks.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../documents.ts';
import type { Stored } from '../store/read.ts';
import type { Understood } from './schemas.ts';

/** The type and features that a document names, by the account's codes or by other names. */
export interface Named {
  readonly type?: string | undefined;
  readonly features?: readonly string[] | undefined;
}

/** A name that is not a code of the account, and the code of the entry that it means. */
type Meaning = Pick<Understood, 'kind' | 'name' | 'code'>;

/**
 * Types and features by their names, as in an import: a name that is a code of the account means that entry. Otherwise it is
 * looked up in the names that the account has mapped and in the built-in vocabulary, and becomes a new entry if it is in
 * neither.
 */
export class NameResolver {
  /** By the kind and the name. */
  readonly #meanings: ReadonlyMap<string, Meaning>;
  /** Types, features and their categories by their keys. */
  readonly #entries: ReadonlyMap<string, PortfolioDocument>;
  readonly #newCodes: ReadonlySet<string>;

  /**
   * @param mapped the names that the account has mapped
   * @throws DocumentError if a new entry cannot have a name
   */
  constructor(documents: readonly Named[], mapped: ImportNames = {}) {
    const vocabulary = new Vocabulary(mapped);
    const meanings = documents.flatMap(({ type = '', features = [] }): Meaning[] => {
      const types = !isVisible(type)
        ? []
        : [{ kind: 'type' as const, name: type, code: vocabulary.type(type) }];
      const names = features.filter(isVisible);
      const codes = vocabulary.codesOf(names.map((name) => ({ name })));
      vocabulary.use({ type: types[0]?.code, features: codes });
      return [
        ...types,
        ...names.map((name, index) => ({ kind: 'feature' as const, name, code: codes[index]! })),
      ];
    });
    this.#meanings = new Map(
      meanings.map((meaning) => [keyOf(meaning.kind, meaning.name), meaning]),
    );
    this.#entries = new Map(
      vocabulary.entries().map(({ document }) => [documentKey(document), document]),
    );
    const { types, features } = vocabulary.unknownNames();
    const keys = [
      types.map(({ name }) => keyOf('type', name)),
      features.map(({ name }) => keyOf('feature', name)),
    ];
    this.#newCodes = new Set(keys.flat());
  }

  /** All documents that resolving the names depends on: those with the names as codes, and the vocabulary's. */
  documents(): PortfolioDocument[] {
    const asCodes = [...this.#meanings].map(
      ([key, { kind, name: code }]): [string, PortfolioDocument] => [
        key,
        kind === 'type' ? { kind, code, labels: {} } : { kind, code, category: '', labels: {} },
      ],
    );
    return [...new Map([...asCodes, ...this.#entries]).values()];
  }

  /** What may be written of a document of {@link documents}: an entry that is not stored. */
  merge(document: PortfolioDocument, stored: Stored): PortfolioDocument | undefined {
    const key = documentKey(document);
    return stored.has(key) ? undefined : this.#entries.get(key);
  }

  /** A document with the codes of the account. */
  resolved<Document extends { type: string; features: string[] }>(
    document: Document,
    stored: Stored,
  ): Document {
    const codeOf = (kind: Meaning['kind'], name: string) =>
      this.#meaning(kind, name, stored)?.code ?? name;
    return {
      ...document,
      type: codeOf('type', document.type),
      features: [...new Set(document.features.map((name) => codeOf('feature', name)))],
    };
  }

  /** What the names of a document were understood as, except codes of the account. */
  understood({ type, features = [] }: Named, stored: Stored): Understood[] {
    const types = type === undefined ? [] : [this.#meaning('type', type, stored)];
    return [...types, ...features.map((name) => this.#meaning('feature', name, stored))].flatMap(
      (meaning) =>
        meaning === undefined
          ? []
          : [{ ...meaning, unknown: this.#newCodes.has(keyOf(meaning.kind, meaning.code)) }],
    );
  }

  /** What a name that is not a code of the account means. */
  #meaning(kind: Meaning['kind'], name: string, stored: Stored): Meaning | undefined {
    const key = keyOf(kind, name);
    return stored.has(key) ? undefined : this.#meanings.get(key);
  }
}
