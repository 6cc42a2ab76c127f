import { type Row, rowsOf, type Write } from '../../db/json-rows.ts';
import { isEqual } from '../../lib/bytes/equal.ts';
import { toSeconds } from '../../lib/time/time.ts';
import type { VocabularyDocument } from '../../vocabulary/stored.ts';
import {
  type DevelopmentDocument,
  documentKey,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
  type UnitDocument,
} from '../documents.ts';
import { noteProperties, noteUnits } from '../selection/noted.ts';
import { isBuiltIn } from './built-in-names.ts';
import { storedDocumentOf } from './property-rows.ts';
import type { Read, Stored } from './read.ts';
import { SEARCH_COLUMNS, searchRowOf } from './search.ts';

/** Documents to be stored, and what was stored under their keys. */
interface Changes {
  readonly documents: readonly PortfolioDocument[];
  readonly stored: Stored;
  /** Who changes them, as `actorText` has it. */
  readonly actor: string;
  /** What they are changed together with, if they can be undone together. */
  readonly batch?: string | undefined;
  /** The number of a new property; by default the account's next one. */
  readonly numberOf?: ((id: string) => number | undefined) | undefined;
}

/** How a transaction fails in which a guard finds that what was read no longer holds. */
export const GUARD = 'a_document_has_changed';

/**
 * Statements that fail the transaction if somebody has changed these documents since they were read, has created one of them,
 * or has created a property whose identifier differs from a new one only by -LT or -ST.
 */
export function guards(documents: readonly PortfolioDocument[], { states, stored }: Read): Write[] {
  const rows = {
    vocabulary: [] as Row[],
    developments: [] as Row[],
    units: [] as Row[],
    properties: [] as Row[],
  };
  const created: string[] = [];
  const named = namesNeeded(documents, stored);
  for (const document of documents) {
    const state = states.get(documentKey(document)) ?? null;
    if (document.kind === 'property') {
      rows.properties.push([document.id, state]);
      if (state === null) created.push(document.id);
    } else if (document.kind === 'unit')
      rows.units.push([document.development, document.name, state]);
    else if (document.kind === 'development') rows.developments.push([document.id, state]);
    else rows.vocabulary.push([document.kind, document.code, state]);
  }
  return [
    {
      sql: failIf(`${rowsOf(['kind', 'code', 'state'])}
        LEFT JOIN vocabulary v ON v.account_id = ?1 AND v.kind = d.kind AND v.code = d.code
        WHERE v.document IS NOT d.state`),
      rows: rows.vocabulary,
    },
    {
      sql: failIf(`${rowsOf(['kind', 'code'])}
        LEFT JOIN vocabulary v ON v.account_id = ?1 AND v.kind = d.kind AND v.code = d.code
        WHERE v.id IS NULL`),
      rows: named,
    },
    {
      sql: failIf(`${rowsOf(['id', 'state'])}
        LEFT JOIN developments v ON v.account_id = ?1 AND v.identifier = d.id
        WHERE v.document IS NOT d.state`),
      rows: rows.developments,
    },
    {
      sql: failIf(`${rowsOf(['development', 'name', 'state'])}
        LEFT JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
        LEFT JOIN units u ON u.development_id = v.id AND u.name = d.name
        WHERE u.version IS NOT d.state`),
      rows: rows.units,
    },
    {
      sql: failIf(`${rowsOf(['id', 'state'])}
        LEFT JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id
        WHERE p.change IS NOT d.state`),
      rows: rows.properties,
    },
    {
      // Not JOIN: SQLite would go through all properties of the account, and for each through all of these.
      sql: failIf(`(SELECT value AS id FROM json_each(?2)) d
        CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier IN (
          d.id || '-LT', d.id || '-ST', iif(substr(d.id, -3) IN ('-LT', '-ST'), substr(d.id, 1, length(d.id) - 3), NULL))`),
      rows: created,
    },
  ];
}

/**
 * The names of the account's own that properties get with these documents, and that are not written with them: they could be
 * deleted meanwhile. A name that a property has cannot.
 */
function namesNeeded(documents: readonly PortfolioDocument[], stored: Stored): Row[] {
  const written = new Set(documents.map(documentKey));
  const needed = new Map<string, Row>();
  for (const document of documents) {
    if (document.kind !== 'property') continue;
    const before = stored.get(documentKey(document));
    const { type = '', features = [] } = before?.kind === 'property' ? before : {};
    const names = [
      ...(document.type === type ? [] : [['type', document.type] as const]),
      ...document.features
        .filter((code) => !features.includes(code))
        .map((code) => ['feature', code] as const),
    ];
    for (const [kind, code] of names) {
      const key = keyOf(kind, code);
      if (!isBuiltIn(kind, code) && !written.has(key)) needed.set(key, [kind, code]);
    }
  }
  return [...needed.values()];
}

function failIf(found: string): string {
  return `INSERT INTO guard SELECT 0 WHERE EXISTS (SELECT 1 FROM ${found})`;
}

/** The statements that store documents, in their order. New properties get the account's next numbers in their order. */
export function portfolioWrites({ documents, stored, ...how }: Changes): Write[] {
  const vocabulary: VocabularyDocument[] = [];
  const developments: DevelopmentDocument[] = [];
  const units: UnitDocument[] = [];
  const properties: PropertyChange[] = [];
  for (const document of documents) {
    if (document.kind === 'property') {
      properties.push({
        property: document,
        before: stored.get(documentKey(document)) as PropertyDocument | undefined,
      });
    } else if (document.kind === 'unit') units.push(document);
    else if (document.kind === 'development') developments.push(document);
    else vocabulary.push(document);
  }
  const changedUnits = units.filter((unit) => stored.has(documentKey(unit)));
  const changedIds = properties.filter(({ before }) => before).map(({ property }) => property.id);
  return [
    noteUnits(changedUnits),
    noteProperties(changedIds),
    {
      sql: `INSERT INTO vocabulary (account_id, kind, code, document)
            SELECT ?1, d.kind, d.code, d.document FROM ${rowsOf(['kind', 'code', 'document'])} WHERE true
                ON CONFLICT (account_id, kind, code) DO UPDATE SET document = excluded.document`,
      rows: vocabulary.map(({ kind, code, ...document }) => [kind, code, document]),
    },
    {
      sql: `INSERT INTO developments (account_id, identifier, document)
            SELECT ?1, d.id, d.document FROM ${rowsOf(['id', 'document'])} WHERE true
                ON CONFLICT (account_id, identifier) DO UPDATE SET document = excluded.document`,
      rows: developments.map(({ kind, id, ...document }) => [id, document]),
    },
    ...unitWrites(
      units.filter((unit) => !stored.has(documentKey(unit))),
      changedUnits,
      how,
    ),
    ...propertyWrites(properties, how),
  ];
}

/** The account's developments `v` and units `u` that rows `d` name. */
const OWN_DEVELOPMENTS =
  'JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development';
const NAMED_UNITS = `${OWN_DEVELOPMENTS} JOIN units u ON u.development_id = v.id AND u.name = d.name`;

const UNIT_COLUMNS = ['development', 'name', 'status', 'price', 'directions', 'batch'];

function unitWrites(
  created: readonly UnitDocument[],
  changed: readonly UnitDocument[],
  { actor, batch }: Pick<Changes, 'actor' | 'batch'>,
): Write[] {
  const rowOf = ({ development, name, status, price, directions }: UnitDocument): Row => [
    development,
    name,
    status,
    price,
    directions,
    batch ?? null,
  ];
  return [
    {
      sql: `INSERT INTO units (account_id, development_id, name, status, price, directions, created_in)
            SELECT ?1, v.id, d.name, d.status, d.price, d.directions, d.batch
              FROM ${rowsOf(UNIT_COLUMNS)}
              ${OWN_DEVELOPMENTS}`,
      rows: created.map(rowOf),
    },
    {
      sql: `INSERT INTO unit_history (account_id, unit_id, actor, version, from_status, to_status, from_price, to_price,
                                      from_directions, to_directions, batch)
            SELECT ?1, u.id, ?3, u.version + 1, u.status, d.status, u.price, d.price, u.directions, d.directions, d.batch
              FROM ${rowsOf(UNIT_COLUMNS)}
              ${NAMED_UNITS}`,
      rows: changed.map(rowOf),
      parameter3: actor,
    },
    {
      sql: `UPDATE units
               SET status = d.status, price = d.price, directions = d.directions, version = version + 1,
                   changed_at = unixepoch()
              FROM ${rowsOf(UNIT_COLUMNS)}
              ${OWN_DEVELOPMENTS}
             WHERE units.development_id = v.id AND units.name = d.name`,
      rows: changed.map(rowOf),
    },
  ];
}

interface PropertyChange {
  readonly property: PropertyDocument;
  /** As it is stored; `undefined` for a new one. */
  readonly before: PropertyDocument | undefined;
}

/** No unit has the id -1: a unit that no longer exists fails the statement. */
const UNIT_ID = `iif(d.unit IS NULL, NULL, coalesce((
  SELECT u.id FROM developments v JOIN units u ON u.development_id = v.id
   WHERE v.account_id = ?1 AND v.identifier = d.unit ->> '$.development' AND u.name = d.unit ->> '$.name'), -1))`;

const PROPERTY_COLUMNS = ['id', 'unit', 'changed_at', 'document', 'pictures', 'texts'];

function propertyWrites(
  properties: readonly PropertyChange[],
  { actor, batch, numberOf = () => undefined }: Omit<Changes, 'documents' | 'stored'>,
): Write[] {
  const changed = properties.filter(({ before }) => before !== undefined);
  const created = properties.filter(({ before }) => before === undefined);
  return [
    {
      sql: `INSERT INTO channels (account_id, name) SELECT ?1, value FROM json_each(?2) WHERE true
                ON CONFLICT (account_id, name) DO NOTHING`,
      rows: newChannels(properties),
    },
    {
      // A time that is not later than the stored one, as of now, changes nothing: then there is no state to be kept.
      sql: `INSERT INTO property_history (account_id, property_id, change, actor, batch, document, pictures, texts)
            SELECT ?1, p.id, p.change, ?3, d.batch, p.document, iif(d.has_pictures, p.pictures, NULL), iif(d.has_texts, p.texts, NULL)
              FROM ${rowsOf(['id', 'has_pictures', 'has_texts', 'only_time', 'batch'])}
              JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id
             WHERE d.only_time IS NULL OR min(d.only_time, unixepoch()) > p.changed_at`,
      rows: changed.map(({ property, before }) => [
        property.id,
        JSON.stringify(property.pictures) !== JSON.stringify(before!.pictures),
        JSON.stringify(property.texts) !== JSON.stringify(before!.texts),
        isEqual(property, { ...before!, updated_at: property.updated_at })
          ? toSeconds(property.updated_at)
          : null,
        batch ?? null,
      ]),
      parameter3: actor,
    },
    ...unitReleases(properties),
    {
      sql: `UPDATE properties
               SET document = d.document, pictures = d.pictures, texts = d.texts, unit_id = ${UNIT_ID},
                   changed_at = max(properties.changed_at, ifnull(min(d.changed_at, unixepoch()), 0))
              FROM ${rowsOf(PROPERTY_COLUMNS)}
             WHERE properties.account_id = ?1 AND properties.identifier = d.id`,
      rows: changed.map(({ property }) => rowOf(property)),
    },
    {
      // A property that was deleted and returns is changed now: readers may have seen a later time than the given one.
      sql: `INSERT INTO properties (account_id, number, identifier, unit_id, changed_at, document, pictures, texts)
            SELECT ?1,
                   coalesce(d.number, (SELECT ifnull(max(number), 0) FROM properties WHERE account_id = ?1) + d.position + 1),
                   d.id, ${UNIT_ID},
                   iif(EXISTS (SELECT 1 FROM removals WHERE account_id = ?1 AND identifier = d.id), 0,
                       ifnull(min(d.changed_at, unixepoch()), 0)),
                   d.document, d.pictures, d.texts
              FROM ${rowsOf([...PROPERTY_COLUMNS, 'number'])}`,
      rows: created.map(({ property }) => [...rowOf(property), numberOf(property.id) ?? null]),
    },
    {
      sql: `INSERT INTO property_search (property_id, created_in, ${SEARCH_COLUMNS.join(', ')})
            SELECT p.id, d.created_in, ${SEARCH_COLUMNS.map((name) => `d.${name}`).join(', ')}
              FROM ${rowsOf(['id', 'created_in', ...SEARCH_COLUMNS])}
              JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id WHERE true
                ON CONFLICT (property_id)
                DO UPDATE SET ${SEARCH_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      rows: searchRows(properties, batch),
    },
    ...priceJumps(changed),
  ];
}

/** The rows of `property_search` that differ from those before. */
function searchRows(properties: readonly PropertyChange[], batch: Changes['batch']): Row[] {
  return properties.flatMap(({ property, before }): Row[] => {
    const row = searchRowOf(property);
    return before && isEqual(row, searchRowOf(before))
      ? []
      : [[property.id, before ? null : (batch ?? null), ...row]];
  });
}

/** The values of {@link PROPERTY_COLUMNS}. */
function rowOf(property: PropertyDocument): Row {
  const { id, unit, updated_at, pictures, texts } = property;
  return [id, unit, toSeconds(updated_at), storedDocumentOf(property), pictures, texts] as Row;
}

/** The channels that properties enter: those that the account does not have are created. */
function newChannels(properties: readonly PropertyChange[]): string[] {
  const entered = properties.flatMap(({ property, before }) =>
    (property.channels ?? []).filter((name) => before?.channels?.includes(name) !== true),
  );
  return [...new Set(entered)];
}

/**
 * Units leave the properties that they are now, so that two properties can exchange theirs: those that are written as well, or that
 * are withdrawn.
 */
function unitReleases(properties: readonly PropertyChange[]): Write[] {
  const taking = properties.filter(
    ({ property: { unit }, before }) =>
      unit !== null &&
      (before?.unit?.development !== unit.development || before.unit.name !== unit.name),
  );
  const written = properties.map(({ property }) => property.id);
  return [
    {
      sql: `UPDATE properties SET unit_id = NULL, document = json_set(document, '$.unit', NULL)
             WHERE account_id = ?1 AND (status = 'Withdrawn' OR identifier IN (SELECT value FROM json_each(?3)))
               AND unit_id IN (
                 SELECT u.id FROM ${rowsOf(['development', 'name'])}
                   ${NAMED_UNITS})`,
      rows: taking.map(({ property: { unit } }) => [unit!.development, unit!.name]),
      parameter3: JSON.stringify(written),
    },
  ];
}

/** A price that changes by this factor is doubted. */
const JUMP = 3;

/** Records prices that have jumped. A second jump is compared with the price before the first, so that a correction ends it. */
function priceJumps(changed: readonly PropertyChange[]): Write[] {
  const jumps = changed.flatMap(({ property, before }): Row[] => {
    const from = before!.offers.sale?.price ?? 0;
    const to = property.offers.sale?.price ?? 0;
    return from > 0 && to > 0 && (to >= JUMP * from || from >= JUMP * to)
      ? [[property.id, from, to]]
      : [];
  });
  return [
    {
      sql: `INSERT INTO price_jumps (property_id, account_id, price_before, price_after)
            SELECT p.id, ?1, d.before, d.after FROM ${rowsOf(['id', 'before', 'after'])}
              JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id WHERE true
                ON CONFLICT (property_id)
                DO UPDATE SET price_after = excluded.price_after, changed_at = excluded.changed_at`,
      rows: jumps,
    },
    {
      sql: `DELETE FROM price_jumps
             WHERE property_id IN (
               SELECT p.id FROM ${rowsOf(['id'])} JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id)
               AND price_after < ${JUMP} * price_before AND price_before < ${JUMP} * price_after`,
      rows: jumps,
    },
  ];
}

/** The statements that delete properties for good. */
export function purge(ids: readonly string[]): Write[] {
  const sql =
    'DELETE FROM properties WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))';
  return [noteProperties(ids), { sql, rows: ids }];
}
