import type { Select } from '../../db/account-read.ts';
import { rowsOf } from '../../db/json-rows.ts';
import { type CodedMessage, message } from '../../messages/messages.ts';
import { fitsInto } from '../checks.ts';
import {
  type DocumentProblem,
  documentKey,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
  suffixVariants,
} from '../documents.ts';

/** Why a document of a list conflicts with others of the list or with stored ones. */
export interface Conflict extends DocumentProblem {
  /** The document's position in the list, from 0. */
  readonly index: number;
  /** The key of what is missing or has the unit: writing, withdrawing or changing that may resolve the conflict. */
  readonly dependsOn?: string;
}

export type Placed = readonly [index: number, document: PortfolioDocument];

/** What documents refer to: the keys of what is not stored, and the properties that have units, unless they are withdrawn. */
export interface ExistingState {
  readonly missing: ReadonlySet<string>;
  /** The identifiers by the keys of the units. */
  readonly occupants: ReadonlyMap<string, string>;
}

const REFERENCES = `
  SELECT d.key, coalesce(
           u.id,
           (SELECT id FROM vocabulary WHERE account_id = ?1 AND kind = d.kind AND code = d.first),
           iif(d.kind = 'development', v.id, NULL),
           iif(d.kind = 'property', (SELECT id FROM properties WHERE account_id = ?1 AND identifier = d.first), NULL)
         ) AS id,
         (SELECT identifier FROM properties WHERE unit_id = u.id AND status <> 'Withdrawn') AS occupant
    FROM ${rowsOf(['key', 'kind', 'first', 'second'])}
    LEFT JOIN developments v ON d.kind IN ('development', 'unit') AND v.account_id = ?1 AND v.identifier = d.first
    LEFT JOIN units u ON d.kind = 'unit' AND u.development_id = v.id AND u.name = d.second`;

/** Selects the stored data that may conflict with these documents. */
export function selectExisting(
  select: Select,
  documents: readonly PortfolioDocument[],
): () => ExistingState {
  const variants = documents.flatMap((document) =>
    document.kind === 'property' ? suffixVariants(document.id) : [],
  );
  const references = documents.flatMap((document) => [...referencesOf(document).keys()]);
  const keys = new Set([...references, ...variants.map((id) => keyOf('property', id))]);
  const rows = [...keys].map((key) => {
    const [kind, first, second = null] = JSON.parse(key);
    return [key, kind, first, second];
  });
  const found = select<{ key: string; id: number | null; occupant: string | null }>(
    REFERENCES,
    rows,
  );
  return () => ({
    missing: new Set(found().flatMap(({ key, id }) => (id === null ? [key] : []))),
    occupants: new Map(
      found().flatMap(({ key, occupant }) => (occupant === null ? [] : [[key, occupant]])),
    ),
  });
}

/** The fields of a document that refer to others, by the keys of these. */
function referencesOf(document: PortfolioDocument): Map<string, string> {
  if (document.kind === 'feature')
    return new Map([[keyOf('category', document.category), 'category']]);
  if (document.kind === 'unit')
    return new Map([[keyOf('development', document.development), 'development']]);
  if (document.kind !== 'property') return new Map();
  const { type, unit, features } = document;
  return new Map([
    [keyOf('type', type), 'type'],
    ...(unit ? [[keyOf('unit', unit.development, unit.name), 'unit'] as const] : []),
    ...features.map((code, index) => [keyOf('feature', code), `features.${index}`] as const),
  ]);
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
  { missing, occupants }: ExistingState,
  given: Pick<ReadonlySet<string>, 'has'> = new Set(
    documents.map(([, document]) => documentKey(document)),
  ),
): Conflict[] {
  const occupied = new Map(
    [...occupants].filter(([, identifier]) => !given.has(keyOf('property', identifier))),
  );
  const taken = unitsTaken(documents.map(([, document]) => document));
  const written = new Set<string>();
  return documents.flatMap(([index, document]) => {
    const found: Conflict[] = [...referencesOf(document)]
      .filter(([key]) => missing.has(key) && !given.has(key))
      .map(([key, field]) => ({
        index,
        field,
        message: unknown(key),
        dependsOn: key,
      }));
    if (document.kind !== 'property') return found;
    if (isTooLarge(document)) {
      return [
        {
          index,
          field: '',
          message: message('large_property', { most: MAX_ROW_BYTES }),
        },
      ];
    }
    const { id, unit } = document;
    if (unit && !isHandedOn(document, taken)) {
      const key = keyOf('unit', unit.development, unit.name);
      const occupant = occupied.get(key);
      occupied.set(key, id);
      if (occupant !== undefined) {
        const taken = message('unit_taken', { ...unit, property: occupant });
        const dependsOn = keyOf('property', occupant);
        found.push({ index, field: 'unit', message: taken, dependsOn });
      }
    }
    const variant = suffixVariants(id).find(
      (other) => written.has(other) || !missing.has(keyOf('property', other)),
    );
    written.add(id);
    if (variant !== undefined) {
      const conflict = message('suffix_conflict', { property: variant });
      found.push({ index, field: 'id', message: conflict });
    }
    return found;
  });
}

/** The keys of the units of the properties among these that are not withdrawn. */
function unitsTaken(documents: readonly PortfolioDocument[]): Set<string> {
  return new Set(
    documents.flatMap((document) => {
      if (document.kind !== 'property' || document.status === 'Withdrawn') return [];
      return document.unit ? [keyOf('unit', document.unit.development, document.unit.name)] : [];
    }),
  );
}

function isHandedOn({ status, unit }: PropertyDocument, taken: ReadonlySet<string>): boolean {
  return (
    status === 'Withdrawn' && unit !== null && taken.has(keyOf('unit', unit.development, unit.name))
  );
}

/** The documents, of which withdrawn properties leave their units to others that take them. */
export function withUnitsHandedOn(documents: readonly PortfolioDocument[]): PortfolioDocument[] {
  const taken = unitsTaken(documents);
  return documents.map((document) =>
    document.kind === 'property' && isHandedOn(document, taken)
      ? { ...document, unit: null }
      : document,
  );
}

/** The units and properties among these, with the types, features and categories that they need. */
export function withoutUnused(documents: readonly PortfolioDocument[]): PortfolioDocument[] {
  const units = documents.filter(({ kind }) => kind === 'unit');
  const properties = documents.filter(({ kind }) => kind === 'property');
  const isNeeded = isReferredToBy(properties);
  const entries = documents.filter((document) => document.kind !== 'unit' && isNeeded(document));
  const categories = documents.filter(isReferredToBy(entries));
  return [...categories, ...entries, ...units, ...properties];
}

function isReferredToBy(documents: readonly PortfolioDocument[]) {
  const keys = new Set(documents.flatMap((document) => [...referencesOf(document).keys()]));
  return (document: PortfolioDocument) => keys.has(documentKey(document));
}

/** Bytes of a property: the platform limits a row to 2,000,000, with its index columns. */
const MAX_ROW_BYTES = 1_500_000;

function isTooLarge(document: PropertyDocument): boolean {
  return !fitsInto(JSON.stringify(document), MAX_ROW_BYTES);
}

function unknown(key: string): CodedMessage {
  const [kind, first, second] = JSON.parse(key) as [keyof typeof UNKNOWN, string, string?];
  return second === undefined
    ? message(UNKNOWN[kind], { name: first })
    : message('unknown_unit', { name: second, development: first });
}

const UNKNOWN = {
  type: 'unknown_type',
  category: 'unknown_category',
  feature: 'unknown_feature',
  development: 'unknown_development',
} as const;
