import { isDetailOf, kyeroType, unknownLabel } from '../../feed/formats/kyero/names.ts';
import { type FeatureDocument, parseDocument, type TypeDocument } from '../../portfolio/documents.ts';
import { chooseFeatures } from '../../portfolio/vocabulary/lookup.ts';
import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import { words } from '../xml/node.ts';
import type { Entry, FeatureCandidate, KyeroNames } from './names-table.ts';
import type { VocabularyEntry } from './vocabulary-entry.ts';

/** The type of a property whose record has no type. */
export const DEFAULT_TYPE = 'Property';

/** The category of unknown features. */
const OTHER_CATEGORY = 'Features';

/** Maximum length of a code. */
const LONGEST_CODE = 200;

/** A feature as named in a record. */
export interface FeatureName {
  readonly name: string;
  /** Its labels, if the record has one for each language. */
  readonly labels?: FeatureDocument['labels'];
}

/** Names that are not in the vocabulary, in the form of an operator's table. */
export interface UnknownNames {
  readonly types: readonly UnknownName[];
  readonly features: readonly (UnknownName & { readonly category: string })[];
}

interface UnknownName {
  readonly names: readonly string[];
  readonly code: string;
  readonly labels: object;
  /** How many properties have it. */
  readonly count: number;
}

type Labelled = TypeDocument | FeatureDocument;

/**
 * The types and features named in a feed, as documents: those of the tables, and new ones for unknown names. Names are
 * looked up for rejected records, too; {@link use} marks those of imported records.
 */
export class KyeroVocabulary {
  readonly #names: KyeroNames;
  /** Entries that names were looked up as, by kind and code. */
  readonly #entries = new Map<string, Entry<Labelled>>();
  /** New entries, by kind and key of their names. */
  readonly #unknown = new Map<string, Entry<Labelled>>();
  /** What a feature's name may stand for: the same names come with record after record. */
  readonly #candidates = new Map<string, readonly FeatureCandidate[]>();
  /** For the same reason, the codes of types by their texts, and those of unknown features without labels. */
  readonly #typeCodes = new Map<string, string>();
  readonly #unknownCodes = new Map<string, string>();
  /** How many properties use an entry, by kind and code. */
  readonly #used = new Map<string, number>();
  /** Whether a feature says more of a type. */
  readonly #details = new Map<string, boolean>();

  constructor(names: KyeroNames) {
    this.#names = names;
  }

  /**
   * The code of the type with this name and subtype.
   *
   * @throws DocumentError if a new entry cannot have this name
   */
  type(text: string, subtype = ''): string {
    return memoized(this.#typeCodes, `${text}\n${subtype}`, () => this.#codeOfType(text, subtype));
  }

  #codeOfType(text: string, subtype: string): string {
    const [name, second] = [words(text).trim(), words(subtype).trim()];
    const joined = second === '' ? name : `${name} - ${second}`;
    const known = this.#type(joined) ?? this.#type(second);
    if (known !== undefined) return this.#found(known);
    // In feeds of this service, the subtype of a type that is not built in is all of its name.
    if (second !== '' && kyeroType(second, second).name === name) return this.#codeOfType(second, '');
    const general = second === '' ? undefined : this.#type(name)?.document.labels;
    const labels = Object.entries(general ?? { uk: { older_type: name, older_subtype: null, type: name } }).map(
      ([language, label]) => [language, { ...label, subtype: second === '' ? null : second }],
    );
    return this.#new('type', joined, Object.fromEntries(labels));
  }

  /**
   * The codes of a property's features, in order, without repetitions. The list is looked up as a whole, since the
   * meaning of a name may depend on its position.
   *
   * @throws DocumentError if a new entry cannot have one of the names
   */
  features(list: readonly FeatureName[]): string[] {
    return [...new Set(this.codesOf(list))];
  }

  /** The code of each of these features. */
  codesOf(list: readonly FeatureName[]): string[] {
    const chosen = chooseFeatures(list.map((feature) => this.#candidatesFor(feature)));
    return list.map(({ name, labels }, index) => {
      const entry = chosen[index];
      if (entry !== undefined) return this.#found(entry);
      const newCode = () => {
        const text = unknownLabel(name) ?? words(name).trim();
        return this.#new('feature', text, labels ?? { uk: text });
      };
      return labels === undefined ? memoized(this.#unknownCodes, name, newCode) : newCode();
    });
  }

  /** Whether a feature says more of a record's type: see {@link isDetailOf}. */
  isDetail(type: string, feature: string): boolean {
    return memoized(this.#details, `${type}\n${feature}`, () => isDetailOf(type, feature));
  }

  /** Whether features say that a property has a pool, a garden, a garage. */
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
    for (const place of type === undefined ? places : [placeOf('type', type), ...places]) {
      this.#used.set(place, (this.#used.get(place) ?? 0) + 1);
    }
  }

  /** The entries in use: those of the operator's table replace stored ones. */
  entries(): VocabularyEntry[] {
    const named = [...this.#used.keys()].map((place) => this.#entries.get(place)!);
    const categories = named.flatMap(({ document }) => (document.kind === 'feature' ? [document.category] : []));
    const all = [...named, ...[...new Set(categories)].map((code) => this.#names.categories.get(code)!)];
    return all.map(({ document, own }) => ({ document, over: own ? 'replace' : 'keep' }));
  }

  /** The unknown names in use, the most frequent first: to be completed and passed to `--names`. */
  unknownNames(): UnknownNames {
    const found = [...this.#unknown.values()]
      .map(({ document }) => ({ document, count: this.#used.get(placeOf(document.kind, document.code)) ?? 0 }))
      .filter(({ document, count }) => count > 0 && document.code !== DEFAULT_TYPE)
      .toSorted((a, b) => b.count - a.count);
    const common = ({ document, count }: (typeof found)[number]) => ({
      names: [document.code],
      code: document.code,
      labels: document.labels,
      count,
    });
    return {
      types: found.filter(({ document }) => document.kind === 'type').map(common),
      features: found.flatMap((entry) =>
        entry.document.kind === 'feature' ? [{ ...common(entry), category: entry.document.category }] : [],
      ),
    };
  }

  #type(name: string): Entry<TypeDocument> | undefined {
    return this.#names.types.get(nameKey(name));
  }

  #candidatesFor({ name, labels }: FeatureName): readonly FeatureCandidate[] {
    const known = this.#candidates.get(name);
    if (known !== undefined) return known;
    if (unknownLabel(name) !== undefined) return [];
    const found = [name, labels?.uk, labels?.es]
      .filter((text) => text !== undefined)
      .map((text) => this.#names.features.get(nameKey(text)) ?? [])
      .find((candidates) => candidates.length > 0);
    // Another record may have labels that are known.
    if (found !== undefined || labels === undefined) this.#candidates.set(name, found ?? []);
    return found ?? [];
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
    const entry = { document: document as Labelled, own: false };
    this.#unknown.set(place, entry);
    return this.#found(entry);
  }
}

function memoized<Value>(values: Map<string, Value>, key: string, compute: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = compute();
    values.set(key, value);
  }
  return value;
}

function placeOf(kind: 'type' | 'feature', code: string): string {
  return `${kind} ${code}`;
}
