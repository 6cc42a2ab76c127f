import type { SnapshotName } from '../../db/feed/snapshots.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { PlannedPart } from '../manifest/plan.ts';
import { findLocal } from './local.ts';

/** Parts that are looked for at the same time: a Worker may have six connections open. */
const AT_ONCE = 6;

/** The parts with the snapshots that this location has of them. Those that KV has are read from the location first. */
export async function withLocalSnapshots(
  parts: readonly PlannedPart[],
  nameOfPart: (part: PlannedPart) => SnapshotName,
  now: EpochSeconds,
): Promise<PlannedPart[]> {
  const locate = async (part: PlannedPart): Promise<PlannedPart> => {
    if (part.snapshot !== null) return { ...part, snapshot: { ...part.snapshot, from: 'location or KV' } };
    const name = nameOfPart(part);
    const found = await findLocal(name);
    if (found === null) return part;
    const { builtAt, ...details } = found;
    const times = { cachedAt: builtAt, lastUsedAt: now };
    return { ...part, snapshot: { ...details, ...times, name, isSettled: false, from: 'location' } };
  };
  const located: PlannedPart[] = [];
  for (let start = 0; start < parts.length; start += AT_ONCE) {
    located.push(...(await Promise.all(parts.slice(start, start + AT_ONCE).map(locate))));
  }
  return located;
}
