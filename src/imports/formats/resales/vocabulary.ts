import type { ImportNames } from '../../../db/schema.ts';
import type { StoredLanguage } from '../../../lib/languages.ts';
import { topologicalSort } from '../../../lib/topological-sort.ts';
import {
  type CategoryDocument,
  documentKey,
  type FeatureDocument,
  keyOf,
  parseDocument,
  type TypeDocument,
} from '../../../properties/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from '../../../vocabulary/entries.ts';
import { typeNamed } from '../../../vocabulary/lookup.ts';
import { ORIENTATION, ORIENTATION_NAMES } from '../../../vocabulary/orientation.ts';
import { DEFAULT_TYPE, Vocabulary, withLabel } from '../../pipeline/names.ts';
import type { Reporting } from '../../pipeline/notes.ts';
import type { TypeSet, VocabularyEntry } from '../../pipeline/record.ts';
import { trimmed, type XmlNode } from '../../xml/node.ts';
import { textsOf } from '../kyero/lists.ts';

export type Labels = Partial<Record<StoredLanguage, string>>;

/** Maximum length of a label, and of a code. */
const MAX_LABEL_LENGTH = 200;

/** The labels of a node with one child per language, up to a length in characters; `uk` and plain text are English. */
export function labelsOf(
  node: XmlNode | undefined,
  reporting: Reporting,
  maxLength = MAX_LABEL_LENGTH,
): Labels {
  if (node === undefined) return {};
  const cut = (text: string) =>
    text.length <= maxLength ? text : [...text].slice(0, maxLength).join('');
  const children = node.children.map((child) =>
    child.name === 'uk' ? { ...child, name: 'en' } : child,
  );
  const texts = [...textsOf({ ...node, children }, reporting)];
  return Object.fromEntries(texts.map(([language, child]) => [language, cut(rawText(child))]));
}

/** The label that represents all of them: the English one, else the first. */
export function mainLabel(labels: Labels): string {
  return labels.uk ?? Object.values(labels)[0] ?? '';
}

/** The unchanged text of a node, so that the feed reproduces it byte for byte. */
export function rawText(node: XmlNode | undefined): string {
  return node?.children.length === 0 ? node.text : trimmed(node);
}

interface RecordCategory {
  readonly name: Labels;
  readonly values: readonly Labels[];
}

/** The names of the orientation category, which the feed shows before all others. */
const ORIENTATIONS: ReadonlySet<string> = new Set(ORIENTATION_NAMES);

const LABELS = new Map(
  [...CATEGORY_ENTRIES, ...FEATURE_ENTRIES].map(({ code, document }) => [code, document.labels]),
);

/** Types, categories and features of a feed: each text in each language is a label. */
export class FeedVocabulary extends Vocabulary {
  readonly #version: number;
  /** Codes by labels; two entries with the same labels are only distinguished within one record. */
  readonly #codes = new Map<string, string>();
  /** The built-in labels of the feed's entries, by their keys. */
  readonly #general = new Map<string, object>();
  /** Languages that labels are in: those that the feed was requested in. */
  readonly #languages = new Set<string>();
  /** For each category, those that records show after it. */
  readonly #after = new Map<string, Set<string>>();

  constructor(version: number, mapped?: ImportNames) {
    super(mapped);
    this.#version = version;
  }

  typeOf(type: Labels, subtype: Labels): string {
    const name = mainLabel(type) || DEFAULT_TYPE;
    const second = mainLabel(subtype);
    const joined = second === '' ? name : `${name} - ${second}`;
    const mapped = this.mappedCode('type', joined, second);
    if (mapped !== undefined) return mapped;
    const builtIn = typeNamed(joined);
    const general: TypeDocument['labels'] = builtIn?.document.labels ?? {};
    return this.#code('type', type, [type, subtype], builtIn?.code ?? joined, general, (code) => {
      const set = this.#setOf(general, type, subtype);
      const labels: TypeDocument['labels'] = {};
      for (const language of Object.keys(
        Object.keys(type).length === 0 ? { uk: name } : type,
      ) as (keyof Labels)[]) {
        labels[language] = withLabel(
          set,
          general[language],
          type[language] ?? name,
          subtype[language] ?? null,
        );
      }
      return { document: { kind: 'type', code, labels }, over: { labels, set } };
    });
  }

  featuresOf(categories: readonly RecordCategory[]): string[] {
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
      const category = this.#labelled(
        'category',
        name,
        [name, occurrence(['category', name])],
        proposed,
      );
      if (before !== undefined && before !== category) {
        this.#after.set(before, (this.#after.get(before) ?? new Set()).add(category));
      }
      before = category;
      for (const value of values) {
        const label = mainLabel(value);
        if (label === '') continue;
        const proposed = `${category}: ${label}`;
        const place = [category, value, occurrence([category, value])];
        const mapped = this.mappedCode('feature', label, proposed);
        const code = mapped ?? this.#labelled('feature', value, place, proposed, { category });
        if (mapped === undefined || !codes.includes(mapped)) codes.push(code);
      }
    }
    return codes;
  }

  isOrientation({ name }: Pick<RecordCategory, 'name'>): boolean {
    return Object.values(name).some((label) => ORIENTATIONS.has(label));
  }

  /** What properties use, with the labels that the feed lacks; categories are in the order in which every record has them. */
  override entries(): VocabularyEntry[] {
    const { categories = [], others = [] } = Object.groupBy(super.entries(), ({ document }) =>
      document.kind === 'category' ? 'categories' : 'others',
    );
    const isBefore = (one: VocabularyEntry, other: VocabularyEntry) =>
      this.#after.get(one.document.code)?.has(other.document.code) ?? false;
    return [...topologicalSort(categories, isBefore), ...others].map((entry) =>
      this.#completed(entry),
    );
  }

  /** An entry of the feed with the built-in labels in the languages that the feed was not requested in. */
  #completed({ document, over }: VocabularyEntry): VocabularyEntry {
    const general = Object.entries(this.#general.get(documentKey(document)) ?? {});
    const others = general.filter(([language]) => !this.#languages.has(language));
    const completed = {
      ...document,
      labels: { ...Object.fromEntries(others), ...document.labels },
    };
    return { document: parseDocument(completed) as VocabularyEntry['document'], over };
  }

  #labelled(
    kind: 'category' | 'feature',
    labels: Labels,
    place: unknown[],
    proposed: string,
    more: object = {},
  ) {
    return this.#code(kind, labels, place, proposed, LABELS.get(proposed) ?? {}, (code) => {
      const document = { kind, code, ...more, labels } as CategoryDocument | FeatureDocument;
      return { document, over: { labels, set: 'both' } };
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
          general[language]?.[main] === type[language] &&
          (general[language]?.[sub] ?? undefined) === subtype[language],
      );
    if (isOf('type', 'subtype')) return 'current';
    return isOf('older_type', 'older_subtype') ? 'older' : 'both';
  }

  /** The code of an entry: the proposed one, unless another entry has it. */
  #code(
    kind: VocabularyEntry['document']['kind'],
    labels: Labels,
    place: unknown[],
    proposed: string,
    general: object,
    make: (code: string) => VocabularyEntry,
  ): string {
    for (const language of Object.keys(labels)) this.#languages.add(language);
    const byLabels = keyOf(kind, JSON.stringify(place));
    const known = this.#codes.get(byLabels);
    if (known !== undefined) return known;
    let code = fitting(proposed);
    for (let number = 2; this.#general.has(keyOf(kind, code)); number++)
      code = fitting(proposed, ` (${number})`);
    this.found.set(keyOf(kind, code), make(code));
    this.#general.set(keyOf(kind, code), general);
    this.#codes.set(byLabels, code);
    return code;
  }
}

function fitting(text: string, end = ''): string {
  return [...text].slice(0, MAX_LABEL_LENGTH - end.length).join('') + end;
}
