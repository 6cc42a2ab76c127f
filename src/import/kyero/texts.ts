import type { StoredLanguage } from '../../lib/languages.ts';
import { understoodValue } from '../results/notes.ts';
import { readLanguage } from '../values/words.ts';
import { isEmpty, ownText, trimmed, words, type XmlNode } from '../xml/node.ts';
import { joined, type KyeroReading } from './reading.ts';

export type Texts = ReadonlyMap<StoredLanguage, XmlNode>;

/** Converts an element with its language in an attribute to one with a child for the language. */
export function withLanguageChild(node: XmlNode): XmlNode {
  const { language, lang, 'xml:lang': xmlLang, ...attributes } = node.attributes;
  const name = language ?? lang ?? xmlLang;
  if (name === undefined || node.children.some((child) => child.name === name)) return node;
  return { ...node, attributes, text: '', children: [{ ...node, name, attributes: {}, at: 0 }] };
}

/** The texts of a node with one child per language, or with text in an unspecified language. */
export function textsOf(node: XmlNode, reading: KyeroReading): Texts {
  const found = new Map<StoredLanguage, XmlNode>();
  const isMarkup = node.children.every(({ name }) => readLanguage(name, '').value === undefined);
  if (
    ownText(node) !== '' ||
    (node.children.length > 0 && isMarkup && node.children.every(({ name }) => HTML.test(name)))
  ) {
    if (isMarkup) {
      reading.interpreted(node.name, 'plain_text', node.line, trimmed(node), 'en');
      return new Map([['uk', node]]);
    }
    reading.ignored(node.name, node.line);
  }
  for (const child of node.children) {
    if (isEmpty(child)) continue;
    const path = `${node.name}/${child.name}`;
    const understood = readLanguage(child.name, trimmed(child));
    const language = understood.value;
    if (language === undefined) {
      reading.ignored(path, child.line);
      continue;
    }
    const before = found.get(language);
    if (before === undefined) understoodValue(reading, path, child, understood, child.name);
    found.set(language, before === undefined ? child : joined(path, before, child, reading));
  }
  return found;
}

/** HTML elements that may occur in a text, except the two that are also language codes. */
const HTML = /^(p|div|span|strong|b|i|em|u|ul|ol|h[1-6]|table|font|a|center|article|section)$/i;

/** The same as labels, in the languages that have text. */
export function labelsOf(texts: Texts): Partial<Record<StoredLanguage, string>> {
  return Object.fromEntries([...texts].map(([language, node]) => [language, words(trimmed(node))]));
}
