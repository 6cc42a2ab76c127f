import { documentKey, type PortfolioDocument } from '../portfolio/documents.ts';
import { parameters, type Row, rowsOf } from './portfolio-rows.ts';

/** What keeps one document of a list from being written beside the others and what is stored. */
export interface Misfit {
  /** The document's place in the list, from 0. */
  readonly index: number;
  /** The field at fault. */
  readonly field: string;
  readonly detail: string;
}

/** A document with its place in the list. */
export type Placed = readonly [index: number, document: PortfolioDocument];

/** Documents that are given more than once: each but the first. */
export function findRepeated(documents: readonly PortfolioDocument[]): Misfit[] {
  const seen = new Set<string>();
  return documents.flatMap((document, index) => {
    const key = documentKey(document);
    const repeated = seen.has(key);
    seen.add(key);
    return repeated ? [{ index, field: '', detail: `${describe(key)} is given twice` }] : [];
  });
}

/**
 * What stands against writing these documents: names of what is neither among them nor stored, a unit that two
 * properties would be, and identifiers that differ only in an appended -LT or -ST, which rental records carry.
 *
 * @param given the keys of these documents, and of those that are to be written beside them
 */
export async function findMisfits(
  db: D1Database,
  accountId: number,
  documents: readonly Placed[],
  given: ReadonlySet<string> = new Set(documents.map(([, document]) => documentKey(document))),
): Promise<Misfit[]> {
  const references = documents
    .flatMap(([index, document]) => referencesOf(document).map((reference) => ({ index, ...reference })))
    .filter(({ key }) => !given.has(key));
  const missing = await findMissing(db, accountId, new Set(references.map(({ key }) => key)));
  return [
    ...references
      .filter(({ key }) => missing.has(key))
      .map(({ index, field, key }) => ({ index, field, detail: `there is no ${describe(key)}` })),
    ...(await findSharedUnits(db, accountId, documents, given)),
    ...(await findTwins(db, accountId, documents)),
  ].sort((a, b) => a.index - b.index);
}

/** What a document names, by field, with the key of the document that is named. */
function referencesOf(document: PortfolioDocument): { field: string; key: string }[] {
  switch (document.kind) {
    case 'type':
    case 'category':
    case 'development':
      return [];
    case 'feature':
      return [{ field: 'category', key: JSON.stringify(['category', document.category]) }];
    case 'unit':
      return [{ field: 'development', key: JSON.stringify(['development', document.development]) }];
    case 'property':
      return [
        { field: 'type', key: JSON.stringify(['type', document.type]) },
        ...(document.unit ? [{ field: 'unit', key: unitKey(document.unit.development, document.unit.name) }] : []),
        ...document.features.map((code, index) => ({
          field: `features.${index}`,
          key: JSON.stringify(['feature', code]),
        })),
      ];
  }
}

async function findMissing(db: D1Database, accountId: number, keys: ReadonlySet<string>): Promise<Set<string>> {
  const found = await select<{ key: string }>(
    db,
    accountId,
    `SELECT d.key
       FROM ${rowsOf([
         ['key', 'plain'],
         ['kind', 'plain'],
         ['first', 'plain'],
         ['second', 'plain'],
       ])}
      WHERE NOT CASE d.kind
        WHEN 'type' THEN EXISTS (SELECT 1 FROM property_types WHERE account_id = ?1 AND code = d.first)
        WHEN 'category' THEN EXISTS (SELECT 1 FROM feature_categories WHERE account_id = ?1 AND code = d.first)
        WHEN 'feature' THEN EXISTS (SELECT 1 FROM features WHERE account_id = ?1 AND code = d.first)
        WHEN 'development' THEN EXISTS (SELECT 1 FROM developments WHERE account_id = ?1 AND identifier = d.first)
        WHEN 'unit' THEN EXISTS (
          SELECT 1 FROM developments v JOIN units u ON u.development_id = v.id
           WHERE v.account_id = ?1 AND v.identifier = d.first AND u.name = d.second)
      END`,
    [...keys].map((key) => {
      const [kind, first, second] = JSON.parse(key);
      return [key, kind, first, second ?? null];
    }),
  );
  return new Set(found.map(({ key }) => key));
}

async function findSharedUnits(
  db: D1Database,
  accountId: number,
  documents: readonly Placed[],
  given: ReadonlySet<string>,
): Promise<Misfit[]> {
  const units = documents.flatMap(([index, document]) => {
    if (document.kind !== 'property') return [];
    const { id, unit } = document;
    return unit ? [{ index, id, unit, key: unitKey(unit.development, unit.name) }] : [];
  });
  const stored = await select<{ development: string; name: string; identifier: string }>(
    db,
    accountId,
    `SELECT d.development, d.name, p.identifier
       FROM ${rowsOf([
         ['development', 'plain'],
         ['name', 'plain'],
       ])}
       CROSS JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
       CROSS JOIN units u ON u.development_id = v.id AND u.name = d.name
       CROSS JOIN properties p ON p.unit_id = u.id`,
    units.map(({ unit }) => [unit.development, unit.name]),
  );
  const holders = new Map<string, string>();
  for (const { development, name, identifier } of stored) {
    if (!given.has(JSON.stringify(['property', identifier]))) holders.set(unitKey(development, name), identifier);
  }
  return units.flatMap(({ index, id, key }) => {
    const holder = holders.get(key);
    holders.set(key, id);
    return holder === undefined ? [] : [{ index, field: 'unit', detail: `${describe(key)} is property ${holder}` }];
  });
}

async function findTwins(db: D1Database, accountId: number, documents: readonly Placed[]): Promise<Misfit[]> {
  const properties = documents.flatMap(([index, document]) =>
    document.kind === 'property' ? [{ index, id: document.id }] : [],
  );
  const stored = await select<{ identifier: string }>(
    db,
    accountId,
    `SELECT identifier FROM properties WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`,
    properties.flatMap(({ id }) => twinsOf(id)),
  );
  const taken = new Set(stored.map(({ identifier }) => identifier));
  return properties.flatMap(({ index, id }) => {
    const twin = twinsOf(id).find((other) => taken.has(other));
    taken.add(id);
    return twin === undefined
      ? []
      : [{ index, field: 'id', detail: `differs from that of property ${twin} only in an appended -LT or -ST` }];
  });
}

function twinsOf(id: string): string[] {
  return [`${id}-LT`, `${id}-ST`, ...(/-[LS]T$/.test(id) ? [id.slice(0, -3)] : [])];
}

function unitKey(development: string, name: string): string {
  return JSON.stringify(['unit', development, name]);
}

function describe(key: string): string {
  const [kind, first, second] = JSON.parse(key);
  return second === undefined ? `${kind} ${first}` : `${kind} ${second} of development ${first}`;
}

async function select<R>(
  db: D1Database,
  accountId: number,
  sql: string,
  rows: readonly (Row | string)[],
): Promise<R[]> {
  const found: R[] = [];
  for (const json of parameters(rows)) {
    found.push(...(await db.prepare(sql).bind(accountId, json).all<R>()).results);
  }
  return found;
}
