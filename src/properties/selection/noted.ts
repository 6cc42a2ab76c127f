import { sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { rowsOf, type Write } from '../../db/json-rows.ts';
import { areRulesMet } from './sql.ts';

const { sql: MET } = new SQLiteAsyncDialect().sqlToQuery(areRulesMet(sql`r.selection`));

/**
 * Which properties the rules of which readers of account `?1` select now, as rows of the table `selected`. An account without such
 * readers reads nothing more.
 *
 * @param ids the SELECT of the properties' ids
 */
export function selectedNow(ids: string): string {
  return `
    SELECT r.id AS reader_id, p.identifier, p.id AS property_id, p.restrictions
      FROM readers r CROSS JOIN properties p LEFT JOIN units u ON u.id = p.unit_id
     WHERE r.account_id = ?1 AND r.selection IS NOT NULL AND p.id IN (${ids}) AND p.listed
       AND (r.channel_id IS NULL OR instr(p.channels, json_quote((
             SELECT c.name FROM channels c WHERE c.account_id = ?1 AND c.id = r.channel_id))))
       AND ${MET}`;
}

const note = (ids: string) => `
  INSERT INTO selected (reader_id, identifier, property_id, restrictions)
  ${selectedNow(ids)} ON CONFLICT DO NOTHING`;

const NOTE_PROPERTIES = note(`
  SELECT x.id FROM json_each(?2) d JOIN properties x ON x.account_id = ?1 AND x.identifier = d.value`);

const NOTE_UNITS = note(`
  SELECT x.id FROM ${rowsOf(['development', 'name'])}
    JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
    JOIN units y ON y.development_id = v.id AND y.name = d.name JOIN properties x ON x.unit_id = y.id`);

/**
 * Notes for which readers' rules properties were selected. Whoever changes or deletes them does this before, in the same
 * transaction: who follows the changes is told that a property is gone only if it was selected once.
 *
 * @param ids their identifiers
 */
export function noteProperties(ids: readonly string[]): Write {
  return { sql: NOTE_PROPERTIES, rows: ids };
}

/** Like {@link noteProperties}, of the properties that show these units: whoever changes a unit does this before. */
export function noteUnits(units: readonly { development: string; name: string }[]): Write {
  return { sql: NOTE_UNITS, rows: units.map(({ development, name }) => [development, name]) };
}
