import type { CodedMessage } from '../../messages/messages.ts';
import { type PropertyDocument, parseDocument } from '../../properties/documents.ts';
import type { Input } from '../formats/readers.ts';
import type { XmlNode } from '../xml/node.ts';
import type { Reporting } from './notes.ts';
import { attempt, type BadRecord } from './record.ts';

/** Texts that remain useful when truncated. */
const TRUNCATED: ReadonlySet<string> = new Set([
  'ref',
  'town',
  'area',
  'province',
  'country',
  'commission',
  'address',
  'floor',
  'title',
  'description',
  'notes',
]);

type Fields = Record<string, unknown>;

/**
 * The property that a record gives, without the values that cannot be stored.
 *
 * @throws DocumentError if its identifier cannot be stored
 */
export function storableProperty(
  given: Input,
  record: XmlNode,
  reporting: Reporting,
): PropertyDocument {
  const parsed = attempt(() => parseDocument(given) as PropertyDocument);
  if (!('problems' in parsed)) return parsed;
  return parseDocument(withinBounds(given, parsed.problems, record, reporting)) as PropertyDocument;
}

/**
 * A document without the values that cannot be stored, which its problems name: texts and lists that are too long are truncated,
 * other values are omitted. An invalid identifier remains, so that the record is rejected.
 */
function withinBounds(
  given: Input,
  problems: BadRecord['problems'],
  node: XmlNode,
  reporting: Reporting,
): Input {
  const fixed = structuredClone(given) as unknown as Fields;
  for (const { field, message } of problems) {
    if (field === 'id') continue;
    const path = field.split('.');
    const name = path.pop()!;
    const holder = path.reduce<Fields | undefined>(
      (value, key) => value?.[key] as Fields | undefined,
      fixed,
    );
    // An invalid entry of a list or a pair was already reported, or invalidates the rest of it.
    const value = holder?.[name];
    const most = Number(message.parameters?.most);
    if (Array.isArray(value) && message.code === 'too_many_entries') {
      holder![name] = value.slice(0, most);
      reporting.interpreted(field, 'too_many', node.line, `${value.length}`, most);
      continue;
    }
    const text =
      typeof value === 'string' && TRUNCATED.has(name)
        ? truncated(value.toWellFormed(), message)
        : undefined;
    if (text !== undefined) holder![name] = text;
    // An offer without its price is on request; half of a place is none.
    else if (path[0] === 'offers') delete holder![name];
    else delete fixed[path[0] ?? name];
    reporting.interpreted(
      field,
      text === undefined ? 'out_of_bounds' : 'cut',
      node.line,
      String(value),
      text,
    );
  }
  return fixed as unknown as Input;
}

function truncated(text: string, { code, parameters }: CodedMessage): string {
  const most = Number(parameters?.most);
  if (code === 'too_long' || code === 'wrong_length') return [...text].slice(0, most).join('');
  if (code !== 'too_many_bytes' && code !== 'wrong_size') return text;
  // As for a stream, so that a truncated character is omitted.
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, most), {
    stream: true,
  });
}
