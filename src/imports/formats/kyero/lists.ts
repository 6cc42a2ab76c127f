import type { StoredLanguage } from '../../../lib/languages.ts';
import { isDetailOf } from '../../../vocabulary/kyero.ts';
import type { FeatureName, Vocabulary } from '../../pipeline/names.ts';
import type { Reporting } from '../../pipeline/notes.ts';
import { readLanguage } from '../../values/words.ts';
import { isEmpty, ownText, trimmed, words, type XmlNode } from '../../xml/node.ts';
import { childrenWithNames, joined, understoodValue } from '../../xml/reading.ts';

/** HTML elements that may occur in a text, except the two that are also language codes. */
const HTML = /^(p|div|span|strong|b|i|em|u|ul|ol|h[1-6]|table|font|a|center|article|section)$/i;

/** The texts of a node with one child per language, or with text in an unspecified language. */
export function textsOf(node: XmlNode, reporting: Reporting): ReadonlyMap<StoredLanguage, XmlNode> {
  const found = new Map<StoredLanguage, XmlNode>();
  const isMarkup = node.children.every(({ name }) => readLanguage(name, '').value === undefined);
  const isText = ownText(node) !== '';
  if (
    isMarkup &&
    (isText || (node.children.length > 0 && node.children.every(({ name }) => HTML.test(name))))
  ) {
    reporting.interpreted(node.name, 'plain_text', node.line, trimmed(node), 'en');
    return new Map([['uk', node]]);
  }
  if (isText) reporting.ignored(node.name, node.line);
  for (const child of node.children) {
    if (isEmpty(child)) continue;
    const path = `${node.name}/${child.name}`;
    const understood = readLanguage(child.name, trimmed(child));
    const language = understood.value;
    if (language === undefined) reporting.ignored(path, child.line);
    else {
      const before = found.get(language);
      if (before === undefined) understoodValue(reporting, path, child, understood, child.name);
      found.set(language, joined(path, before, child, reporting));
    }
  }
  return found;
}

const MAX_NAME_LENGTH = 200;

/** A name with single spaces; one that is too long is cut, and reported. */
export function nameOf(text: string, path: string, node: XmlNode, reporting: Reporting): string {
  const name = words(text);
  const letters = [...name];
  if (letters.length <= MAX_NAME_LENGTH) return name;
  reporting.interpreted(path, 'cut', node.line, name, `${MAX_NAME_LENGTH} characters`);
  return letters.slice(0, MAX_NAME_LENGTH).join('').trim();
}

/** Kyero has no node for the status of a property: feeds of this service state it as a feature. */
const STATUSES = ['Under Offer', 'Sale Agreed'] as const;

/**
 * The features in a node, whether plain or by language: the codes of their entries, in order, without repetitions; the status
 * and the subtype among them.
 *
 * @param type the record's own type: a feature that is more specific is its subtype
 */
export function featuresOf(
  node: XmlNode,
  type: string,
  vocabulary: Vocabulary,
  reporting: Reporting,
) {
  const all = featureNodes(node, reporting).flatMap((child) => featureName(child, reporting) ?? []);
  const subtype = all.find(({ name }) => isDetailOf(type, name));
  const names = all.filter(
    (feature) => feature !== subtype && !STATUSES.some((status) => status === feature.name),
  );
  return {
    isGiven: !isEmpty(node),
    codes: [...new Set(vocabulary.codesOf(names))],
    status: STATUSES.find((status) => all.some(({ name }) => name === status)),
    subtype: subtype?.name,
  };
}

/**
 * One element per feature; a text without elements is a list of features. RedSP has elements that are named after features, with
 * a 1 or a 0.
 */
function featureNodes(node: XmlNode, reporting: Reporting): XmlNode[] {
  const text = ownText(node);
  if (node.children.length > 0 || text === '') {
    const isFlag = (child: XmlNode, value: string) =>
      child.name !== 'feature' && trimmed(child) === value;
    const children = node.children
      .filter((child) => !isFlag(child, '0'))
      .map((child) =>
        isFlag(child, '1')
          ? { ...child, name: 'feature', text: child.name.replaceAll('_', ' ') }
          : child,
      );
    return childrenWithNames({ ...node, children }, ['feature'], reporting);
  }
  const names = text.split(/[,;|\n]/).map((name) => name.trim());
  reporting.interpreted(node.name, 'text_split', node.line, text, names.join(' | '));
  return names.filter((name) => name !== '').map((name) => ({ ...node, text: name }));
}

function featureName(node: XmlNode, reporting: Reporting): FeatureName | undefined {
  const cut = (text: string) => nameOf(text, 'features/feature', node, reporting);
  if (ownText(node) !== '') return { name: cut(ownText(node)) };
  const texts = [...textsOf(node, reporting)].map(
    ([language, text]) => [language, cut(trimmed(text))] as const,
  );
  const labels: NonNullable<FeatureName['labels']> = Object.fromEntries(texts);
  const name = labels.uk ?? texts[0]?.[1];
  return name === undefined ? undefined : { name, labels };
}
