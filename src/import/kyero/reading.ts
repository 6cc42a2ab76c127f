import type { KyeroVocabulary } from '../names/names.ts';
import type { Reporting } from '../results/notes.ts';
import { isEmpty, ownText, sameContent, trimmed, type XmlNode } from '../xml/node.ts';

/** What is needed to read a record, in addition to the record. */
export interface KyeroReading extends Reporting {
  readonly vocabulary: KyeroVocabulary;
  /** The record's own type, by which a feature that says more of it is known. */
  readonly type: string;
}

/** The first of several elements with the same name, merged with what later ones add to it. */
export function joined(path: string, first: XmlNode, later: XmlNode, reading: Reporting): XmlNode {
  if (isEmpty(later)) return first;
  if (isEmpty(first)) return later;
  const isContainer = (node: XmlNode) => node.children.length > 0 && ownText(node) === '';
  const isSame = sameContent(first, later);
  if (!isSame && isContainer(first) && isContainer(later)) {
    return { ...first, children: [...first.children, ...later.children] };
  }
  reading.interpreted(path, isSame ? 'repeated' : 'first_of_several', later.line, trimmed(later), trimmed(first));
  return first;
}

/** Children with one of these names; other children and text are reported. */
export function childrenWithNames(node: XmlNode, names: readonly string[], reading: Reporting): XmlNode[] {
  if (ownText(node) !== '') reading.ignored(node.name, node.line);
  return node.children.filter((child) => {
    if (names.includes(child.name)) return true;
    if (!isEmpty(child)) reading.ignored(`${node.name}/${child.name}`, child.line);
    return false;
  });
}

/** Such children by name; each should occur once. */
export function childrenByName<Name extends string>(
  node: XmlNode,
  names: readonly Name[],
  reading: Reporting,
): Partial<Record<Name, XmlNode>> {
  const found: Partial<Record<string, XmlNode>> = {};
  for (const child of childrenWithNames(node, names, reading)) {
    const before = found[child.name];
    found[child.name] = before === undefined ? child : joined(`${node.name}/${child.name}`, before, child, reading);
  }
  return found as Partial<Record<Name, XmlNode>>;
}
