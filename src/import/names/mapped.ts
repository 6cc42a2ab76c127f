import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import { KyeroVocabulary } from './names.ts';
import { kyeroNames, type OwnNames } from './names-table.ts';
import type { VocabularyEntry } from './vocabulary-entry.ts';

/**
 * The types and features that an operator's table maps names to, for formats whose files have codes or labels of their own
 * for all others.
 */
export class MappedNames {
  readonly #vocabulary: KyeroVocabulary;
  readonly #names: { readonly type: ReadonlySet<string>; readonly feature: ReadonlySet<string> };
  readonly #codes = { type: new Set<string>(), feature: new Set<string>() };

  constructor(own: OwnNames | undefined) {
    const keysOf = (entries: OwnNames['types' | 'features'] = []) =>
      new Set(entries.flatMap(({ names }) => names.map(nameKey)));
    this.#vocabulary = new KyeroVocabulary(kyeroNames(own));
    this.#names = { type: keysOf(own?.types), feature: keysOf(own?.features) };
  }

  /** The code that one of these names is mapped to. */
  codeOf(kind: 'type' | 'feature', ...names: readonly string[]): string | undefined {
    const name = names.find((text) => this.#names[kind].has(nameKey(text)));
    if (name === undefined) return undefined;
    const code = kind === 'type' ? this.#vocabulary.type(name) : this.#vocabulary.codesOf([{ name }])[0]!;
    this.#codes[kind].add(code);
    return code;
  }

  /** Records that a property which is imported uses its type and features. */
  use({ type, features }: { readonly type: string; readonly features: readonly string[] }): void {
    const { type: types, feature } = this.#codes;
    this.#vocabulary.use({
      type: types.has(type) ? type : undefined,
      features: features.filter((code) => feature.has(code)),
    });
  }

  /** What properties use of it; it replaces stored entries. */
  entries(): VocabularyEntry[] {
    return this.#vocabulary.entries();
  }
}
