import { isEmpty, ownText, sameContent, trimmed, type XmlNode } from '../xml/node.ts';
import type { KyeroReading } from './reading.ts';

/** The first of several elements with the same name, merged with what later ones add to it. */
export function joined(path: string, first: XmlNode, later: XmlNode, reading: KyeroReading): XmlNode {
  if (isEmpty(later)) return first;
  if (isEmpty(first)) return later;
  if (sameContent(first, later)) {
    reading.interpreted(path, 'repeated', later.line, trimmed(later), trimmed(first));
    return first;
  }
  const isContainer = (node: XmlNode) => node.children.length > 0 && ownText(node) === '';
  if (isContainer(first) && isContainer(later)) return { ...first, children: [...first.children, ...later.children] };
  reading.interpreted(path, 'first_of_several', later.line, trimmed(later), trimmed(first));
  return first;
}

/** Children with one of these names; other children and text are reported. */
export function childrenWithNames(node: XmlNode, names: readonly string[], reading: KyeroReading): XmlNode[] {
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
  reading: KyeroReading,
): Partial<Record<Name, XmlNode>> {
  const found: Partial<Record<string, XmlNode>> = {};
  for (const child of childrenWithNames(node, names, reading)) {
    const before = found[child.name];
    found[child.name] = before === undefined ? child : joined(`${node.name}/${child.name}`, before, child, reading);
  }
  return found as Partial<Record<Name, XmlNode>>;
}
