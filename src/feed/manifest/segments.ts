import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../db/schema.ts';

/** How the parameter set of a channel's feed ends. */
export function channelSuffix(channelId: number): string {
  return `&channel=${channelId}`;
}

/** The id of the channel of a parameter set, by its canonical name; `null` without one. */
export function channelIn(parameters: string): number | null {
  const [, id] = /&channel=(\d+)$/.exec(parameters) ?? [];
  return id === undefined ? null : Number(id);
}

/** The part of a development has its id plus this number; parts of segments have lower numbers. */
export const FIRST_DEVELOPMENT_PART = 1_000_000_000;

/** The number of the last change in a segment of an account, in a statement that reads `accounts`. D1 binds numbers as REAL. */
export function segmentNumber(segment: SQLWrapper | number): SQL<number | null> {
  return sql`${accounts.segments} ->> ('$.' || CAST(${segment} AS INTEGER) || '[0]')`;
}

/** The number of the last change of a development and its units, in a statement that reads `accounts`. */
export function developmentNumber(id: SQLWrapper | number): SQL<number | null> {
  return sql`${accounts.developments} ->> ('$.' || CAST(${id} AS INTEGER))`;
}

/** The number of the last change in a part of a feed: of a development or of a segment. `NULL` if the account has no such part. */
export function partNumber(part: SQLWrapper): SQL<number | null> {
  const first = sql.raw(String(FIRST_DEVELOPMENT_PART));
  return sql`iif(CAST(${part} AS INTEGER) >= ${first},
    ${developmentNumber(sql`(CAST(${part} AS INTEGER) - ${first})`)}, ${segmentNumber(part)})`;
}
