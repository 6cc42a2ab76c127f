import { isoTime } from '../../lib/time/time.ts';
import { type PropertyDocument, propertySchema } from '../documents.ts';

/** The columns of a property that its document consists of. */
export interface PropertyRow {
  readonly identifier: string;
  readonly document: string;
  readonly pictures: string;
  readonly texts: string;
  readonly changed_at: number;
}

/** What of a property's document is in the column `document`. */
export type StoredDocument = Omit<
  PropertyDocument,
  'kind' | 'id' | 'updated_at' | 'pictures' | 'texts'
>;

const IN_OTHER_COLUMNS: readonly string[] = ['kind', 'id', 'updated_at', 'pictures', 'texts'];

/** The keys of the column `document`, in the order in which every document has them: equal ones are equal texts. */
const KEYS = Object.keys(propertySchema.shape).filter((key) => !IN_OTHER_COLUMNS.includes(key));

/** What a document that was stored before a field existed has of it. */
const DEFAULTS: object = storedDocumentOf(
  propertySchema.parse({
    kind: 'property',
    id: '-',
    ref: '-',
    type: '-',
    status: 'Withdrawn',
    listed_at: '1970-01-01T00:00:00Z',
    town: '',
    province: '',
  }),
);

/** What the column `document` of a property has. */
export function storedFields(document: string): StoredDocument {
  return { ...DEFAULTS, ...(JSON.parse(document) as StoredDocument) };
}

/** A property's document from its row. */
export function storedProperty(row: PropertyRow): PropertyDocument {
  return {
    kind: 'property',
    id: row.identifier,
    ...storedFields(row.document),
    updated_at: isoTime(row.changed_at),
    pictures: JSON.parse(row.pictures),
    texts: JSON.parse(row.texts),
  };
}

/** What a property has in the column `document`. One that leaves its channels unspecified is in none. */
export function storedDocumentOf(property: PropertyDocument): StoredDocument {
  const values: Readonly<Record<string, unknown>> = {
    ...property,
    channels: property.channels ?? [],
  };
  return Object.fromEntries(KEYS.map((key) => [key, values[key]])) as unknown as StoredDocument;
}
