import type { DocumentProblem } from '../../portfolio/documents.ts';
import type { XmlNode } from '../xml/node.ts';
import type { Input } from './nodes.ts';
import type { KyeroReading } from './reading.ts';

/** Texts that remain useful when truncated, with their maximum length in characters. */
const CHARACTERS: Readonly<Record<string, number>> = {
  ref: 255,
  town: 200,
  area: 200,
  province: 200,
  country: 200,
  commission: 200,
  address: 500,
  floor: 200,
  title: 500,
};

/** The same, with the maximum length in bytes. */
const BYTES: Readonly<Record<string, number>> = { description: 65_536, notes: 65_536 };

/**
 * The fields of a document without values that cannot be stored: texts that are too long are truncated, others are
 * omitted. An invalid identifier remains, so that the record is rejected.
 *
 * @param problems the problems of the fields
 */
export function withinBounds(
  given: Input,
  problems: readonly DocumentProblem[],
  node: XmlNode,
  reading: KyeroReading,
): Input {
  const fixed = structuredClone(given) as unknown as Fields;
  for (const { field } of problems) {
    const path = field.split('.');
    const name = path.at(-1)!;
    if (field === 'id') continue;
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], fixed) as
      | Fields
      | undefined;
    // An invalid entry of a list or a pair was already reported, or invalidates the rest of it.
    const value = holder?.[name];
    const text = typeof value === 'string' ? cut(name, value) : undefined;
    if (text !== undefined && holder !== undefined) holder[name] = text;
    else delete fixed[path[0]!];
    reading.interpreted(field, text === undefined ? 'out_of_bounds' : 'cut', node.line, String(value), text);
  }
  return fixed as unknown as Input;
}

type Fields = Record<string, unknown>;

function cut(name: string, text: string): string | undefined {
  const whole = text.toWellFormed();
  if (name in BYTES) {
    const bytes = new TextEncoder().encode(whole);
    if (bytes.length <= BYTES[name]!) return whole;
    // A truncated multi-byte character is decoded as U+FFFD, which is removed.
    return new TextDecoder().decode(bytes.subarray(0, BYTES[name]!)).replace(/\ufffd+$/, '');
  }
  return name in CHARACTERS ? [...whole].slice(0, CHARACTERS[name]!).join('') : undefined;
}
