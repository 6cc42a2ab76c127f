import type { InterpretationKind, Understood } from '../values/interpretation.ts';
import { trimmed, type XmlNode } from '../xml/node.ts';
import type { KyeroVocabulary } from './names.ts';

/** What reading a record needs beside it. */
export interface KyeroReading {
  readonly vocabulary: KyeroVocabulary;
  /** When a property without a date counts as listed: ISO 8601, whole seconds of UTC. */
  readonly now: string;
  /** Reports a node that is not imported, by its path. */
  ignored(path: string, line: number): void;
  /** Reports a node that was understood though it is not as specified. */
  interpreted(path: string, kind: InterpretationKind, line: number, text: string, as: unknown): void;
}

/** The value of a node as it was understood; an interpretation is reported. */
export function understoodValue<Value>(
  reading: KyeroReading,
  path: string,
  node: XmlNode,
  understood: Understood<Value>,
  text = trimmed(node),
): Value | undefined {
  if (understood.how !== undefined) reading.interpreted(path, understood.how, node.line, text, understood.value);
  return understood.value;
}

/** The value of a node that is absent where it is empty. */
export function optionalValue<Value>(
  reading: KyeroReading,
  path: string,
  node: XmlNode | undefined,
  read: (text: string) => Understood<Value>,
): Value | undefined {
  const text = node === undefined ? '' : trimmed(node);
  return node === undefined || text === '' ? undefined : understoodValue(reading, path, node, read(text), text);
}
