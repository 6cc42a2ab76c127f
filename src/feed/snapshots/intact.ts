import { crc32 } from 'node:zlib';
import { log } from '../../lib/log.ts';
import { snapshotKey } from '../manifest/plan.ts';
import type { SnapshotName } from './table.ts';

/**
 * Whether a snapshot has the bytes that were stored. A reader of the compressed feed is sent them
 * as they are, and would get damaged ones until the next change; a damaged snapshot is built again,
 * and overwritten.
 */
export function isIntact(
  feed: Uint8Array,
  { bytes, sum }: { readonly bytes: number; readonly sum: number },
  name: SnapshotName,
): boolean {
  if (feed.length === bytes && crc32(feed) === sum) return true;
  log('warn', 'snapshot.damaged', { key: snapshotKey(name) });
  return false;
}
