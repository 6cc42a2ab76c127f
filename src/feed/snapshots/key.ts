import { type SnapshotName, snapshotRevisions } from '../../db/feed/snapshots.ts';

/**
 * The key of a snapshot, under 512 bytes. It determines the bytes: whatever could change them is part of it, so a late
 * write can never be mistaken for a later snapshot, and stale entries only occupy space.
 */
export function snapshotKey(name: SnapshotName): string {
  return `${name.format}/account${name.accountId}/part${name.part}/${snapshotRevisions(name)}/${name.parameters}`;
}
