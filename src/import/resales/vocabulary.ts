import { ORIENTATION, ORIENTATION_NAMES } from '../../feed/formats/orientation.ts';
import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
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
import { type Vocabulary, withLabel } from '../names/names.ts';
import type { TypeSet, VocabularyEntry } from '../record.ts';
import { trimmed, type XmlNode } from '../xml/node.ts';

export type Labels = Partial<Record<StoredLanguage, string>>;

/** Languages by the names of elements; `en` is that of Kyero's format. */
const ELEMENTS: ReadonlyMap<string, StoredLanguage> = new Map([
  ...STORED_LANGUAGES.map(({ element }) => [element, element] as const),
  ['en', 'uk'],
]);

/** Maximum length of a label, and of a code. */
const LONGEST = 200;

/** The labels of a node with one child per language, up to a length in characters; plain text is English. */
export function labelsOf(node: XmlNode | undefined, longest = LONGEST): Labels {
  const cut = (text: string) => (text.length <= longest ? text : [...text].slice(0, longest).join(''));
  const labels: Labels = {};
  for (const child of node?.children ?? []) {
    const language = ELEMENTS.get(child.name);
    const text = rawText(child);
    if (language !== undefined && text.trim() !== '') labels[language] ??= cut(text);
  }
  const text = node?.text.trim() ?? '';
  return text === '' || Object.keys(labels).length > 0 ? labels : { uk: cut(text) };
}

/** The label that represents all of them: the English one, else the first. */
export function mainLabel(labels: Labels): string {
  return labels.uk ?? Object.values(labels)[0] ?? '';
}

/** The unchanged text of a node, so that the feed reproduces it byte for byte. */
export function rawText(node: XmlNode | undefined): string {
  return node?.children.length === 0 ? node.text : trimmed(node);
}

export interface RecordCategory {
  readonly name: Labels;
  readonly values: readonly Labels[];
}

interface Entry {
  readonly document: TypeDocument | CategoryDocument | FeatureDocument;
  readonly general: object;
  readonly set: TypeSet;
}

/** The names of the orientation category, which the feed shows before all others. */
const ORIENTATIONS: ReadonlySet<string> = new Set(ORIENTATION_NAMES);

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

  readonly #mapped: Vocabulary;

  constructor(version: number, mapped: Vocabulary) {
    this.#version = version;
    this.#mapped = mapped;
  }

  type(type: Labels, subtype: Labels): string {
    const [name, second] = [mainLabel(type) || 'Property', mainLabel(subtype)];
    const joined = second === '' ? name : `${name} - ${second}`;
    const mapped = this.#mapped.mappedCode('type', joined, second);
    if (mapped !== undefined) return mapped;
    const builtIn = TYPES_BY_NAME.get(nameKey(joined));
    return this.#code('type', type, [type, subtype], builtIn?.code ?? joined, (code) => {
      const general: TypeDocument['labels'] = builtIn?.document.labels ?? {};
      const set = this.#setOf(general, type, subtype);
      const labels: TypeDocument['labels'] = {};
      for (const language of Object.keys(Object.keys(type).length === 0 ? { uk: name } : type) as (keyof Labels)[]) {
        labels[language] = withLabel(set, general[language], type[language] ?? name, subtype[language] ?? null);
      }
      return { document: { kind: 'type', code, labels }, general, set };
    });
  }

  features(categories: readonly RecordCategory[]): string[] {
    const codes: string[] = [];
    /** How often each item occurred before in the record, whose lists may contain it twice. */
    const seen = new Map<string, number>();
    const occurrence = (what: unknown) => {
      const key = JSON.stringify(what);
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      return times;
    };
    let before: string | undefined;
    for (const { name, values } of categories) {
      const proposed = this.isOrientation({ name }) ? ORIENTATION : mainLabel(name) || 'Features';
      const category = this.#labelled('category', name, [name, occurrence(['category', name])], proposed);
      if (before !== undefined && before !== category) {
        this.#after.set(before, (this.#after.get(before) ?? new Set()).add(category));
      }
      before = category;
      for (const value of values) {
        const label = mainLabel(value);
        if (label === '') continue;
        const proposed = `${category}: ${label}`;
        const place = [category, value, occurrence([category, value])];
        const mapped = this.#mapped.mappedCode('feature', label, proposed);
        const code = mapped ?? this.#labelled('feature', value, place, proposed, { category });
        if (mapped === undefined || !codes.includes(mapped)) codes.push(code);
      }
    }
    return codes;
  }

  isOrientation({ name }: Pick<RecordCategory, 'name'>): boolean {
    return Object.values(name).some((label) => ORIENTATIONS.has(label));
  }

  use({ type, features }: PropertyDocument): void {
    this.#mapped.use({ type, features });
    this.#used.add(`type ${type}`);
    for (const code of features) {
      this.#used.add(`feature ${code}`);
      const feature = this.#entries.get(`feature ${code}`)?.document as FeatureDocument | undefined;
      if (feature !== undefined) this.#used.add(`category ${feature.category}`);
    }
  }

  /** What properties use, categories in an order that is that of every record, and before features. */
  entries(): VocabularyEntry[] {
    const [categories, others] = [[] as string[], [] as string[]];
    for (const [place, { document }] of this.#entries) {
      if (document.kind === 'category') categories.push(document.code);
      else others.push(place);
    }
    const places = [...inOrder(categories, this.#after).map((code) => `category ${code}`), ...others];
    const own = places.filter((place) => this.#used.has(place));
    // The feed's labels of an entry come before those of one that a name is mapped to.
    const mapped = this.#mapped.entries().filter(({ document: { kind, code } }) => !own.includes(`${kind} ${code}`));
    return [...own.map((place) => this.#completed(this.#entries.get(place)!)), ...mapped];
  }

  /** An entry with the built-in labels in the languages that the feed was not requested in. */
  #completed({ document, general, set }: Entry): VocabularyEntry {
    const others = Object.entries(general).filter(([language]) => !this.#languages.has(language));
    const completed = { ...document, labels: { ...Object.fromEntries(others), ...document.labels } };
    return { document: parseDocument(completed) as Entry['document'], over: { labels: document.labels, set } };
  }

  #labelled(kind: 'category' | 'feature', labels: Labels, place: unknown[], proposed: string, more: object = {}) {
    return this.#code(kind, labels, place, proposed, (code) => {
      const document = { kind, code, ...more, labels } as CategoryDocument | FeatureDocument;
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
  #code(kind: string, labels: Labels, place: unknown[], proposed: string, make: (code: string) => Entry): string {
    for (const language of Object.keys(labels)) this.#languages.add(language);
    const key = `${kind} ${JSON.stringify(place)}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    let code = fitting(proposed);
    for (let number = 2; this.#entries.has(`${kind} ${code}`); number++) code = fitting(proposed, ` (${number})`);
    this.#entries.set(`${kind} ${code}`, make(code));
    this.#codes.set(key, code);
    return code;
  }
}

function fitting(text: string, end = ''): string {
  const letters = [...text];
  if (letters.length + end.length <= LONGEST) return text + end;
  const tail = ` ${sha256Hex(text).slice(0, 10)}${end}`;
  return letters.slice(0, LONGEST - tail.length).join('') + tail;
}

/** Sorts names topologically: each before those that must follow it. Names in a cycle stay in the given order. */
export function inOrder(names: readonly string[], after: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const ordered: string[] = [];
  const left = new Set(names);
  while (left.size > 0) {
    const isFirst = (name: string) => [...left].every((other) => other === name || !after.get(other)?.has(name));
    const next = [...left].find(isFirst) ?? [...left][0]!;
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}
