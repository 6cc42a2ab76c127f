import { kyeroType, unknownLabel } from '../../feed/formats/kyero/names.ts';
import { type FeatureDocument, parseDocument, type TypeDocument } from '../../portfolio/documents.ts';
import { chooseFeatures } from '../../portfolio/vocabulary/lookup.ts';
import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import type { TypeSet, VocabularyEntry } from '../record.ts';
import { words } from '../xml/node.ts';
import { type Entry, Names, type OwnNames } from './names-table.ts';

export const DEFAULT_TYPE = 'Property';

const OTHER_CATEGORY = 'Features';

const LONGEST_CODE = 200;

export interface FeatureName {
  readonly name: string;
  readonly labels?: FeatureDocument['labels'];
}

/** A name that is not in the vocabulary, as an entry of an operator's table, and how many properties have it. */
type UnknownName<Document> = Omit<Document, 'kind'> & { readonly names: readonly string[]; readonly count: number };

/** Names that are not in the vocabulary, in the form of an operator's table. */
export interface UnknownNames {
  readonly types: readonly UnknownName<TypeDocument>[];
  readonly features: readonly UnknownName<FeatureDocument>[];
}

type Labelled = TypeDocument | FeatureDocument;

/**
 * The types and features named in a feed, as documents: those of the tables, and new ones for unknown names. Names are
 * looked up for rejected records, too; {@link use} marks those of imported records.
 */
export class Vocabulary {
  readonly #names: Names;
  /** Entries that names were looked up as, by kind and code. */
  readonly #entries = new Map<string, Entry<Labelled>>();
  /** New entries, by kind and key of their names. */
  readonly #unknown = new Map<string, Entry<Labelled>>();
  readonly #used = new Map<string, number>();

  /** @param own the operator's table, which is an ImportError if it has an invalid entry */
  constructor(own?: OwnNames) {
    this.#names = new Names(own);
  }

  /** The code of the type with this name and subtype. */
  type(text: string, subtype = ''): string {
    const [name, second] = [words(text).trim(), words(subtype).trim()];
    const joined = second === '' ? name : `${name} - ${second}`;
    const known = this.#names.type(joined) ?? this.#names.type(second);
    if (known !== undefined) return this.#found(known);
    // In feeds of this service, the subtype of a type that is not built in is all of its name.
    if (second !== '' && kyeroType(second, second).name === name) return this.type(second);
    const general = second === '' ? undefined : this.#names.type(name)?.document.labels;
    const labels = Object.entries(general ?? { uk: { older_type: name, older_subtype: null, type: name } }).map(
      ([language, label]) => [language, { ...label, subtype: second === '' ? null : second }],
    );
    return this.#new('type', joined, Object.fromEntries(labels));
  }

  /** The code that the operator's table maps one of these names to, for formats whose files have codes or labels of their own. */
  mappedCode(kind: 'type' | 'feature', ...names: readonly string[]): string | undefined {
    const name = names.find((text) => this.#names.isOwn(kind, text));
    if (name === undefined) return undefined;
    return kind === 'type' ? this.type(name) : this.codesOf([{ name }])[0];
  }

  /** The codes of a property's features. Their list is looked up as a whole, since a name may mean another one elsewhere in it. */
  codesOf(list: readonly FeatureName[]): string[] {
    const chosen = chooseFeatures(list.map((feature) => this.#candidatesFor(feature)));
    return list.map(({ name, labels }, index) => {
      const entry = chosen[index];
      if (entry !== undefined) return this.#found(entry);
      const text = unknownLabel(name) ?? words(name).trim();
      return this.#new('feature', text, labels ?? { uk: text });
    });
  }

  amenities(codes: readonly string[]): { has_pool: boolean; has_garden: boolean; has_garage: boolean } {
    const inCategory = (category: string, except: string) =>
      codes.some((code) => code.startsWith(`${category}: `) && code !== except);
    return {
      has_pool: inCategory('Pool', 'Pool: Room For Pool'),
      has_garden: inCategory('Garden', 'Garden: Automatic Irrigation'),
      has_garage: codes.includes('Parking: Garage'),
    };
  }

  /** Records that a property which is imported uses its type and features. */
  use({ type, features }: { readonly type?: string | undefined; readonly features: readonly string[] }): void {
    const places = features.map((code) => placeOf('feature', code));
    if (type !== undefined) places.unshift(placeOf('type', type));
    for (const place of places) this.#used.set(place, (this.#used.get(place) ?? 0) + 1);
  }

  /** The entries in use that names were looked up as: those of the operator's table replace stored ones. */
  entries(): VocabularyEntry[] {
    const named = [...this.#used.keys()].flatMap((place) => this.#entries.get(place) ?? []);
    const categories = named.flatMap(({ document }) => (document.kind === 'feature' ? [document.category] : []));
    const all = [...named, ...[...new Set(categories)].map((code) => this.#names.category(code)!)];
    return all.map(({ document, own }) => ({ document, over: own ? 'replace' : 'keep' }));
  }

  /** The unknown names in use, the most frequent first: to be completed and passed to `--names`. */
  unknownNames(): UnknownNames {
    const found = [...this.#unknown.values()]
      .map(({ document }) => ({ document, count: this.#used.get(placeOf(document.kind, document.code)) ?? 0 }))
      .filter(({ document, count }) => count > 0 && document.code !== DEFAULT_TYPE)
      .toSorted((a, b) => b.count - a.count)
      .map(({ document: { kind, ...document }, count }) => ({
        kind,
        entry: { names: [document.code], ...document, count },
      }));
    const ofKind = (wanted: string) => found.flatMap(({ kind, entry }) => (kind === wanted ? [entry] : []));
    return { types: ofKind('type'), features: ofKind('feature') } as unknown as UnknownNames;
  }

  #candidatesFor({ name, labels }: FeatureName) {
    if (unknownLabel(name) !== undefined) return [];
    const all = [name, labels?.uk, labels?.es].map((text) => (text === undefined ? [] : this.#names.features(text)));
    return all.find((candidates) => candidates.length > 0) ?? [];
  }

  #found(entry: Entry<Labelled>): string {
    const { kind, code } = entry.document;
    this.#entries.set(placeOf(kind, code), entry);
    return code;
  }

  /**
   * The code of the entry of an unknown name: its first spelling. It has the labels of every record together, in each
   * language the first.
   */
  #new(kind: 'type' | 'feature', name: string, labels: object): string {
    const place = placeOf(kind, nameKey(name));
    const before = this.#unknown.get(place);
    const given = before?.document.labels ?? {};
    if (before !== undefined && Object.keys(labels).every((language) => language in given)) {
      return before.document.code;
    }
    const code = before?.document.code ?? [...name].slice(0, LONGEST_CODE).join('');
    const more = { code, labels: { ...labels, ...given } };
    const document = parseDocument(kind === 'type' ? { kind, ...more } : { kind, category: OTHER_CATEGORY, ...more });
    const entry = { document: document as Labelled };
    this.#unknown.set(place, entry);
    return this.#found(entry);
  }
}

function placeOf(kind: 'type' | 'feature', code: string): string {
  return `${kind} ${code}`;
}

export type TypeLabel = NonNullable<TypeDocument['labels']['uk']>;

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
