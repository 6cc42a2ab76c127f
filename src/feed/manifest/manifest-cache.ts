import { boundedCache } from '../../lib/bounded-cache.ts';
import { type EpochMilliseconds, isWithin } from '../../lib/time/time.ts';
import type { SnapshotSet } from '../snapshots/table.ts';
import { type KeyLookup, type Manifest, type ManifestRead, readManifest } from './manifest.ts';

/** Milliseconds for which a manifest counts as current: the maximum delay with which another isolate sees a change. */
export const FRESH_MS = 1_000;

/** Milliseconds for which a manifest still serves verified readers while D1 fails. */
export const USABLE_MS = 10 * 60_000;

/** A read of the database: when it began, by the isolate's clock, and after how many changes that this isolate has made. */
export interface Reading {
  readonly readAt: EpochMilliseconds;
  readonly generation: number;
}

/**
 * Manifests that have authorized a reader: nobody else can evict them. They are cached as values: a D1 promise that two
 * requests share would hang the second.
 */
const manifests = boundedCache<Reading & { readonly manifest: Manifest }>({
  maxBytes: 8_000_000,
  valueBytes: ({ manifest }) => 1_000 + 500 * manifest.parts.length,
});

/** Advances with every change that this isolate makes: what was read before it is not cached after it. */
let generation = 0;

export function advanceGeneration(): void {
  generation++;
}

function startReading(now: EpochMilliseconds): Reading {
  return { readAt: now, generation };
}

/** Whether this isolate has made no change since a read began. */
export function isCurrent(reading: Reading): boolean {
  return reading.generation === generation;
}

/** A manifest and, because D1 fails, whether it is an old copy that may serve only callers verified before. */
export interface FoundManifest
  extends Reading,
    Pick<ManifestRead, 'manifest' | 'reader' | 'parameters'> {
  readonly staleSince: EpochMilliseconds | null;
}

/** The manifest of a feed from memory; `null` unless it was read within the last second. */
export function freshManifest(
  code: string,
  set: SnapshotSet,
  now: EpochMilliseconds,
): Manifest | null {
  const found = manifests.get(keyOf(code, set));
  return found !== undefined && isWithin(FRESH_MS, found.readAt, now) ? found.manifest : null;
}

/**
 * The manifest of a feed from D1; if D1 fails, a cached one that is up to ten minutes old.
 *
 * @param key of the reader that requests the feed; if D1 fails, no reader is found
 * @throws what D1 throws, if there is no cached one
 */
export async function loadManifest(
  db: D1Database,
  code: string,
  set: SnapshotSet,
  now: EpochMilliseconds,
  key: KeyLookup | null = null,
): Promise<FoundManifest> {
  const reading = startReading(now);
  try {
    const read = await readManifest(db, code, set, key);
    // Once an account is disabled or has another password, no copy may serve the readers that it authorized before.
    const password = read.manifest?.password;
    removeManifests((other, found) => found.startsWith(`${code} `) && other.password !== password);
    return { ...reading, ...read, staleSince: null };
  } catch (error) {
    const copy = manifests.get(keyOf(code, set));
    if (copy === undefined || !isWithin(USABLE_MS, copy.readAt, now)) throw error;
    return { ...copy, reader: null, parameters: set.parameters, staleSince: copy.readAt };
  }
}

/** Caches the manifest of a feed that has authorized a reader, unless this isolate has made a change since it was read. */
export function rememberManifest(code: string, set: SnapshotSet, found: FoundManifest): void {
  const { manifest, readAt, staleSince } = found;
  if (manifest === null || staleSince !== null || !isCurrent(found)) return;
  manifests.set(keyOf(code, set), { manifest, readAt, generation });
}

/** Removes every manifest of an account, and prevents those that are being read from being cached. */
export function invalidateManifests(accountId: number): void {
  advanceGeneration();
  removeManifests((manifest) => manifest.accountId === accountId);
}

function removeManifests(isRemoved: (manifest: Manifest, key: string) => boolean): void {
  for (const [key, { manifest }] of [...manifests.entries()])
    if (isRemoved(manifest, key)) manifests.delete(key);
}

function keyOf(
  code: string,
  { format, parameters }: Pick<SnapshotSet, 'format' | 'parameters'>,
): string {
  return `${code} ${format} ${parameters}`;
}
