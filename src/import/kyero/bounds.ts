import type { DocumentProblem } from '../../portfolio/documents.ts';
import type { Reporting } from '../results/notes.ts';
import type { XmlNode } from '../xml/node.ts';
import type { Input } from './nodes.ts';

/** Texts that remain useful when truncated. */
const TRUNCATED: ReadonlySet<string> = new Set([
  ...['ref', 'town', 'area', 'province', 'country', 'commission', 'address', 'floor', 'title', 'description', 'notes'],
]);

type Fields = Record<string, unknown>;

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
  reporting: Reporting,
): Input {
  const fixed = structuredClone(given) as unknown as Fields;
  for (const { field, detail } of problems) {
    if (field === 'id') continue;
    const path = field.split('.');
    const name = path.pop()!;
    const holder = path.reduce<Fields | undefined>((value, key) => value?.[key] as Fields | undefined, fixed);
    // An invalid entry of a list or a pair was already reported, or invalidates the rest of it.
    const value = holder?.[name];
    const text = typeof value === 'string' && TRUNCATED.has(name) ? truncated(value.toWellFormed(), detail) : undefined;
    if (text !== undefined) holder![name] = text;
    else delete fixed[path[0] ?? name];
    reporting.interpreted(field, text === undefined ? 'out_of_bounds' : 'cut', node.line, String(value), text);
  }
  return fixed as unknown as Input;
}

/** A text of the length that the problem of its field names. */
function truncated(text: string, detail: string): string {
  const [, most, unit] = /(\d+) (characters|bytes)/.exec(detail) ?? [];
  if (unit === 'characters') return [...text].slice(0, Number(most)).join('');
  if (unit === undefined) return text;
  // A truncated multi-byte character is decoded as U+FFFD, which is removed.
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, Number(most))).replace(/\ufffd+$/, '');
}
