import { type Column, type Row, rowsOf, type Write } from '../json-rows.ts';
import type { PropertyToWrite } from './property-statements.ts';

const COLUMNS: readonly Column[] = ['identifier', 'channel'];

// Plain SQL, as the other statements of `portfolioStatements`.
const ASSIGNMENTS = `${rowsOf(COLUMNS)}
    CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier = d.identifier
    CROSS JOIN channels c ON c.account_id = ?1 AND c.name = d.channel`;

/**
 * Assigns properties to channels, which are created if necessary, and only writes what differs from the stored assignments:
 * the channels' triggers advance their revisions. Properties that state none keep theirs.
 */
export function channelWrites(properties: readonly PropertyToWrite[]): Write[] {
  const added: Row[] = [];
  const removed: Row[] = [];
  for (const { property, stored } of properties) {
    const [given, before] = [property.channels ?? stored?.channels ?? [], stored?.channels ?? []];
    for (const name of given) if (!before.includes(name)) added.push([property.id, name]);
    for (const name of before) if (!given.includes(name)) removed.push([property.id, name]);
  }
  return [
    {
      sql: `DELETE FROM property_channels WHERE (account_id, sequence_number, channel_id) IN (
              SELECT p.account_id, p.sequence_number, c.id FROM ${ASSIGNMENTS})`,
      rows: removed,
    },
    {
      sql: `INSERT INTO channels (account_id, name) SELECT DISTINCT ?1, d.channel FROM ${rowsOf(COLUMNS)}
             WHERE d.channel NOT IN (SELECT name FROM channels WHERE account_id = ?1)`,
      rows: added,
    },
    {
      // A trigger would write the revision, that of the change which shows the property in the channel, to the row again.
      sql: `INSERT INTO property_channels (account_id, sequence_number, channel_id, revision)
            SELECT p.account_id, p.sequence_number, c.id, c.revision + 1 FROM ${ASSIGNMENTS}
             WHERE true ON CONFLICT (account_id, sequence_number, channel_id) DO NOTHING`,
      rows: added,
    },
  ];
}
