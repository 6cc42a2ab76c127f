import * as z from 'zod';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { parsed } from '../../lib/parsed.ts';
import {
  DocumentError,
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
import { ImportError } from './error.ts';
import type { TypeSet, VocabularyEntry } from './record.ts';

export const DEFAULT_TYPE = 'Property';

const OTHER_CATEGORY = 'Features';

const MAX_CODE_LENGTH = 200;

const names = z.array(z.string().min(1)).min(1);
const code = z.string().min(1);
/** Without labels, names are mapped to an entry of the vocabulary as it is. */
const labels = z.record(z.string(), z.unknown()).optional();
/** How often an import found the names: written by {@link Vocabulary.unknownNames}, and ignored when read. */
const count = z.int().optional();

/**
 * A table that maps names to types and features, as JSON. `names` are compared by {@link nameKey}, and so is a code
 * that is not the name of another entry; the other keys are those of a document without its `kind`.
 */
const tableSchema = z.strictObject({
  types: z.array(z.strictObject({ names, code, labels, count })).default([]),
  categories: z.array(z.strictObject({ code, labels })).default([]),
  features: z.array(z.strictObject({ names, code, category: code, labels, count })).default([]),
});

export type OwnNames = z.output<typeof tableSchema>;

/** Names that are not in the vocabulary, in the form of an operator's table, with how many properties have each. */
export type UnknownNames = Record<
  'types' | 'features',
  (OwnNames['types'][number] & { count: number })[]
>;

/** @throws ImportError `bad_names` with the reason if the JSON is not a valid table */
export function parseNames(text: string): OwnNames {
  try {
    const result = parsed(tableSchema, JSON.parse(text));
    if ('value' in result) return result.value;
    throw new TypeError(
      result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    );
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

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
type Kind = VocabularyEntry['document']['kind'];

/**
 * The types and features named in a feed, as documents: built-in ones, over them those of an operator's table, and new ones
 * for unknown names. Names are looked up for rejected records, too; {@link use} marks those of imported records.
 */
export class Vocabulary {
  /** The built-in entries, and over them the operator's, by their keys. */
  readonly #known = new Map(BUILT_IN);
  /** Codes of the operator's entries by the keys of their names, and of the codes themselves. */
  readonly #named = new Map<string, string>();
  readonly #coded = new Map<string, string>();
  /** Entries that names were looked up as, by their keys. */
  protected readonly found = new Map<string, VocabularyEntry>();
  /** New entries, by kind and key of their names. */
  readonly #unknown = new Map<string, Labelled>();
  /** How many properties use each entry, by its key. */
  readonly #used = new Map<string, number>();
  /** Entries by the names that may mean them: the same names come with record after record. */
  readonly #meanings = {
    type: boundedCache(2_500, (name) => this.#findMeanings('type', name)),
    feature: boundedCache(2_500, (name) => this.#findMeanings('feature', name)),
  };

  /** @throws ImportError `bad_names` if the operator's table has an invalid entry */
  constructor(
    { types, categories, features }: OwnNames = { types: [], categories: [], features: [] },
  ) {
    for (const entry of categories) this.#add('category', entry);
    for (const entry of types) this.#add('type', entry, entry.names);
    for (const entry of features) {
      const { code, category, names } = entry;
      this.#add('feature', entry, names, category);
      if (!this.#known.has(keyOf('category', category))) {
        throw unusable(`the feature ${code} has an undefined category: ${category}`);
      }
    }
  }

  #add(
    kind: Kind,
    own: OwnNames['categories'][number],
    names: readonly string[] = [],
    category = '',
  ): void {
    const { code, labels } = own;
    const key = keyOf(kind, code);
    const builtIn = BUILT_IN.get(key);
    if (labels !== undefined || builtIn === undefined) {
      const document = ownDocument({ kind, code, labels, ...(kind === 'feature' && { category }) });
      this.#known.set(key, { document, over: 'replace', category, rank: builtIn?.rank ?? null });
    }
    this.#coded.set(keyOf(kind, nameKey(code)), code);
    for (const name of names) this.#named.set(keyOf(kind, nameKey(name)), code);
  }

  /**
   * The entries that a name may mean: those named in the operator's table, else built-in ones, else the entry of the table that
   * has it as its code.
   */
  #findMeanings(kind: 'type' | 'feature', name: string): Entry[] {
    const key = nameKey(name);
    const [named, coded] = [this.#named, this.#coded].map((codes) => codes.get(keyOf(kind, key)));
    const builtIn = kind === 'feature' ? featuresNamed(name) : [typeNamed(name) ?? []].flat();
    const known =
      named === undefined && builtIn.length > 0
        ? builtIn.map(({ code }) => code)
        : [named ?? coded ?? []].flat();
    return known.map((code) => this.#known.get(keyOf(kind, code))!);
  }

  #candidatesFor({ name, labels }: FeatureName) {
    if (unknownLabel(name) !== undefined) return [];
    const all = [name, labels?.uk, labels?.es].map((text) =>
      text === undefined ? [] : this.#meanings.feature.memo(text),
    );
    return all.find((candidates) => candidates.length > 0) ?? [];
  }

  /** The code of the type with this name and subtype. */
  type(text: string, subtype = ''): string {
    const [name, second] = [words(text).trim(), words(subtype).trim()];
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

  /** The code that the operator's table maps one of these names to, for formats whose files have their own codes or labels. */
  mappedCode(kind: 'type' | 'feature', ...names: readonly string[]): string | undefined {
    const name = names.find((text) => this.#named.has(keyOf(kind, nameKey(text))));
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

  /** The entries in use that names were looked up as, and the categories of these: those of the operator's table replace stored ones. */
  entries(): VocabularyEntry[] {
    const used = [...this.found].flatMap(([key, entry]) => (this.#used.has(key) ? [entry] : []));
    const categories = used.flatMap(({ document }) =>
      document.kind === 'feature' ? [document.category] : [],
    );
    const entryOf = (code: string) => {
      const key = keyOf('category', code);
      return this.found.get(key) ?? this.#known.get(key)!;
    };
    // Only what is stored: the rest decides between several features.
    return [...[...new Set(categories)].map(entryOf), ...used].map(({ document, over }) => ({
      document,
      over,
    }));
  }

  /** The unknown names in use, the most frequent first: to be mapped in the console. */
  unknownNames(): UnknownNames {
    const named = [...this.#unknown.values()]
      .map((document) => {
        const { kind, ...rest } = document;
        return {
          kind,
          entry: { names: [rest.code], ...rest, count: this.#used.get(documentKey(document)) ?? 0 },
        };
      })
      .filter(({ entry: { code, count } }) => count > 0 && code !== DEFAULT_TYPE)
      .toSorted((a, b) => b.entry.count - a.entry.count);
    const ofKind = (wanted: string) =>
      named.flatMap(({ kind, entry }) => (kind === wanted ? [entry] : []));
    return { types: ofKind('type'), features: ofKind('feature') } as UnknownNames;
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

function ownDocument(given: Readonly<Record<string, unknown>>): VocabularyEntry['document'] {
  try {
    return parseDocument(given) as VocabularyEntry['document'];
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw unusable(`${given.code}: ${error.message}`);
  }
}

function unusable(why: string): ImportError {
  return new ImportError('bad_names', `The table of names cannot be used: ${why}`);
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

/** What the codes of a property's features say of its amenities. */
export function amenitiesOf(codes: readonly string[]) {
  const inCategory = (category: string, except: string) =>
    codes.some((code) => code.startsWith(`${category}: `) && code !== except);
  return {
    has_pool: inCategory('Pool', 'Pool: Room For Pool'),
    has_garden: inCategory('Garden', 'Garden: Automatic Irrigation'),
    has_garage: codes.includes('Parking: Garage'),
  };
}
