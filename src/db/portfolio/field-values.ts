import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { Field } from '../../portfolio/field.ts';
import type { FieldDocument, FieldRow } from '../../portfolio/field-shapes.ts';
import { FIELDS } from '../../portfolio/property-fields.ts';
import { type Column, real, type Value } from '../json-rows.ts';

/** The columns of the fields, as the rows of {@link fieldValues} have them. */
export const FIELD_COLUMNS: readonly Column[] = FIELDS.map(([name, { type }]) =>
  type === 'real' || type === 'coordinate' ? [name, 'real'] : name,
);

const READERS = FIELDS.map(([, field]) => ({ field, path: field.document.split('.') }));

/** The values of the field columns for a document, in column order. */
export function fieldValues(property: PropertyDocument): Value[] {
  return READERS.map(({ field, path }) => columnValue(field, valueAt(property, path)));
}

/** `undefined` if the document lacks the part that the path leads to. */
function valueAt(document: object, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const key of path) {
    if (value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function columnValue({ type, absent }: Field, value: unknown): Value {
  if (type === 'part') return value !== null;
  if (value === undefined) return absent === undefined ? null : real(absent);
  if (value === null) return null;
  switch (type) {
    case 'real':
    case 'coordinate':
      return real(value as number);
    case 'time':
      return toSeconds(value as string);
    case 'lines': {
      const lines = value as readonly string[];
      return lines.length === 0 ? null : lines.join('\n');
    }
    default:
      return value as Value;
  }
}

/** The fields of a document from a row. */
export function fieldsOf(row: FieldRow): FieldDocument {
  const document: Record<string, unknown> = { offers: {} };
  for (const [column, field] of FIELDS) setAt(document, field.document.split('.'), documentValue(field, row[column]));
  return document as FieldDocument;
}

/** Sets a value of a part that exists; a part without a column of its own exists if the value does. */
function setAt(document: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let part = document;
  for (const key of path.slice(0, -1)) {
    if (part[key] === undefined) part[key] = value === null ? null : {};
    if (part[key] === null) return;
    part = part[key] as Record<string, unknown>;
  }
  part[path.at(-1)!] = value;
}

function documentValue({ type }: Field, value: string | number | null): unknown {
  switch (type) {
    case 'part':
      return value === 1 ? {} : null;
    case 'flag':
      return value === 1;
    case 'time':
      return value === null ? null : isoTime(value as number);
    case 'lines':
      return value === null ? [] : (value as string).split('\n');
    default:
      return value;
  }
}

export function toSeconds(time: string): EpochSeconds {
  return Date.parse(time) / 1000;
}
