import { type SQL, sql } from 'drizzle-orm';
import { type ReaderKind, restrictionsFor } from '../../portfolio/restrictions.ts';

/** Whether readers of a kind may have the property `p`. */
export function isAllowedFor(kind: ReaderKind | null | undefined): SQL {
  const restrictions = restrictionsFor(kind);
  if (restrictions.length === 0) return sql`1`;
  const absent = restrictions.map((name) => sql.raw(`NOT instr(p.restrictions, '${name}')`));
  return sql`(p.restrictions IS NULL OR ${sql.join(absent, sql` AND `)})`;
}

/**
 * Whether the row whose column `seen` is in scope was seen in some of these states, by readers of a channel and a kind: see
 * `states_seen`.
 */
export function wasSeen(states: number, channel: number | null, kind: ReaderKind | null): SQL {
  const audience = String(channel ?? 0);
  const seen = sql`seen ->> ${`$.${audience}`}`;
  const byKind =
    restrictionsFor(kind).length === 0 ? seen : sql`ifnull(seen ->> ${`$."${audience}/${kind}"`}, ${seen})`;
  return sql`ifnull(${byKind}, 0) & CAST(${states} AS INTEGER) <> 0`;
}
