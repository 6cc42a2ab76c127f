import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import { trimmed, type XmlNode } from '../xml/node.ts';

/** A text in each language that has one. */
export type Labels = Partial<Record<StoredLanguage, string>>;

/** Languages by the names of elements; `en` is that of Kyero's format. */
const ELEMENTS: ReadonlyMap<string, StoredLanguage> = new Map([
  ...STORED_LANGUAGES.map(({ element }) => [element, element] as const),
  ['en', 'uk'],
]);

/** Maximum length of a label. */
const LONGEST = 200;

/** The labels of a node with one child per language; plain text is English. */
export function labelsOf(node: XmlNode | undefined): Labels {
  const labels: Labels = {};
  for (const child of node?.children ?? []) {
    const language = ELEMENTS.get(child.name);
    const text = rawText(child);
    if (language !== undefined && text.trim() !== '') labels[language] ??= cut(text);
  }
  const text = node?.text.trim() ?? '';
  return text === '' || Object.keys(labels).length > 0 ? labels : { uk: cut(text) };
}

function cut(text: string): string {
  return [...text].slice(0, LONGEST).join('');
}

/** The label that represents all of them: the English one, else the first. */
export function mainLabel(labels: Labels): string {
  return labels.uk ?? Object.values(labels)[0] ?? '';
}

/** The unchanged text of a node, so that the feed reproduces it byte for byte. */
export function rawText(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return node.children.length === 0 ? node.text : trimmed(node);
}
