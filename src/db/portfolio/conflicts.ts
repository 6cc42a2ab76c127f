import { documentKey, keyOf, type PortfolioDocument, twinsOf } from '../../portfolio/documents.ts';
import { rowsOf } from '../json-rows.ts';
import { type Reading, selection, together } from './reading.ts';

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

/** Keys of documents, for lookup only. */
type Keys = Pick<ReadonlySet<string>, 'has'>;

/** What documents refer to. */
export interface References {
  /** The keys of what is not stored. */
  readonly missing: ReadonlySet<string>;
  /** The ids of the features that are stored, by their codes. */
  readonly featureIds: ReadonlyMap<string, number>;
}

/** Stored data that may conflict with documents. */
export interface ExistingState {
  readonly references: References;
  /** The properties that already have the documents' units, except withdrawn ones: identifiers by the units' keys. */
  readonly occupants: ReadonlyMap<string, string>;
  /** The stored identifiers that differ from those of the documents only in an appended -LT or -ST. */
  readonly suffixCollisions: ReadonlySet<string>;
}

/**
 * Reads the stored data that may conflict with these documents. {@link selection} says why the statements are plain SQL.
 */
export function existingStateReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<ExistingState> {
  return together({
    references: referencesReading(db, accountId, documents),
    occupants: occupantsReading(db, accountId, documents),
    suffixCollisions: suffixCollisionsReading(db, accountId, documents),
  });
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
  existing: ExistingState,
  given: Keys = new Set(documents.map(([, document]) => documentKey(document))),
): Conflict[] {
  return [
    ...findMissing(documents, existing, given),
    ...findSharedUnits(documents, existing, given),
    ...findSuffixCollisions(documents, existing),
  ].sort((a, b) => a.index - b.index);
}

/**
 * The documents that a document refers to, by field. A thousand properties refer to the same features: {@link referencesReading}
 * passes the codes that it has already seen.
 */
function referencesOf(document: PortfolioDocument, seen?: Set<string>): { field: string; key: string }[] {
  switch (document.kind) {
    case 'type':
    case 'category':
    case 'development':
      return [];
    case 'feature':
      return [{ field: 'category', key: keyOf('category', document.category) }];
    case 'unit':
      return [{ field: 'development', key: keyOf('development', document.development) }];
    case 'property':
      return [
        { field: 'type', key: keyOf('type', document.type) },
        ...(document.unit
          ? [{ field: 'unit', key: keyOf('unit', document.unit.development, document.unit.name) }]
          : []),
        ...document.features.flatMap((code, index) => {
          if (seen?.has(code)) return [];
          seen?.add(code);
          return [{ field: `features.${index}`, key: keyOf('feature', code) }];
        }),
      ];
  }
}

function referencesReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<References> {
  const seen = new Set<string>();
  const keys = new Set(documents.flatMap((document) => referencesOf(document, seen).map(({ key }) => key)));
  return selection<{ key: string; kind: string; first: string; id: number | null }, References>(
    db,
    accountId,
    `SELECT d.key, d.kind, d.first, CASE d.kind
        WHEN 'type' THEN (SELECT id FROM property_types WHERE account_id = ?1 AND code = d.first)
        WHEN 'category' THEN (SELECT id FROM feature_categories WHERE account_id = ?1 AND code = d.first)
        WHEN 'feature' THEN (SELECT id FROM features WHERE account_id = ?1 AND code = d.first)
        WHEN 'development' THEN (SELECT id FROM developments WHERE account_id = ?1 AND identifier = d.first)
        WHEN 'unit' THEN (
          SELECT u.id FROM developments v JOIN units u ON u.development_id = v.id
           WHERE v.account_id = ?1 AND v.identifier = d.first AND u.name = d.second)
      END AS id
       FROM ${rowsOf(['key', 'kind', 'first', 'second'])}`,
    [...keys].map((key) => {
      const [kind, first, second] = JSON.parse(key);
      return [key, kind, first, second ?? null];
    }),
    (found) => ({
      missing: new Set(found.filter(({ id }) => id === null).map(({ key }) => key)),
      featureIds: new Map(
        found.flatMap(({ kind, first, id }) => (kind === 'feature' && id !== null ? [[first, id]] : [])),
      ),
    }),
  );
}

function findMissing(
  documents: readonly Placed[],
  { references: { missing } }: ExistingState,
  given: Keys,
): readonly Conflict[] {
  if (missing.size === 0) return [];
  return documents.flatMap(([index, document]) =>
    referencesOf(document)
      .filter(({ key }) => missing.has(key) && !given.has(key))
      .map(({ field, key }) => ({ index, field, detail: `there is no ${describe(key)}`, dependsOn: key })),
  );
}

function occupantsReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<ReadonlyMap<string, string>> {
  return selection<{ development: string; name: string; identifier: string }, ReadonlyMap<string, string>>(
    db,
    accountId,
    `SELECT d.development, d.name, p.identifier
       FROM ${rowsOf(['development', 'name'])}
       CROSS JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
       CROSS JOIN units u ON u.development_id = v.id AND u.name = d.name
       CROSS JOIN properties p ON p.unit_id = u.id AND p.status <> 'Withdrawn'`,
    documents.flatMap((document) =>
      document.kind === 'property' && document.unit ? [[document.unit.development, document.unit.name]] : [],
    ),
    (found) =>
      new Map(found.map(({ development, name, identifier }) => [keyOf('unit', development, name), identifier])),
  );
}

function findSharedUnits(documents: readonly Placed[], existing: ExistingState, given: Keys): readonly Conflict[] {
  const occupants = new Map(
    [...existing.occupants].filter(([, identifier]) => !given.has(keyOf('property', identifier))),
  );
  return documents.flatMap(([index, document]) => {
    if (document.kind !== 'property' || !document.unit) return [];
    const key = keyOf('unit', document.unit.development, document.unit.name);
    const occupant = occupants.get(key);
    occupants.set(key, document.id);
    if (occupant === undefined) return [];
    const detail = `${describe(key)} is already assigned to property ${occupant}`;
    return [{ index, field: 'unit', detail, dependsOn: keyOf('property', occupant) }];
  });
}

function suffixCollisionsReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<ReadonlySet<string>> {
  return selection<{ identifier: string }, ReadonlySet<string>>(
    db,
    accountId,
    `SELECT identifier FROM properties WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`,
    documents.flatMap((document) => (document.kind === 'property' ? twinsOf(document.id) : [])),
    (found) => new Set(found.map(({ identifier }) => identifier)),
  );
}

function findSuffixCollisions(documents: readonly Placed[], { suffixCollisions }: ExistingState): readonly Conflict[] {
  const taken = new Set(suffixCollisions);
  return documents.flatMap(([index, document]) => {
    if (document.kind !== 'property') return [];
    const twin = twinsOf(document.id).find((other) => taken.has(other));
    taken.add(document.id);
    return twin === undefined ? [] : [{ index, field: 'id', detail: suffixConflict(twin) }];
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
