import { nowInSeconds } from '../../lib/time/time.ts';
import { unwrapped, wrapped } from '../document/envelope.ts';
import {
  addSnapshot,
  findSnapshot,
  nameOf,
  type PlannedPart,
  type PlannedSnapshot,
  type ReadPart,
  snapshotKey,
} from '../manifest/plan.ts';
import { putLocal } from '../snapshots/local.ts';
import { putSnapshot, readSnapshot } from '../snapshots/store.ts';
import type { SnapshotDetails } from '../snapshots/table.ts';
import { type BuildClaim, type BuiltPart, claimBuild } from './builds.ts';
import { countMiss, type FeedContext } from './context.ts';
import { buildPart } from './pages.ts';

/** A part that is ready to be sent: from its snapshot, or as it was built. */
export interface LoadedPart {
  readonly records: number;
  /** The compressed bytes that it holds alone; 0 for a snapshot, whose bytes all readers share. */
  readonly heldBytes: number;
  /** Its bytes. A snapshot that KV has lost since it was loaded is built again. */
  read(): Promise<BuiltPart>;
}

/**
 * Age in seconds at which a snapshot of this location is written to KV as well, when it is requested. Writing a part to KV and
 * deleting it costs four times as much as building it, so only parts that last are worth it.
 */
const LASTING_SECONDS = 3_600;

/**
 * Maximum number of parts that a request stores, with two statements each: D1 allows an invocation 1,000, and one of many
 * developments needs most of them to build its parts. Later requests store the others.
 */
const MAX_STORED = 90;

/** Loads a part's snapshot; if it has none, or KV does not return it, builds it. */
export async function loadPart(part: PlannedPart, context: FeedContext): Promise<LoadedPart> {
  const { manifest, set, envelope, report, background } = context;
  // Another request may have written one since this one began.
  const snapshot = part.snapshot ?? (part.isLost ? null : findSnapshot(manifest, set, part));
  if (snapshot === null)
    return fromBuild(await buildMissing(part, context, part.isLost ? 'lost' : undefined));
  const { crc, length, records } = snapshot;
  try {
    const feed = await feedOf(snapshot, context);
    if (feed === null) return fromBuild(await buildMissing(part, context, 'lost'));
    if (snapshot.from === 'location' && nowInSeconds() - snapshot.cachedAt >= LASTING_SECONDS) {
      background.add(() => store(part, feed, detailsOf(snapshot), context), feed.length);
    }
  } catch (error) {
    report(error);
    return fromBuild(await buildMissing(part, context, 'unreadable'));
  }
  const read = async () => {
    const feed = await feedOf(snapshot, context).catch(report);
    if (feed == null) return buildMissing(part, context, 'lost');
    return {
      deflated: unwrapped(feed, envelope),
      plain: null,
      crc,
      length,
      records,
      revision: part.revision,
    };
  };
  return { records, heldBytes: 0, read };
}

/** The feed that consists of a snapshot's part alone; `null` if it is lost. */
async function feedOf(
  snapshot: PlannedSnapshot,
  { env, background }: FeedContext,
): Promise<Uint8Array | null> {
  if (snapshot.bytes === 0) return new Uint8Array(0);
  return readSnapshot(env, snapshot, (feed) => {
    if (snapshot.from !== 'location or KV') return;
    const local = { ...detailsOf(snapshot), builtAt: snapshot.cachedAt };
    background.add(() => putLocal(snapshot.name, feed, local), feed.length);
  });
}

function fromBuild(built: BuiltPart): LoadedPart {
  const heldBytes = built.deflated.length + (built.plain?.length ?? 0);
  return { records: built.records, heldBytes, read: async () => built };
}

/** Builds a part, unless another request is building it. @param reason why its snapshot, if any, cannot be used */
async function buildMissing(
  part: PlannedPart,
  context: FeedContext,
  reason?: 'lost' | 'unreadable',
): Promise<BuiltPart> {
  countMiss(context, part, reason);
  const { manifest, set } = context;
  const key = snapshotKey(nameOf(manifest.accountId, set, part));
  const claim = await claimBuild(key, part.bytes);
  if ('value' in claim) return claim.value;
  try {
    const built = await buildPart(part, claim, context);
    cache(built, part, claim, context);
    return built;
  } catch (error) {
    claim.end();
    throw error;
  }
}

/** Caches a part in the background, if one revision determines it and memory suffices. */
function cache(
  built: BuiltPart,
  { part, order, scope }: PlannedPart,
  claim: BuildClaim,
  context: FeedContext,
): void {
  const { manifest, set, envelope, background, hasLocalCache } = context;
  const { revision, deflated, crc, length, records } = built;
  if (revision === null) {
    claim.end();
    return;
  }
  claim.share(built);
  const write = async () => {
    const feed = length === 0 ? deflated : wrapped(built, envelope);
    const numbers = 'numbers' in scope ? scope.numbers : null;
    const details = {
      bytes: feed.length,
      crc,
      length,
      records,
      parts: order?.parts ?? null,
      numbers,
    };
    const name = nameOf(manifest.accountId, set, { part, revision });
    if (hasLocalCache && feed.length > 0)
      await putLocal(name, feed, { ...details, builtAt: nowInSeconds() });
    else await store({ part, revision }, feed, details, context);
  };
  // The part, and the feed of this part alone.
  if (!background.add(() => write().finally(claim.end), 2 * deflated.length)) claim.end();
}

function detailsOf({
  bytes,
  crc,
  length,
  records,
  parts,
  numbers,
}: SnapshotDetails): SnapshotDetails {
  return { bytes, crc, length, records, parts, numbers };
}

async function store(
  part: ReadPart,
  feed: Uint8Array,
  details: SnapshotDetails,
  context: FeedContext,
): Promise<void> {
  const { env, manifest, set, metrics } = context;
  if (++metrics.stored > MAX_STORED) return;
  const name = nameOf(manifest.accountId, set, part);
  if (await putSnapshot(env, name, feed, details)) addSnapshot(manifest, set, part, details);
}
