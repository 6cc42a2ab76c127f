import { isoTime, toSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { type FIELD_SCHEMAS, FIELDS, type FieldType } from '../../portfolio/property-fields.ts';
import type { Value } from '../json-rows.ts';
import type { FieldRow } from '../schema.ts';

/** How a value of a document, `null` only for a part, becomes the value of a column, and the reverse. */
interface Form {
  readonly toColumn?: (value: never) => Value;
  readonly toDocument?: (value: never) => unknown;
}

const FORMS: Readonly<Partial<Record<FieldType, Form>>> = {
  time: { toColumn: toSeconds, toDocument: (value: number | null) => (value === null ? null : isoTime(value)) },
  lines: {
    toColumn: (lines: readonly string[]) => (lines.length === 0 ? null : lines.join('\n')),
    toDocument: (value: string | null) => value?.split('\n') ?? [],
  },
  flag: { toDocument: (value: 0 | 1) => value === 1 },
  part: { toDocument: (value: 0 | 1) => (value === 1 ? {} : null) },
};

const PATHS = FIELDS.map(([column, { document, type, absent = null }]) => ({
  column,
  type,
  absent,
  form: FORMS[type] ?? {},
  path: document.split('.'),
}));

/** The values of the field columns for a document, in column order. */
export function fieldValues(property: PropertyDocument): Value[] {
  return PATHS.map(({ type, form, path, absent }) => {
    // `undefined` if the document lacks the part that the path leads to.
    const value = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], property);
    if (type === 'part') return value !== null;
    if (value === undefined) return absent;
    return value === null || form.toColumn === undefined ? (value as Value) : form.toColumn(value as never);
  });
}

type FieldDocument = Pick<PropertyDocument, keyof typeof FIELD_SCHEMAS | 'location' | 'offers'>;

/** The fields of a document from a row. */
export function fieldsOf(row: FieldRow): FieldDocument {
  const document: Record<string, unknown> = { offers: {} };
  for (const { column, form, path } of PATHS) {
    setAt(document, path, form.toDocument ? form.toDocument(row[column] as never) : row[column]);
  }
  return document as FieldDocument;
}

/** Sets a value of a part that exists; a part that has no column exists if the value does. */
function setAt(document: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let part = document;
  for (const key of path.slice(0, -1)) {
    if (part[key] === undefined) part[key] = value === null ? null : {};
    if (part[key] === null) return;
    part = part[key] as Record<string, unknown>;
  }
  part[path.at(-1)!] = value;
}
