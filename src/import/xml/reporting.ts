import type { InterpretationKind, Understood } from '../values/interpretation.ts';
import { trimmed, type XmlNode } from './node.ts';

/** Receives reports about a record. */
export interface Reporting {
  /** Reports a node that is not imported, by its path. */
  ignored(path: string, line: number): void;
  /** Reports a node that was understood though it is not as specified. */
  interpreted(path: string, kind: InterpretationKind, line: number, text: string, as: unknown): void;
}

/** The interpreted value of a node; interpretations are reported. */
export function understoodValue<Value>(
  reporting: Reporting,
  path: string,
  node: XmlNode,
  understood: Understood<Value>,
  text = trimmed(node),
): Value | undefined {
  if (understood.how !== undefined) reporting.interpreted(path, understood.how, node.line, text, understood.value);
  return understood.value;
}

/** The value of a node; `null` if the node is empty. */
export function optionalValue<Value>(
  reporting: Reporting,
  path: string,
  node: XmlNode | undefined,
  read: (text: string) => Understood<Value>,
): Value | undefined {
  const text = node === undefined ? '' : trimmed(node);
  return node === undefined || text === '' ? undefined : understoodValue(reporting, path, node, read(text), text);
}
