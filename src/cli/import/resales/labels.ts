import { STORED_LANGUAGES, type StoredLanguage } from '../../../lib/languages.ts';
import { trimmed, type XmlNode } from '../xml/node.ts';

/** A text in each language that has one. */
export type Labels = Partial<Record<StoredLanguage, string>>;

const ELEMENTS: ReadonlyMap<string, StoredLanguage> = new Map([
  ...STORED_LANGUAGES.map(({ element }) => [element, element] as const),
  // As the sibling format has it.
  ['en', 'uk'],
]);

/** Characters of a label. */
const LONGEST = 200;

/** The labels of a node that has one child for each language; a text alone is English. */
export function labelsOf(node: XmlNode | undefined): Labels {
  if (node === undefined) return {};
  const labels: Labels = {};
  for (const child of node.children) {
    const language = ELEMENTS.get(child.name);
    const text = rawText(child);
    if (language !== undefined && text.trim() !== '') labels[language] ??= [...text].slice(0, LONGEST).join('');
  }
  const text = node.text.trim();
  return text === '' || Object.keys(labels).length > 0 ? labels : { uk: [...text].slice(0, LONGEST).join('') };
}

/** The label that stands for all of them: the English one, else the first. */
export function mainLabel(labels: Labels): string {
  return labels.uk ?? Object.values(labels)[0] ?? '';
}

/** The text of a node as it stands, so that the feed shows it again byte by byte. */
export function rawText(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return node.children.length === 0 ? node.text : trimmed(node);
}
