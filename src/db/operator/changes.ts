/** Reads as `changes` how many rows this connection has changed so far, as `meta.changes` of D1 counts them. */
export const TOTAL_CHANGES = 'SELECT total_changes() AS changes';
