/**
 * In place of drizzle's module of this purpose, which `wrangler.toml` leaves out of the script: with its dialect of
 * PostgreSQL, it would take 1 KB of the script, compressed.
 */

/** Whether a part of a statement is an enumeration of PostgreSQL: here there are none. */
export const isPgEnum = (): boolean => false;
