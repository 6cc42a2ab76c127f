import type { StoredLanguage } from '../../../lib/languages.ts';
import { isDetailOf } from '../../../vocabulary/kyero.ts';
import type { FeatureName, Vocabulary } from '../../pipeline/names.ts';
import type { Reporting } from '../../pipeline/notes.ts';
import { readPresence } from '../../values/flag.ts';
import { readAnswerTo, readStatement } from '../../values/statement.ts';
import { furthest, statusAmongFeatures } from '../../values/status.ts';
import { readLanguage } from '../../values/words.ts';
import {
  isEmpty,
  isMarkup,
  markupOf,
  ownText,
  trimmed,
  words,
  type XmlNode,
} from '../../xml/node.ts';
import { childrenWithNames, joined, understoodValue } from '../../xml/reading.ts';
import { isAnswering, isHarmless, isSorting, LANGUAGE_ATTRIBUTES } from '../../xml/value.ts';

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

/**
 * The features in a node, whether plain or by language: the codes of their entries, in order,
 * without repetitions; those that it denies, which are not features of it whatever else names them; the status and the
 * subtype among them.
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
  const denied: FeatureName[] = [];
  const all = nodes.flatMap(
    (child) => featureName(child, path, vocabulary, reporting, denied) ?? [],
  );
  const subtype = all.find(({ name }) => isDetailOf(type, name));
  const statuses = all.map(({ name }) =>
    vocabulary.isFeature(name) ? undefined : statusAmongFeatures(name),
  );
  const names = all.filter((feature, at) => feature !== subtype && statuses[at] === undefined);
  const without = vocabulary.codesOf(denied.filter(({ name }) => vocabulary.isFeature(name)));
  const codes = [...new Set(vocabulary.codesOf(names))].filter((code) => !without.includes(code));
  return {
    isGiven: !isEmpty(node),
    codes,
    denied: without,
    status: furthest(statuses),
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
    return { path: `${node.name}/feature`, nodes: nodes.map((one) => inList(one, node)) };
  }
  // Whether a heading or a bracket concerns one of the names or all of them is not known.
  if (OF_ALL.test(text)) {
    reporting.interpreted(node.name, 'unreadable', node.line, text, undefined);
    return { path: node.name, nodes: [] };
  }
  const names = text.split(/[,;|\n\t•·●▪■‣◦]/).map((name) => name.trim());
  reporting.interpreted(node.name, 'text_split', node.line, text, names.join(' | '));
  const nodes = names
    .filter((name) => name !== '')
    .map((name) => ({ ...node, attributes: {}, text: name }));
  return { path: node.name, nodes: nodes.map((one) => inList(one, node)) };
}

/** A list in JSON, or one under a heading: `No: pool, garden`. */
const OF_ALL =
  /^\s*(\{|(no|not|without|sin|ohne|sans|kein|keine|geen|ingen|senza|sem|uden|utan|uten|near(by)?|cerca)\s*:)/i;

/** A feature, of which what its list says is true as well: `<features available="0">`. */
function inList(
  feature: XmlNode,
  { attributes: { name: group = '', value: available = '', ...attributes } }: XmlNode,
): XmlNode {
  const own = { ...(group !== '' && { group }), ...(available !== '' && { available }) };
  return { ...feature, attributes: { ...own, ...attributes, ...feature.attributes } };
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
  denied: FeatureName[],
): FeatureName | undefined {
  const cut = (text: string) => nameOf(text, path, node, reporting);
  const parts = partsOf(node);
  const isTwice = new Set(parts.map(([key]) => key)).size < parts.length;
  const { name: named = '', value = '', ...others } = Object.fromEntries(parts);
  const own = trimmed({ ...node, children: node.children.filter(isMarkup) });
  const isByLanguage = own === '' && named === '' && node.children.some(isLanguage);
  const label = named || own || value;
  const answers = Object.entries(others).map(([key, text]) => saidOf(key, text));
  const isAbsent = answers.includes(false);
  if (
    isAbsent ||
    isTwice ||
    answers.includes(undefined) ||
    (label === '' && answers.length > 0 && !isByLanguage)
  ) {
    reporting.interpreted(
      path,
      isAbsent ? 'stated' : 'unreadable',
      node.line,
      markupOf(node, true),
      undefined,
    );
    return undefined;
  }
  if (isByLanguage) {
    const texts = [...textsOf(node, reporting)].map(
      ([language, text]) => [language, cut(trimmed(text))] as const,
    );
    const labels: NonNullable<FeatureName['labels']> = Object.fromEntries(texts);
    const main = labels.uk ?? texts[0]?.[1];
    const names = texts.map(([, text]) =>
      statedName(text, node, path, vocabulary, reporting, denied),
    );
    const name = names[texts.findIndex(([, text]) => text === main)];
    return name === undefined || names.includes(undefined) ? undefined : { name, labels };
  }
  const answer = [own, value].find((one) => one !== '' && one !== label) ?? '';
  const text = words(answer === '' ? label : `${label}: ${answer}`);
  if (text === '') return undefined;
  const name = statedName(text, node, path, vocabulary, reporting, denied);
  return name === undefined ? undefined : { name: cut(name) };
}

/** The name of the feature that a text states; `undefined` if it states that there is none, or cannot be read. */
function statedName(
  text: string,
  node: XmlNode,
  path: string,
  vocabulary: Vocabulary,
  reporting: Reporting,
  denied: FeatureName[],
): string | undefined {
  const { name, isPresent } = readStatement(text, (one) => vocabulary.isFeature(one));
  const isAnswer = readAnswerTo('', text) !== undefined || /^\d+$/.test(text);
  // An answer to something that stands elsewhere is no name of a feature.
  if (isPresent === undefined || (isAnswer && !vocabulary.isFeature(text))) {
    reporting.interpreted(path, 'unreadable', node.line, text, undefined);
    return undefined;
  }
  if (!isPresent) denied.push({ name });
  if (name !== text)
    reporting.interpreted(path, 'stated', node.line, text, isPresent ? name : undefined);
  return isPresent ? name : undefined;
}

/** What the attributes and the elements of a feature say, by their names. */
function partsOf({ attributes, children }: XmlNode): (readonly [name: string, text: string])[] {
  const inElements = children.filter((child) => !isMarkup(child) && !isLanguage(child));
  return [
    ...inElements.map((child) => [child.name, trimmed(child)] as const),
    ...Object.entries(attributes).flatMap(([name, text]) =>
      text.trim() === '' ? [] : [[name, text.trim()] as const],
    ),
  ];
}

/**
 * Whether a part of a feature says that there is one; `undefined` if that cannot be read, and `true` if it says nothing of it:
 * `enabled="false"`, `<planned/>`, `category="Nearby"`, `distance="200"`.
 */
function saidOf(name: string, text: string): boolean | undefined {
  const isPresent = readPresence(text === '' ? name : text).value;
  if (isPresent === false && /\p{L}/u.test(text || name)) return false;
  if (isHarmless(name, text) || isSorting(name)) return true;
  return isAnswering(name) ? isPresent : undefined;
}
