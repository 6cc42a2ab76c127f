import type { StoredLanguage } from '../../../lib/languages.ts';
import { readLanguage } from '../values/language.ts';
import { isEmpty, ownText, trimmed, words, type XmlNode } from '../xml/node.ts';
import { understoodValue } from '../xml/reporting.ts';
import { joined } from './children.ts';
import type { KyeroReading } from './reading.ts';

export type Texts = ReadonlyMap<StoredLanguage, XmlNode>;

/** An element that says its language in an attribute, as one that has a child for it. */
export function withLanguageChild(node: XmlNode): XmlNode {
  const { language, lang, 'xml:lang': xmlLang, ...attributes } = node.attributes;
  const name = language ?? lang ?? xmlLang;
  if (name === undefined || node.children.some((child) => child.name === name)) return node;
  return { ...node, attributes, text: '', children: [{ ...node, name, attributes: {}, at: 0 }] };
}

/** The texts of a node that has one child for each language, or is a text in no language that it names. */
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

/** Elements of HTML that a text may consist of, without the two that are codes of languages as well. */
const HTML = /^(p|div|span|strong|b|i|em|u|ul|ol|h[1-6]|table|font|a|center|article|section)$/i;

/** The same as labels: words, in the languages that have any. */
export function labelsOf(texts: Texts): Partial<Record<StoredLanguage, string>> {
  return Object.fromEntries([...texts].map(([language, node]) => [language, words(trimmed(node))]));
}
