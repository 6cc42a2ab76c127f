import { escapeXml, withTags } from '../../../lib/bytes/xml.ts';
import { LANGUAGES, STORED_LANGUAGES, type StoredLanguage } from '../../../lib/languages.ts';
import type { TypeDocument } from '../../../properties/documents.ts';
import { ORIENTATION } from '../../../vocabulary/orientation.ts';
import type { VocabularyRead } from '../../../vocabulary/stored.ts';

/** An account's vocabulary as the XML that every record repeats, rendered once. */
export interface Dictionary {
  readonly revision: string;
  readonly languages: readonly number[];
  /** By the code of the type, in the current set of types and in the older one. */
  readonly currentTypes: ReadonlyMap<string, string>;
  readonly olderTypes: ReadonlyMap<string, string>;
  /** By the code of the feature. */
  readonly features: ReadonlyMap<string, Feature>;
  /** The orientation, which may come from a unit, comes before all others. */
  readonly categories: readonly Category[];
}

interface Feature {
  /** The place of its category among the categories. */
  readonly category: number;
  readonly value: string;
}

interface Category {
  readonly code: string;
  readonly isOrientation: boolean;
  readonly name: string;
}

/** Texts by the numbers of their languages, English first. */
type Labels = ReadonlyMap<number, string>;

type TypeLabel = NonNullable<TypeDocument['labels'][StoredLanguage]>;

/** Renders a vocabulary for some languages: codes 1 to 10, ascending. */
export function renderDictionary(
  vocabulary: VocabularyRead,
  languages: readonly number[],
): Dictionary {
  const typesIn = (type: 'type' | 'older_type', subtype: 'subtype' | 'older_subtype') =>
    new Map(
      vocabulary.types.map(({ code, labels }) => {
        const types = labelsOf(labels, (label: TypeLabel) => label[type]);
        const subtypes = labelsOf(labels, (label: TypeLabel) => label[subtype]);
        return [code, typeNodes(code, types, subtypes, languages)] as const;
      }),
    );
  const named = vocabulary.categories.map(({ code, labels }) => ({
    code,
    isOrientation: code === ORIENTATION,
    name: withTags('name', requiredLabel(languages, labelsOf(labels), code)),
  }));
  const categories = named.sort((a, b) => Number(b.isOrientation) - Number(a.isOrientation));
  const places = new Map(categories.map(({ code }, place) => [code, place]));
  const features = new Map<string, Feature>();
  for (const { code, category, labels } of vocabulary.features) {
    const place = places.get(category);
    const value = labelled(languages, labelsOf(labels));
    if (place !== undefined && value !== '')
      features.set(code, { category: place, value: withTags('value', value) });
  }
  return {
    revision: vocabulary.revision,
    languages,
    currentTypes: typesIn('type', 'subtype'),
    olderTypes: typesIn('older_type', 'older_subtype'),
    features,
    categories,
  };
}

/** A type that the vocabulary lacks: its code. */
export function unknownType(code: string, languages: readonly number[]): string {
  return typeNodes(code, new Map(), new Map(), languages);
}

function typeNodes(
  code: string,
  types: Labels,
  subtypes: Labels,
  languages: readonly number[],
): string {
  const subtype = labelled(languages, subtypes);
  return (
    withTags('type', requiredLabel(languages, types, code)) +
    (subtype && withTags('subtype', subtype))
  );
}

/** Labels by language, those that XML can represent, in the order of the languages: English first. */
function labelsOf<Label>(
  labels: Readonly<Partial<Record<StoredLanguage, Label>>>,
  textOf: (label: Label) => string | null = String,
): Labels {
  const found = new Map<number, string>();
  for (const { code, element } of STORED_LANGUAGES) {
    const label = labels[element];
    const text = label === undefined ? null : textOf(label);
    if (text !== null && escapeXml(text) !== '') found.set(code, text);
  }
  return found;
}

/** Shown for an entry without labels whose code XML cannot represent. */
const UNNAMED = '-';

/** The labels of an entry, or else its code: readers reject a node without children. */
function requiredLabel(languages: readonly number[], labels: Labels, code: string): string {
  return labelled(languages, labels, escapeXml(code) === '' ? UNNAMED : code);
}

/** A child for each language: the label in that language, else the first. */
function labelled(languages: readonly number[], labels: Labels, unlabelled?: string): string {
  const [first = unlabelled] = labels.values();
  return inLanguages(languages, (language) => labels.get(language) ?? first);
}

/** One child per language that has a text, in the order of the codes. */
export function inLanguages(
  languages: readonly number[],
  text: (language: number, index: number) => string | null | undefined,
): string {
  let children = '';
  languages.forEach((language, index) => {
    const escaped = escapeXml(text(language, index) ?? '');
    const { element } = LANGUAGES[language - 1]!;
    if (escaped !== '') children += `<${element}>${escaped}</${element}>`;
  });
  return children;
}
