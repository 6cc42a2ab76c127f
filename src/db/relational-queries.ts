/**
 * Takes the place of drizzle's module of the same purpose (see `[alias]` in `wrangler.toml`): no statement here is a relational
 * query (`db.query`), whose builder is half a kilobyte of the script, compressed.
 */

/** Drizzle makes one for each table of a schema; none is given. */
export class RelationalQueryBuilder {}
