import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SEGMENT_SIZE } from '../../db/schema.ts';

/**
 * The properties in a part of a feed, or on a page of one: those of a segment or of a development's units, or those with the numbers
 * in a JSON array.
 */
export type PartScope =
  | { readonly segment: number; readonly between?: Range }
  | { readonly development: number; readonly between?: Range }
  | { readonly numbers: string };

/** The numbers of the first and the last property. */
type Range = readonly [first: number, last: number];

/** Stored bytes of properties after which a page of a part ends. Reading a page takes several times this memory. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** The pages of a part that is too large for one, in the order of the feed. */
export async function pagesOf(
  db: D1Database,
  accountId: number,
  scope: PartScope,
): Promise<PartScope[]> {
  const rows = await drizzle(db).all<{ number: number; bytes: number }>(sql`
    SELECT p.number, p.bytes FROM properties p WHERE ${contains(accountId, scope)} ORDER BY p.number`);
  const pages: number[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const { number, bytes } of inFeedOrder(rows, scope)) {
    if (total + bytes > PAGE_BYTES) {
      pages.push([]);
      total = 0;
    }
    pages.at(-1)!.push(number);
    total += bytes;
  }
  if ('numbers' in scope) return pages.map((numbers) => ({ numbers: JSON.stringify(numbers) }));
  // The pages cover all numbers of the part: a property that is added meanwhile is on one of them.
  const [first, last] = rangeOf(scope);
  return pages.map((numbers, index) => ({
    ...scope,
    between: [index === 0 ? first : numbers[0]!, (pages[index + 1]?.[0] ?? last + 1) - 1],
  }));
}

function rangeOf(scope: Exclude<PartScope, { numbers: string }>): Range {
  if (scope.between !== undefined) return scope.between;
  if ('development' in scope) return [1, Number.MAX_SAFE_INTEGER - 1];
  return [scope.segment * SEGMENT_SIZE + 1, (scope.segment + 1) * SEGMENT_SIZE];
}

function inFeedOrder<Row extends { readonly number: number }>(
  rows: readonly Row[],
  scope: PartScope,
): readonly Row[] {
  if (!('numbers' in scope)) return rows;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return (JSON.parse(scope.numbers) as number[]).flatMap((number) => byNumber.get(number) ?? []);
}

/** Whether a property `p` belongs to a scope. */
export function contains(accountId: number, scope: PartScope): SQL {
  if ('numbers' in scope) {
    return sql`p.account_id = ${accountId} AND p.number IN (SELECT value FROM json_each(${scope.numbers}))`;
  }
  const [first, last] = rangeOf(scope);
  if ('segment' in scope) {
    return sql`p.account_id = ${accountId} AND p.number BETWEEN ${first} AND ${last}`;
  }
  // The plus signs keep SQLite from looking for units among all properties of the account.
  return sql`p.unit_id IN (SELECT id FROM units WHERE development_id = ${scope.development})
    AND +p.account_id = ${accountId} AND +p.number BETWEEN ${first} AND ${last}`;
}

/** The order of a feed's properties `p`. */
export function orderOf(scope: PartScope): SQL {
  return 'numbers' in scope ? sql`p.listed_at DESC, p.number DESC` : sql`p.number`;
}
