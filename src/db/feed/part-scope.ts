import { type SQL, sql } from '#drizzle';

/** Sequence numbers per segment. */
export const SEGMENT_SIZE = 500;

/** The properties in a part of a feed: those of a segment, of a development's units, or of a JSON array of sequence numbers. */
export type PartScope = { readonly segment: number } | { readonly development: number } | { readonly numbers: string };

/**
 * Stored bytes of texts and pictures after which a page of a part ends: with short texts, a part has one page. Reading a page
 * takes several times this memory.
 */
export const PAGE_BYTES = 2 * 1024 * 1024;

/** Bytes that count for all other values of a property. */
const OTHER_BYTES = 100;

/**
 * Which properties `p` are on the page that begins at a place, and where it ends: the first place at which the stored sizes
 * add up to {@link PAGE_BYTES}, or `NULL`. Places are sequence numbers or, in a list of these, indexes. `octet_length` reads
 * the length of a text without the text.
 */
export function pageOf(accountId: number, scope: PartScope, languages: readonly number[], from: number) {
  const size = sql`(${OTHER_BYTES} + ifnull(octet_length(p.pictures), 0) + ifnull((
    SELECT sum(octet_length(description)) FROM property_texts
     WHERE id IN (${sql.raw(languages.map((language) => `p.id * 128 + ${language}`).join(', '))})), 0))`;
  // Most parts are one page, and a window function reads each row twice more.
  const end = (place: string, candidates: SQL) => sql`
    SELECT iif((SELECT sum(${size}) FROM ${candidates}) < ${PAGE_BYTES}, NULL, (
      SELECT place + 1 FROM (
        SELECT ${sql.raw(place)} AS place, sum(${size}) OVER (ORDER BY ${sql.raw(place)} ROWS UNBOUNDED PRECEDING) AS total
          FROM ${candidates})
       WHERE total >= ${PAGE_BYTES} LIMIT 1))`;
  if ('segment' in scope) {
    const [first, last] = [Math.max(from, scope.segment * SEGMENT_SIZE + 1), (scope.segment + 1) * SEGMENT_SIZE];
    const candidates = sql`properties p WHERE account_id = ${accountId} AND sequence_number BETWEEN ${first} AND ${last}`;
    return {
      end: end('sequence_number', candidates),
      contains: sql`p.sequence_number BETWEEN ${first} AND ifnull((SELECT next - 1 FROM page), ${last})`,
    };
  }
  if ('development' in scope) {
    // The plus signs keep SQLite from looking for units among all properties of the account.
    const ofUnits = sql`p.unit_id IN (SELECT id FROM units WHERE development_id = ${scope.development})`;
    const candidates = sql`properties p WHERE ${ofUnits} AND +p.account_id = ${accountId} AND +p.sequence_number >= ${from}`;
    return {
      end: end('sequence_number', candidates),
      contains: sql`${ofUnits} AND +p.sequence_number >= ${from}
        AND +p.sequence_number < ifnull((SELECT next FROM page), 9e15)`,
    };
  }
  const numbers = sql`json_each(${scope.numbers})`;
  const ofNumber = sql`properties p ON p.account_id = ${accountId} AND p.sequence_number = value`;
  return {
    end: end('key', sql`${numbers} CROSS JOIN ${ofNumber} WHERE key >= ${from}`),
    contains: sql`p.sequence_number IN (
      SELECT value FROM ${numbers} WHERE key >= ${from} AND key < ifnull((SELECT next FROM page), 9e9))`,
  };
}
