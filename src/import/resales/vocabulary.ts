import { ORIENTATION, ORIENTATION_NAMES } from '../../feed/formats/orientation.ts';
import { digest } from '../../lib/bytes/digest.ts';
import {
  type CategoryDocument,
  type FeatureDocument,
  type PropertyDocument,
  parseDocument,
  type TypeDocument,
} from '../../portfolio/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from '../../portfolio/vocabulary/entries.ts';
import { TYPES_BY_NAME } from '../../portfolio/vocabulary/lookup.ts';
import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import { type TypeSet, type VocabularyEntry, withLabel } from '../names/vocabulary-entry.ts';
import { type Labels, mainLabel } from './labels.ts';
import { inOrder } from './order.ts';

/** A category of a record with its features. */
export interface RecordCategory {
  readonly name: Labels;
  readonly values: readonly Labels[];
}

/** What a file contains about a type, category or feature. */
interface Entry {
  readonly document: TypeDocument | CategoryDocument | FeatureDocument;
  /** The labels that the built-in vocabulary has for it. */
  readonly general: object;
  /** The set of types that the file's labels belong to. */
  readonly set: TypeSet;
}

/** The names of the orientation category, which the feed shows before all others. */
const ORIENTATIONS: ReadonlySet<string> = new Set(ORIENTATION_NAMES);

/** The labels of the built-in categories and features, by their codes. */
const LABELS = new Map([...CATEGORY_ENTRIES, ...FEATURE_ENTRIES].map(({ code, document }) => [code, document.labels]));

/** Types, categories and features of a feed: each text in each language is a label. */
export class FeedVocabulary {
  readonly #version: number;
  /** Codes by labels; two entries with the same labels are only distinguished within one record. */
  readonly #codes = new Map<string, string>();
  readonly #entries = new Map<string, Entry>();
  /** Languages that labels are in: those that the feed was requested in. */
  readonly #languages = new Set<string>();
  readonly #used = new Set<string>();
  /** For each category, those that records show after it. */
  readonly #after = new Map<string, Set<string>>();

  constructor(version: number) {
    this.#version = version;
  }

  /** The code of a type. */
  type(type: Labels, subtype: Labels): string {
    const [name, second] = [mainLabel(type) || 'Property', mainLabel(subtype)];
    const joined = second === '' ? name : `${name} - ${second}`;
    const builtIn = TYPES_BY_NAME.get(nameKey(joined));
    this.#noteLanguages(type);
    return this.#code('type', [type, subtype], builtIn?.code ?? joined, (code) => {
      const general: TypeDocument['labels'] = builtIn?.document.labels ?? {};
      const set = this.#setOf(general, type, subtype);
      const labels: TypeDocument['labels'] = {};
      const languages = Object.keys(Object.keys(type).length === 0 ? { uk: name } : type) as (keyof Labels)[];
      for (const language of languages) {
        const [main, sub] = [type[language] ?? name, subtype[language] ?? null];
        labels[language] = withLabel(set, general[language], main, sub);
      }
      return { document: { kind: 'type', code, labels }, general, set };
    });
  }

  /** The codes of the features of a record. */
  features(categories: readonly RecordCategory[]): string[] {
    const codes: string[] = [];
    const seen = new Map<string, number>();
    let before: string | undefined;
    for (const { name, values } of categories) {
      const category = this.#category(name, occurrence(seen, ['category', name]));
      if (before !== undefined && before !== category) {
        this.#after.set(before, (this.#after.get(before) ?? new Set()).add(category));
      }
      before = category;
      for (const value of values) {
        const label = mainLabel(value);
        if (label !== '') codes.push(this.#feature(category, value, label, occurrence(seen, [category, value])));
      }
    }
    return codes;
  }

  /** Whether a category is that of the directions that properties face. */
  isOrientation({ name }: RecordCategory): boolean {
    return Object.values(name).some((label) => ORIENTATIONS.has(label));
  }

  /** Records the entries that an imported property uses. */
  use({ type, features }: PropertyDocument): void {
    this.#used.add(`type ${type}`);
    for (const code of features) {
      this.#used.add(`feature ${code}`);
      const feature = this.#entries.get(`feature ${code}`)?.document as FeatureDocument;
      this.#used.add(`category ${feature.category}`);
    }
  }

  /** What properties use, categories in an order that is that of every record. */
  entries(): VocabularyEntry[] {
    const categories = inOrder(
      [...this.#entries.values()].flatMap(({ document }) => (document.kind === 'category' ? [document.code] : [])),
      this.#after,
    ).map((code) => `category ${code}`);
    const others = [...this.#entries.keys()].filter((place) => !place.startsWith('category '));
    return [...categories, ...others]
      .filter((place) => this.#used.has(place))
      .map((place) => this.#completed(this.#entries.get(place)!));
  }

  /** An entry with the built-in labels in the languages that the feed was not requested in. */
  #completed({ document, general, set }: Entry): VocabularyEntry {
    const others = Object.entries(general).filter(([language]) => !this.#languages.has(language));
    const completed = { ...document, labels: { ...Object.fromEntries(others), ...document.labels } };
    return { document: parseDocument(completed) as Entry['document'], over: { labels: document.labels, set } };
  }

  #noteLanguages(labels: Labels): void {
    for (const language of Object.keys(labels)) this.#languages.add(language);
  }

  #category(name: Labels, times: number): string {
    const label = mainLabel(name) || 'Features';
    const isOrientation = this.isOrientation({ name, values: [] });
    this.#noteLanguages(name);
    return this.#code('category', [name, times], isOrientation ? ORIENTATION : label, (code) => {
      const document = { kind: 'category', code, labels: name } as const;
      return { document, general: LABELS.get(code) ?? {}, set: 'both' };
    });
  }

  #feature(category: string, value: Labels, label: string, times: number): string {
    this.#noteLanguages(value);
    return this.#code('feature', [category, value, times], `${category}: ${label}`, (code) => {
      const document = { kind: 'feature', code, category, labels: value } as const;
      return { document, general: LABELS.get(code) ?? {}, set: 'both' };
    });
  }

  /** The set of types that labels belong to: the current one in version 3, otherwise either, as a known type shows. */
  #setOf(general: TypeDocument['labels'], type: Labels, subtype: Labels): TypeSet {
    if (this.#version === 3) return 'current';
    const languages = Object.keys(type) as (keyof Labels)[];
    const isOf = (main: 'type' | 'older_type', sub: 'subtype' | 'older_subtype') =>
      languages.length > 0 &&
      languages.every(
        (language) =>
          general[language]?.[main] === type[language] && (general[language]?.[sub] ?? undefined) === subtype[language],
      );
    if (isOf('type', 'subtype')) return 'current';
    return isOf('older_type', 'older_subtype') ? 'older' : 'both';
  }

  /** The code of an entry: the proposed one, unless another entry has it. */
  #code(
    kind: 'type' | 'category' | 'feature',
    labelled: readonly unknown[],
    proposed: string,
    make: (code: string) => Entry,
  ): string {
    const key = `${kind} ${JSON.stringify(labelled)}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    let code = fitting(proposed);
    for (let number = 2; this.#entries.has(`${kind} ${code}`); number++) code = fitting(proposed, ` (${number})`);
    this.#entries.set(`${kind} ${code}`, make(code));
    this.#codes.set(key, code);
    return code;
  }
}

/** How often an item occurred before in a record, whose lists may contain it twice. */
function occurrence(seen: Map<string, number>, what: readonly unknown[]): number {
  const key = JSON.stringify(what);
  const times = seen.get(key) ?? 0;
  seen.set(key, times + 1);
  return times;
}

/** Maximum length of a code. */
const LONGEST_CODE = 200;

function fitting(text: string, end = ''): string {
  const letters = [...text];
  if (letters.length + end.length <= LONGEST_CODE) return text + end;
  const tail = ` ${digest(text)}${end}`;
  return letters.slice(0, LONGEST_CODE - tail.length).join('') + tail;
}
