import type { ImportNames } from '../../db/schema.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import {
  documentKey,
  type FeatureDocument,
  keyOf,
  parseDocument,
  type TypeDocument,
} from '../../properties/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from '../../vocabulary/entries.ts';
import { kyeroType, unknownLabel } from '../../vocabulary/kyero.ts';
import {
  type Candidate,
  chooseFeatures,
  featuresNamed,
  typeNamed,
} from '../../vocabulary/lookup.ts';
import { nameKey } from '../../vocabulary/name-key.ts';
import { words } from '../xml/node.ts';
import type { TypeSet, UnknownNames, VocabularyEntry } from './record.ts';

export const DEFAULT_TYPE = 'Property';

const OTHER_CATEGORY = 'Features';

const MAX_CODE_LENGTH = 200;

/** A type, category or feature that names map to, with what decides between several features. */
type Entry = VocabularyEntry & Candidate;

const BUILT_IN = new Map<string, Entry>(
  [...TYPE_ENTRIES, ...CATEGORY_ENTRIES, ...FEATURE_ENTRIES].map((entry) => [
    documentKey(entry.document),
    { category: '', rank: null, over: 'keep', ...entry },
  ]),
);

export interface FeatureName {
  readonly name: string;
  readonly labels?: FeatureDocument['labels'];
}

type Labelled = TypeDocument | FeatureDocument;

/**
 * The types and features named in a feed, as documents: built-in ones, and new ones for unknown names.
 * Names are looked up for rejected records, too; {@link use} marks those of imported records.
 */
export class Vocabulary {
  /** Codes of the built-in entries that the account has mapped names to, by the keys of the names. */
  readonly #mapped = new Map<string, string>();
  /** Entries that names were looked up as, by their keys. */
  protected readonly found = new Map<string, VocabularyEntry>();
  /** New entries, by kind and key of their names. */
  readonly #unknown = new Map<string, Labelled>();
  /** How many properties use each entry, by its key. */
  readonly #used = new Map<string, number>();
  /** Entries by the names that may mean them: the same names come with record after record. */
  readonly #meanings = {
    type: this.#meaningsOf('type'),
    feature: this.#meaningsOf('feature'),
  };

  /** @param mapped what the account has said that names mean */
  constructor({ types = {}, features = {} }: ImportNames = {}) {
    this.#map('type', types);
    this.#map('feature', features);
  }

  #map(kind: 'type' | 'feature', codes: Readonly<Record<string, string>>): void {
    for (const [name, code] of Object.entries(codes)) {
      if (BUILT_IN.has(keyOf(kind, code))) this.#mapped.set(keyOf(kind, nameKey(name)), code);
    }
  }

  #meaningsOf(kind: 'type' | 'feature') {
    const compute = (name: string) => this.#findMeanings(kind, name);
    return boundedCache<Entry[]>({ maxBytes: 1_000_000, valueBytes: 100, compute });
  }

  /** The entries that a name may mean: the one that it is mapped to, else built-in ones. */
  #findMeanings(kind: 'type' | 'feature', name: string): Entry[] {
    const mapped = this.#mapped.get(keyOf(kind, nameKey(name)));
    const builtIn = kind === 'feature' ? featuresNamed(name) : [typeNamed(name) ?? []].flat();
    const codes = mapped === undefined ? builtIn.map(({ code }) => code) : [mapped];
    return codes.map((code) => BUILT_IN.get(keyOf(kind, code))!);
  }

  #candidatesFor({ name, labels }: FeatureName) {
    if (unknownLabel(name) !== undefined) return [];
    const all = [name, labels?.uk, labels?.es].map((text) =>
      text === undefined ? [] : this.#meanings.feature.memo(text),
    );
    return all.find((candidates) => candidates.length > 0) ?? [];
  }

  /** Whether a name means a feature. */
  isFeature(name: string): boolean {
    return this.#meanings.feature.memo(name).length > 0;
  }

  /** The code of the type with this name and subtype. */
  type(text: string, subtype = ''): string {
    const name = words(text).trim();
    const second = words(subtype).trim();
    const joined = second === '' ? name : `${name} - ${second}`;
    const known = this.#meanings.type.memo(joined)[0] ?? this.#meanings.type.memo(second)[0];
    if (known !== undefined) return this.#found(known);
    // In feeds of this service, the subtype of a type that is not built in is all of its name.
    if (second !== '' && kyeroType(second, second).name === name) return this.type(second);
    const general = second === '' ? undefined : this.#meanings.type.memo(name)[0]?.document.labels;
    const labels = Object.entries(
      general ?? { uk: { older_type: name, older_subtype: null, type: name } },
    ).map(([language, label]) => [language, { ...label, subtype: second === '' ? null : second }]);
    return this.#new('type', joined, Object.fromEntries(labels));
  }

  /** The code that one of these names is mapped to, for formats whose files have their own codes or labels. */
  mappedCode(kind: 'type' | 'feature', ...names: readonly string[]): string | undefined {
    const name = names.find((text) => this.#mapped.has(keyOf(kind, nameKey(text))));
    if (name === undefined) return undefined;
    return kind === 'type' ? this.type(name) : this.codesOf([{ name }])[0];
  }

  /** The codes of a property's features. Their list is looked up as a whole, since a name's place in it can decide its meaning. */
  codesOf(list: readonly FeatureName[]): string[] {
    const chosen = chooseFeatures(list.map((feature) => this.#candidatesFor(feature)));
    return list.map(({ name, labels }, index) => {
      const entry = chosen[index];
      if (entry !== undefined) return this.#found(entry);
      const text = unknownLabel(name) ?? words(name).trim();
      return this.#new('feature', text, labels ?? { uk: text });
    });
  }

  /** Records that a property which is imported uses its type and features. */
  use({
    type,
    features,
  }: {
    readonly type?: string | undefined;
    readonly features: readonly string[];
  }): void {
    const keys = features.map((code) => keyOf('feature', code));
    if (type !== undefined) keys.push(keyOf('type', type));
    for (const key of keys) this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
  }

  /** The entries in use that names were looked up as, and the categories of these. */
  entries(): VocabularyEntry[] {
    const used = [...this.found].flatMap(([key, entry]) => (this.#used.has(key) ? [entry] : []));
    const categories = used.flatMap(({ document }) =>
      document.kind === 'feature' ? [document.category] : [],
    );
    const entryOf = (code: string) => {
      const key = keyOf('category', code);
      return this.found.get(key) ?? BUILT_IN.get(key)!;
    };
    // Only what is stored: the rest decides between several features.
    return [...[...new Set(categories)].map(entryOf), ...used].map(({ document, over }) => ({
      document,
      over,
    }));
  }

  /** The unknown names in use, the most frequent first: to be mapped in the console. */
  unknownNames(): UnknownNames {
    const ofKind = (kind: Labelled['kind']) =>
      [...this.#unknown.values()]
        .filter((entry) => entry.kind === kind && entry.code !== DEFAULT_TYPE)
        .map((entry) => ({ name: entry.code, count: this.#used.get(documentKey(entry)) ?? 0 }))
        .filter(({ count }) => count > 0)
        .toSorted((a, b) => b.count - a.count);
    return { types: ofKind('type'), features: ofKind('feature') };
  }

  #found(entry: Entry): string {
    const key = documentKey(entry.document);
    if (!this.found.has(key)) this.found.set(key, entry);
    return entry.document.code;
  }

  /**
   * The code of the entry of an unknown name: its first spelling. It has the labels of every record together, in each
   * language the first.
   */
  #new(kind: 'type' | 'feature', name: string, labels: object): string {
    const key = keyOf(kind, nameKey(name));
    const before = this.#unknown.get(key);
    const given = before?.labels ?? {};
    if (before !== undefined && Object.keys(labels).every((language) => language in given))
      return before.code;
    const code = before?.code ?? [...name].slice(0, MAX_CODE_LENGTH).join('');
    const more = { code, labels: { ...labels, ...given } };
    const document = parseDocument(
      kind === 'type' ? { kind, ...more } : { kind, category: OTHER_CATEGORY, ...more },
    );
    this.#unknown.set(key, document as Labelled);
    this.found.set(keyOf(kind, code), { document: document as Labelled, over: 'keep' });
    return code;
  }
}

type TypeLabel = NonNullable<TypeDocument['labels']['uk']>;

/** A label of one of the two sets, with a known one of the other. */
export function withLabel(
  set: TypeSet,
  known: TypeLabel | undefined,
  type: string,
  subtype: string | null,
): TypeLabel {
  const older = set === 'current' ? known : undefined;
  const current = set === 'older' ? known : undefined;
  return {
    older_type: older?.older_type ?? type,
    older_subtype: older === undefined ? subtype : older.older_subtype,
    type: current?.type ?? type,
    subtype: current === undefined ? subtype : current.subtype,
  };
}
