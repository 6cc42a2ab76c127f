import type { StoredLanguage } from '../../../lib/languages.ts';
import { isDetailOf } from '../../../vocabulary/kyero.ts';
import type { FeatureName, Vocabulary } from '../../pipeline/names.ts';
import type { Reporting } from '../../pipeline/notes.ts';
import { readAnswerTo, readStatement } from '../../values/statement.ts';
import { readLanguage } from '../../values/words.ts';
import { childText, isEmpty, ownText, trimmed, words, type XmlNode } from '../../xml/node.ts';
import { childrenWithNames, joined, understoodValue } from '../../xml/reading.ts';
import { LANGUAGE_ATTRIBUTES, singleText } from '../../xml/value.ts';

/** HTML elements that may occur in a text, except the two that are also language codes. */
const HTML = /^(p|div|span|strong|b|i|em|u|ul|ol|h[1-6]|table|font|a|center|article|section)$/i;

/** The texts of a node with one child per language, or with text in an unspecified language. */
export function textsOf(node: XmlNode, reporting: Reporting): ReadonlyMap<StoredLanguage, XmlNode> {
  const found = new Map<StoredLanguage, XmlNode>();
  const isMarkup = node.children.every(
    (child) => readLanguage(languageOf(child), '').value === undefined,
  );
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
    const code = languageOf(child);
    const understood = readLanguage(code, trimmed(child));
    const language = understood.value;
    if (language === undefined) reporting.ignored(path, child.line);
    else {
      const before = found.get(language);
      if (before === undefined) understoodValue(reporting, path, child, understood, code);
      found.set(language, joined(path, before, child, reporting));
    }
  }
  return found;
}

/** The language of a text: `<es>…</es>`, or `<description lang="es">…</description>`. */
function languageOf({ name, attributes }: XmlNode): string {
  const attribute = LANGUAGE_ATTRIBUTES.find((one) => attributes[one] !== undefined);
  return attribute === undefined ? name : attributes[attribute]!;
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
 * The features in a node, whether plain or by language: the codes of their entries, in order,
 * without repetitions; the status and the subtype among them.
 *
 * @param type the record's own type: a feature that is more specific is its subtype
 */
export function featuresOf(
  node: XmlNode,
  type: string,
  vocabulary: Vocabulary,
  reporting: Reporting,
) {
  const { path, nodes } = featureNodes(node, reporting);
  const all = nodes.flatMap((child) => featureName(child, path, vocabulary, reporting) ?? []);
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
 * One element per feature, or one for each language with them; a text without elements is a list of
 * features. RedSP has elements that are named after features, with a 1 or a 0.
 */
function featureNodes(
  node: XmlNode,
  reporting: Reporting,
): { readonly path: string; readonly nodes: XmlNode[] } {
  const text = ownText(node);
  const filled = node.children.filter((child) => !isEmpty(child));
  if (text === '' && filled.length > 0 && filled.every(isLanguage)) {
    const list = filled.find(({ name }) => /^(en|uk)$/i.test(name)) ?? filled[0]!;
    for (const other of filled)
      if (other !== list) reporting.ignored(`${node.name}/${other.name}`, other.line);
    return featureNodes({ ...list, name: `${node.name}/${list.name}` }, reporting);
  }
  if (node.children.length > 0 || text === '') {
    const children = node.children.flatMap(flagAsFeature);
    const nodes = childrenWithNames({ ...node, children }, ['feature'], reporting);
    return { path: `${node.name}/feature`, nodes };
  }
  const names = text.split(/[,;|\n]/).map((name) => name.trim());
  reporting.interpreted(node.name, 'text_split', node.line, text, names.join(' | '));
  const nodes = names.filter((name) => name !== '').map((name) => ({ ...node, text: name }));
  return { path: node.name, nodes };
}

function isLanguage({ name }: XmlNode): boolean {
  return readLanguage(name, '').value !== undefined;
}

/**
 * An element that is named after a feature and says whether there is one, as a feature or nothing.
 */
function flagAsFeature(child: XmlNode): XmlNode[] {
  const isFlag = child.name !== 'feature' && child.children.length === 0;
  const isPresent = isFlag ? readAnswerTo(child.name, trimmed(child)) : undefined;
  if (isPresent === undefined) return [child];
  return isPresent ? [{ ...child, name: 'feature', text: child.name.replaceAll('_', ' ') }] : [];
}

function featureName(
  node: XmlNode,
  path: string,
  vocabulary: Vocabulary,
  reporting: Reporting,
): FeatureName | undefined {
  const cut = (text: string) => nameOf(text, path, node, reporting);
  if (ownText(node) === '' && node.children.length > 0 && node.children.every(isLanguage)) {
    const texts = [...textsOf(node, reporting)].map(
      ([language, text]) => [language, cut(trimmed(text))] as const,
    );
    const labels: NonNullable<FeatureName['labels']> = Object.fromEntries(texts);
    const name = labels.uk ?? texts[0]?.[1];
    return name === undefined ? undefined : { name, labels };
  }
  const text = statedText(node, path, reporting);
  if (text === '') return undefined;
  if (vocabulary.isFeature(words(text))) return { name: cut(text) };
  // An answer to something that stands elsewhere is no name of a feature.
  if (readAnswerTo('', text) !== undefined || /^\d+$/.test(text)) {
    reporting.interpreted(path, 'unreadable', node.line, text, undefined);
    return undefined;
  }
  const { name, isPresent } = readStatement(words(text), (one) => vocabulary.isFeature(one));
  if (name !== words(text))
    reporting.interpreted(path, 'stated', node.line, text, isPresent ? name : undefined);
  return isPresent ? { name: cut(name) } : undefined;
}

/**
 * The text of a feature; its name and its value joined if it has both, as
 * `<feature name="Pool">no</feature>`.
 */
function statedText(node: XmlNode, path: string, reporting: Reporting): string {
  const [name, value] = (['name', 'value'] as const).map(
    (part) => node.attributes[part]?.trim() || childText(node, part),
  );
  const answer = ownText(node) || value;
  if (name && answer) return name === answer ? name : `${name}: ${answer}`;
  return singleText(node, path, reporting) ?? '';
}
