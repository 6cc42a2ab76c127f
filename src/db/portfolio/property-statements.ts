import { isEqual } from '../../lib/bytes/equal.ts';
import { SERVED_LANGUAGES, STORED_LANGUAGES } from '../../lib/languages.ts';
import { toSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { FIELDS } from '../../portfolio/property-fields.ts';
import { fromRows, type Row, rowsOf, upsert, type Write } from '../json-rows.ts';
import { fieldValues } from './field-values.ts';

const IDENTIFIERS = '(SELECT value FROM json_each(?2))';
const TYPE_ID = '(SELECT id FROM property_types WHERE account_id = ?1 AND code = d.type)';
/** No unit has the id -1: a unit that no longer exists fails the statement. */
const UNIT_ID = `(SELECT u.id FROM developments v JOIN units u ON u.development_id = v.id
                   WHERE v.account_id = ?1 AND v.identifier = d.development AND u.name = d.unit)`;
const UNIT_ID_OR_NULL = `iif(d.unit IS NULL, NULL, coalesce(${UNIT_ID}, -1))`;
/** No feature has the id 0: a feature that does not exist, or no longer, fails the statement. */
const FEATURE_IDS = `(SELECT group_concat(coalesce(f.id, 0) ORDER BY given.key)
                        FROM json_each(d.features) given
                        LEFT JOIN features f ON f.account_id = ?1 AND f.code = given.value)`;
const PROPERTY_ID = '(SELECT id FROM properties WHERE account_id = ?1 AND identifier = d.identifier)';

/**
 * The account's revision of the change that adds a property to feeds: a trigger would write the property's row again, as it
 * does for a change number that the statement leaves out.
 */
function nextRevision(kind: 'sale' | 'rental', isOffered: string): string {
  return `iif(${isOffered}, (SELECT ${kind}_revision + 1 FROM accounts WHERE id = ?1), ${kind}_revision)`;
}

/** A property that has been removed and returns is changed now: readers may have seen a later time than the given one. */
function timeListed(kind: 'sale' | 'rental', isOffered: string): string {
  const wasRemoved = 'EXISTS (SELECT 1 FROM removed_properties WHERE account_id = ?1 AND identifier = d.identifier)';
  const now = `iif(${isOffered} AND (d.${kind} IS NULL OR ${wasRemoved}), unixepoch(), 0)`;
  return `max(${kind}_updated_at, coalesce(d.${kind}, 0), ${now})`;
}

interface PropertyToWrite {
  readonly property: PropertyDocument;
  readonly stored: PropertyDocument | undefined;
}

/**
 * The statements that store properties, in their order; parameters are those of `statements.ts`.
 *
 * A new property is inserted as withdrawn and listed last, so that its texts and channels do not count as a change each.
 * A stored one is written by one statement, unless its descriptions change: then it is withdrawn first, for the same reason.
 * Units are released first, so that two properties can exchange theirs: by properties that are, or were before, withdrawn.
 *
 * What a reader sees neither before nor after the transaction counts as never seen. So a property leaves its channels before its
 * values change and enters others after that, and is withdrawn first if it leaves its unit, whose status hides its own.
 */
export function propertyWrites(
  properties: readonly PropertyToWrite[],
  sequenceNumberOf: (id: string) => number | undefined = () => undefined,
): Write[] {
  const added = properties.filter(({ stored }) => stored === undefined).map(({ property }) => property);
  const changed = properties.flatMap(({ property, stored }) => (stored === undefined ? [] : [{ property, stored }]));
  const isListedLast = (each: PropertyToWrite) =>
    leavesUnit(each) || (isListed(each.property) && (each.stored === undefined || changesShownTexts(each)));
  const listedLast = new Set(properties.filter(isListedLast).map(({ property }) => property));
  const [leave, ...enter] = channelWrites(properties);
  const newRows = added.map((property): Row => {
    const isLast = listedLast.has(property);
    const row = documentRow(property, isLast ? 'Withdrawn' : property.status, !isLast);
    return [sequenceNumberOf(property.id) ?? null, ...row];
  });
  return [
    {
      sql: `UPDATE properties SET status = 'Withdrawn' WHERE account_id = ?1 AND identifier IN ${IDENTIFIERS}`,
      rows: changed.filter(({ property }) => listedLast.has(property)).map(({ property }) => property.id),
    },
    {
      sql: `UPDATE properties SET unit_id = NULL
             WHERE status = 'Withdrawn' AND unit_id IN (SELECT ${UNIT_ID} FROM ${rowsOf(UNIT_COLUMNS)})`,
      rows: properties.flatMap(({ property: { unit }, stored }) =>
        unit === null || isEqual(stored?.unit, unit) ? [] : [[unit.development, unit.name]],
      ),
    },
    { sql: INSERTION, rows: newRows },
    ...textWrites(properties),
    leave,
    { sql: UPDATE, rows: changed.map(({ property }) => documentRow(property, property.status, true)) },
    ...enter,
    {
      sql: `UPDATE properties
               SET status = d.status,
                   sale_updated_at = ${timeListed('sale', 'for_sale')},
                   rental_updated_at = ${timeListed('rental', 'for_rent')},
                   sale_revision = ${nextRevision('sale', 'for_sale')},
                   rental_revision = ${nextRevision('rental', 'for_rent')},
                   change_number = coalesce((SELECT change_number FROM accounts WHERE id = ?1) + d.change, change_number),
                   seen = iif(d.state IS NULL, seen, (
                     SELECT json_group_object(audience, d.state) FROM (
                       SELECT '0' AS audience
                        UNION ALL
                       SELECT CAST(channel_id AS TEXT) FROM property_channels
                        WHERE account_id = ?1 AND sequence_number = properties.sequence_number)))
              FROM ${rowsOf(LISTING_COLUMNS)}
             WHERE properties.id = ${PROPERTY_ID}`,
      rows: listingRows(added.filter((property) => listedLast.has(property))),
    },
  ];
}

const NAMES = FIELDS.map(([name]) => name);

const DOCUMENT_COLUMNS = [
  'identifier',
  'type',
  'development',
  'unit',
  'features',
  'status',
  'sale_updated_at',
  'rental_updated_at',
  ...NAMES,
];

const INSERTION = `
  INSERT INTO properties (account_id, sequence_number, identifier, type_id, unit_id, features, status,
                          sale_updated_at, rental_updated_at, ${NAMES.join(', ')})
  SELECT ?1,
         coalesce(
           d.sequence_number,
           (SELECT coalesce(max(sequence_number), 0) FROM properties WHERE account_id = ?1) + d.position + 1
         ),
         d.identifier, ${TYPE_ID}, ${UNIT_ID_OR_NULL}, ${FEATURE_IDS}, d.status,
         coalesce(d.sale_updated_at, 0), coalesce(d.rental_updated_at, 0),
         ${NAMES.map((name) => `d.${name}`).join(', ')}
    FROM ${rowsOf(['sequence_number', ...DOCUMENT_COLUMNS])}`;

/** Times only advance. */
const UPDATE = `
  UPDATE properties
     SET ${NAMES.map((name) => `${name} = d.${name}`).join(', ')},
         type_id = ${TYPE_ID}, unit_id = ${UNIT_ID_OR_NULL}, features = ${FEATURE_IDS}, status = d.status,
         version = version + 1, ${laterTime('sale_updated_at')}, ${laterTime('rental_updated_at')}
    FROM ${rowsOf(DOCUMENT_COLUMNS)}
   WHERE properties.id = ${PROPERTY_ID}`;

function laterTime(time: string): string {
  return `${time} = iif(d.${time} > max(properties.sale_updated_at, properties.rental_updated_at), d.${time}, properties.${time})`;
}

const UNIT_COLUMNS = ['development', 'unit'];

const LISTING_COLUMNS = ['identifier', 'status', 'sale', 'rental', 'change', 'state'];

/** Each shown property takes the account's next change number, in their order. */
function listingRows(added: readonly PropertyDocument[]): Row[] {
  let change = 0;
  return added.map((p) => {
    const state = stateOf(p);
    const times = [toSeconds(p.sale_updated_at), toSeconds(p.rental_updated_at)];
    return [p.id, p.status, ...times, state === null ? null : ++change, state];
  });
}

/**
 * The bit of the view `listed_states` for a property that feeds show; `null` if none does, or if that depends on its unit or
 * the kind of reader.
 */
function stateOf({ unit, offers, status, rented, ...p }: PropertyDocument): number | null {
  const [forSale, forRent] = [offers.sale !== null, offers.long_term !== null || offers.short_term !== null];
  if (unit !== null || p.restrictions.length > 0 || !(forSale || forRent)) return null;
  const facts = [forSale, forRent, status === 'Available', !rented, p.on_own_website && p.on_other_websites];
  return 2 ** facts.reduce((state, fact, index) => state + (fact ? 2 ** index : 0), 0);
}

function documentRow(p: PropertyDocument, status: string, withTimes: boolean): Row {
  return [
    p.id,
    p.type,
    p.unit?.development ?? null,
    p.unit?.name ?? null,
    p.features,
    status,
    withTimes ? toSeconds(p.sale_updated_at) : null,
    withTimes ? toSeconds(p.rental_updated_at) : null,
    ...fieldValues(p),
  ];
}

/** Whether feeds show it, unless its unit is sold. */
export function isListed({ status, unit }: PropertyDocument): boolean {
  return status !== 'Withdrawn' && (status !== 'Sold' || unit !== null);
}

function leavesUnit({ property, stored }: PropertyToWrite): boolean {
  return stored !== undefined && stored.unit !== null && !isEqual(stored.unit, property.unit);
}

function changesShownTexts({ property, stored }: PropertyToWrite): boolean {
  return SERVED_LANGUAGES.some(({ element }) => {
    const [given, before] = [property.texts[element], stored?.texts[element]];
    return (['description', 'url'] as const).some((part) => (given?.[part] ?? null) !== (before?.[part] ?? null));
  });
}

/** Writes only the texts that differ from the stored ones. */
function textWrites(properties: readonly PropertyToWrite[]): Write[] {
  const gone: Row[] = [];
  const given: Row[] = [];
  for (const { property, stored } of properties) {
    for (const { code, element } of STORED_LANGUAGES) {
      const text = property.texts[element];
      const before = stored?.texts[element];
      if (text === undefined) {
        if (before !== undefined) gone.push([property.id, code]);
      } else if (!isEqual(text, before)) {
        given.push([property.id, code, text.title, text.description, text.url]);
      }
    }
  }
  const key = ['identifier', 'language'];
  return [
    {
      sql: `DELETE FROM property_texts
             WHERE id IN (SELECT ${PROPERTY_ID} * 128 + d.language FROM ${rowsOf(key)})`,
      rows: gone,
    },
    upsert(
      { table: 'property_texts', key: ['id'], values: fromRows(['title', 'description', 'url']) },
      { id: `${PROPERTY_ID} * 128 + d.language` },
      [...key, 'title', 'description', 'url'],
      given,
    ),
  ];
}

const CHANNEL_COLUMNS = ['identifier', 'channel'];

const ASSIGNMENTS = `${rowsOf(CHANNEL_COLUMNS)}
    CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier = d.identifier
    CROSS JOIN channels c ON c.account_id = ?1 AND c.name = d.channel`;

/**
 * Assigns properties to channels, which are created if necessary, and only writes what differs from the stored assignments:
 * the channels' triggers advance their revisions. Properties that state none keep theirs.
 */
function channelWrites(properties: readonly PropertyToWrite[]): [leave: Write, ...enter: Write[]] {
  const added: Row[] = [];
  const removed: Row[] = [];
  for (const { property, stored } of properties) {
    const [given, before] = [property.channels ?? stored?.channels ?? [], stored?.channels ?? []];
    for (const name of given) if (!before.includes(name)) added.push([property.id, name]);
    for (const name of before) if (!given.includes(name)) removed.push([property.id, name]);
  }
  return [
    {
      sql: `DELETE FROM property_channels WHERE (account_id, sequence_number, channel_id) IN (
              SELECT p.account_id, p.sequence_number, c.id FROM ${ASSIGNMENTS})`,
      rows: removed,
    },
    {
      sql: `INSERT INTO channels (account_id, name) SELECT DISTINCT ?1, d.channel FROM ${rowsOf(CHANNEL_COLUMNS)}
             WHERE d.channel NOT IN (SELECT name FROM channels WHERE account_id = ?1)`,
      rows: added,
    },
    {
      // The revision is the one of the change that shows the property in the channel; a trigger would write the row again.
      sql: `INSERT INTO property_channels (account_id, sequence_number, channel_id, revision)
            SELECT p.account_id, p.sequence_number, c.id, c.revision + 1 FROM ${ASSIGNMENTS}
             WHERE true ON CONFLICT (account_id, sequence_number, channel_id) DO NOTHING`,
      rows: added,
    },
  ];
}
