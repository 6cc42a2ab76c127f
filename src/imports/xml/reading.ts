import { isShortName } from '../../lib/short-name.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { UNREADABLE, type Understood } from '../values/interpretation.ts';
import { isEmpty, ownText, sameContent, trimmed, type XmlNode } from './node.ts';
import { singleValue } from './value.ts';

export function understoodValue<Value>(
  reporting: Reporting,
  path: string,
  node: XmlNode,
  understood: Understood<Value>,
  text = trimmed(node),
): Value | undefined {
  if (understood.how !== undefined)
    reporting.interpreted(path, understood.how, node.line, text, understood.value);
  return understood.value;
}

/**
 * Characters of the longest value that is not prose: interpreting longer ones could take the square
 * of their length.
 */
const MAX_VALUE_LENGTH = 2_000;

/**
 * The interpreted value of a node; `undefined` if there is none, or it is empty.
 *
 * @param elementOf the element that has the value
 */
export function optionalValue<Value>(
  reporting: Reporting,
  path: string,
  node: XmlNode | undefined,
  read: (text: string) => Understood<Value>,
  elementOf: typeof singleValue = singleValue,
): Value | undefined {
  const value = node && elementOf(node, path, reporting);
  const text = trimmed(value);
  if (node === undefined || text === '') return undefined;
  return understoodValue(
    reporting,
    path,
    node,
    text.length > MAX_VALUE_LENGTH ? UNREADABLE : read(text),
    text,
  );
}

/** The first of several elements with the same name, merged with what later ones add to it. */
export function joined(
  path: string,
  first: XmlNode | undefined,
  later: XmlNode,
  reporting: Reporting,
): XmlNode {
  if (first === undefined || isEmpty(first)) return later;
  if (isEmpty(later)) return first;
  const isContainer = (node: XmlNode) => node.children.length > 0 && ownText(node) === '';
  const isSame = sameContent(first, later);
  if (!isSame && isContainer(first) && isContainer(later)) {
    return { ...first, children: [...first.children, ...later.children] };
  }
  reporting.interpreted(
    path,
    isSame ? 'repeated' : 'first_of_several',
    later.line,
    trimmed(later),
    trimmed(first),
  );
  return first;
}

/** Children with one of these names; other children and text are reported. */
export function childrenWithNames(
  node: XmlNode | undefined,
  names: readonly string[],
  reporting: Reporting,
): XmlNode[] {
  if (node === undefined) return [];
  if (ownText(node) !== '') reporting.ignored(node.name, node.line);
  return node.children.filter((child) => {
    if (names.includes(child.name)) return true;
    if (!isEmpty(child)) reporting.ignored(`${node.name}/${child.name}`, child.line);
    return false;
  });
}

/**
 * The children with these names, by name; each should occur once.
 *
 * @param aliases other names for some of them
 */
export function childrenByName<Name extends string>(
  node: XmlNode,
  names: readonly Name[],
  reporting: Reporting,
  aliases: Readonly<Record<string, string>> = {},
): Partial<Record<Name, XmlNode>> {
  const found: Partial<Record<string, XmlNode>> = {};
  const all = [...names, ...Object.keys(aliases)];
  for (const child of childrenWithNames(node, all, reporting)) {
    const name = aliases[child.name] ?? child.name;
    found[name] = joined(`${node.name}/${child.name}`, found[name], child, reporting);
  }
  return found as Partial<Record<Name, XmlNode>>;
}

/**
 * The channels that a node of a record assigns its property to: one for each `channel` in it, or a
 * list in one text. No format has this node; it is for programs that know the account's channels.
 */
export function channelsOf(node: XmlNode, reporting: Reporting): string[] {
  const texts = ownText(node).split(/[,;|\s]+/);
  const children =
    node.children.length === 0
      ? texts.map((text) => ({ ...node, text }))
      : childrenWithNames({ ...node, text: '' }, ['channel'], reporting);
  return children.flatMap((child) => {
    const text = trimmed(child);
    const name = channelName(text);
    if (name !== undefined) return [name];
    if (text !== '')
      reporting.interpreted('channels/channel', 'unreadable', child.line, text, undefined);
    return [];
  });
}

/** The name of a channel, in lower case; `undefined` if no channel can have it. */
export function channelName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return isShortName(name) ? name : undefined;
}
