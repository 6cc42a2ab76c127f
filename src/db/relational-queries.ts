/**
 * Takes the place of two modules of drizzle (see `[alias]` in `wrangler.toml`): no statement here is a relational query
 * (`db.query`), for which they would take 1.7 KB of the script, compressed.
 */

/** Drizzle makes one for each table of a schema; none is given. */
export class RelationalQueryBuilder {}

/** The kinds of relations between tables. */
export class Many {}
export class One {}

/** Drizzle calls these only for a relational query, or if it is given a schema. */
function unused(): never {
  throw new Error('Relational queries are not part of the script');
}

export {
  unused as createTableRelationsHelpers,
  unused as extractTablesRelationalConfig,
  unused as getOperators,
  unused as getOrderByOperators,
  unused as normalizeRelation,
};
