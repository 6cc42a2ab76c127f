import { documentKey, keyOf, type PortfolioDocument, twinsOf } from '../../portfolio/documents.ts';
import { rowsOf } from '../json-rows.ts';
import { mapped, type Reading, selectIn, together } from './reading.ts';

/** Why a document of a list conflicts with other documents of the list or with stored ones. */
export interface Conflict {
  /** The document's position in the list, from 0. */
  readonly index: number;
  /** The field at fault. */
  readonly field: string;
  readonly detail: string;
  /** The key of what is missing or has the unit: writing, withdrawing or changing that may resolve the conflict. */
  readonly dependsOn?: string;
}

/** A document with its position in the list. */
export type Placed = readonly [index: number, document: PortfolioDocument];

/** Repeated documents: all but the first of each. */
export function findDuplicates(documents: readonly PortfolioDocument[]): Conflict[] {
  const seen = new Set<string>();
  return documents.flatMap((document, index) => {
    const key = documentKey(document);
    const repeated = seen.has(key);
    seen.add(key);
    return repeated ? [{ index, field: '', detail: `${describe(key)} is given twice` }] : [];
  });
}

/** Stored data that may conflict with documents. */
export interface ExistingState {
  /** The keys of what documents refer to and is not stored. */
  readonly missing: ReadonlySet<string>;
  /** The ids of the features that documents refer to, by their codes. */
  readonly featureIds: ReadonlyMap<string, number>;
  /** The properties that already have the documents' units, except withdrawn ones: identifiers by the units' keys. */
  readonly occupants: ReadonlyMap<string, string>;
  /** The stored identifiers that differ from those of the documents only in an appended -LT or -ST. */
  readonly suffixCollisions: ReadonlySet<string>;
}

const REFERENCES = `
  SELECT d.key, d.kind, d.first, CASE d.kind
      WHEN 'type' THEN (SELECT id FROM property_types WHERE account_id = ?1 AND code = d.first)
      WHEN 'category' THEN (SELECT id FROM feature_categories WHERE account_id = ?1 AND code = d.first)
      WHEN 'feature' THEN (SELECT id FROM features WHERE account_id = ?1 AND code = d.first)
      WHEN 'development' THEN (SELECT id FROM developments WHERE account_id = ?1 AND identifier = d.first)
      WHEN 'unit' THEN (
        SELECT u.id FROM developments v JOIN units u ON u.development_id = v.id
         WHERE v.account_id = ?1 AND v.identifier = d.first AND u.name = d.second)
    END AS id
    FROM ${rowsOf(['key', 'kind', 'first', 'second'])}`;

const OCCUPANTS = `
  SELECT d.development, d.name, p.identifier
    FROM ${rowsOf(['development', 'name'])}
    CROSS JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
    CROSS JOIN units u ON u.development_id = v.id AND u.name = d.name
    CROSS JOIN properties p ON p.unit_id = u.id AND p.status <> 'Withdrawn'`;

const TWINS =
  'SELECT identifier FROM properties WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))';

/** Reads the stored data that may conflict with these documents. */
export function existingStateReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<ExistingState> {
  const select = selectIn(db, accountId);
  const seen = new Set<string>();
  const keys = new Set(documents.flatMap((document) => referencesOf(document, seen).map(({ key }) => key)));
  const references = [...keys].map((key) => {
    const [kind, first, second] = JSON.parse(key);
    return [key, kind, first, second ?? null];
  });
  const properties = documents.filter((document) => document.kind === 'property');
  const reading = together({
    references: select<{ key: string; kind: string; first: string; id: number | null }>(REFERENCES, references),
    occupants: select<{ development: string; name: string; identifier: string }>(
      OCCUPANTS,
      properties.flatMap(({ unit }) => (unit ? [[unit.development, unit.name]] : [])),
    ),
    twins: select<{ identifier: string }>(
      TWINS,
      properties.flatMap(({ id }) => twinsOf(id)),
    ),
  });
  return mapped(reading, ({ references, occupants, twins }) => ({
    missing: new Set(references.filter(({ id }) => id === null).map(({ key }) => key)),
    featureIds: new Map(
      references.flatMap(({ kind, first, id }) => (kind === 'feature' && id !== null ? [[first, id]] : [])),
    ),
    occupants: new Map(
      occupants.map(({ development, name, identifier }) => [keyOf('unit', development, name), identifier]),
    ),
    suffixCollisions: new Set(twins.map(({ identifier }) => identifier)),
  }));
}

/**
 * The documents that a document refers to, by field. A thousand properties refer to the same features:
 * {@link existingStateReading} passes the codes that it has already seen.
 */
function referencesOf(document: PortfolioDocument, seen?: Set<string>): { field: string; key: string }[] {
  if (document.kind === 'feature') return [{ field: 'category', key: keyOf('category', document.category) }];
  if (document.kind === 'unit') return [{ field: 'development', key: keyOf('development', document.development) }];
  if (document.kind !== 'property') return [];
  const { type, unit, features } = document;
  return [
    { field: 'type', key: keyOf('type', type) },
    ...(unit ? [{ field: 'unit', key: keyOf('unit', unit.development, unit.name) }] : []),
    ...features.flatMap((code, index) => {
      if (seen?.has(code)) return [];
      seen?.add(code);
      return [{ field: `features.${index}`, key: keyOf('feature', code) }];
    }),
  ];
}

/**
 * Why these documents cannot be written: unresolved references, a unit with two properties, and identifiers that differ
 * only in an appended -LT or -ST, which rental records have.
 *
 * @param existing the stored data that may conflict with them, and possibly with others
 * @param given the keys of these documents, and of those that will be written or withdrawn with them
 */
export function findConflicts(
  documents: readonly Placed[],
  { missing, occupants, suffixCollisions }: ExistingState,
  given: Pick<ReadonlySet<string>, 'has'> = new Set(documents.map(([, document]) => documentKey(document))),
): Conflict[] {
  const occupied = new Map([...occupants].filter(([, identifier]) => !given.has(keyOf('property', identifier))));
  const taken = new Set(suffixCollisions);
  return documents.flatMap(([index, document]) => {
    const found: Conflict[] = (missing.size === 0 ? [] : referencesOf(document))
      .filter(({ key }) => missing.has(key) && !given.has(key))
      .map(({ field, key }) => ({ index, field, detail: `there is no ${describe(key)}`, dependsOn: key }));
    if (document.kind !== 'property') return found;
    const { id, unit } = document;
    if (unit) {
      const key = keyOf('unit', unit.development, unit.name);
      const occupant = occupied.get(key);
      occupied.set(key, id);
      if (occupant !== undefined) {
        const detail = `${describe(key)} is already assigned to property ${occupant}`;
        found.push({ index, field: 'unit', detail, dependsOn: keyOf('property', occupant) });
      }
    }
    const twin = twinsOf(id).find((other) => taken.has(other));
    taken.add(id);
    if (twin !== undefined) found.push({ index, field: 'id', detail: suffixConflict(twin) });
    return found;
  });
}

/** Why an identifier cannot be stored besides another one. */
export function suffixConflict(other: string): string {
  return `conflicts with property ${other}: the ids differ only by the suffix -LT or -ST`;
}

function describe(key: string): string {
  const [kind, first, second] = JSON.parse(key);
  return second === undefined ? `${kind} ${first}` : `${kind} ${second} of development ${first}`;
}
