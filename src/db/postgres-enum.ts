/**
 * Takes the place of drizzle's module of the same purpose (see `[alias]` in `wrangler.toml`), which imports the columns of
 * PostgreSQL: nearly 1 KB of the script, compressed.
 */

/** Whether a part of a statement is an enumeration of PostgreSQL: here there are none. */
export const isPgEnum = (): boolean => false;
