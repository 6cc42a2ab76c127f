import { LRUCache } from 'lru-cache';
import { isOneOfSeveral } from '../../db/connection.ts';
import { type KeyLookup, type Manifest, type ManifestReader, readManifest } from '../../db/feed/manifest.ts';
import type { SnapshotDetails, SnapshotName, SnapshotSet } from '../../db/feed/snapshots.ts';
import { isWithin } from '../../lib/time/age.ts';
import { pollUntil } from '../../lib/time/poll.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { forgetReader, forgetReaders, rememberReader } from './known-readers.ts';
import { type PlannedSnapshot, snapshotIn, withSnapshot } from './plan.ts';

/** Milliseconds for which a manifest counts as current: the maximum delay with which another isolate sees a change. */
export const FRESH = 1_000;

/** Milliseconds for which a manifest still serves verified readers while D1 fails. */
export const USABLE = 10 * 60_000;

/** Maximum wait (ms) for another request's read. */
const MAX_WAIT = 100;

interface CachedManifest {
  /** `null`: there is no such account. */
  readonly manifest: Manifest | null;
  /** When reading it began, by the isolate's clock. */
  readonly readAt: EpochMilliseconds;
}

/**
 * Manifests that have authorized a reader. They are cached as values: a D1 promise that two requests share would hang the
 * second.
 */
const authorized = new LRUCache<string, CachedManifest>({ max: 500 });

/** Manifests that have not authorized a reader, stored separately so that they cannot evict the others. */
const unauthorized = new LRUCache<string, CachedManifest>({ max: 500 });

/** Advances with every change that this isolate makes: a manifest whose read began before the change is not cached. */
let generation = 0;

/** A read that a request has begun. */
interface Reading {
  readonly startedAt: number;
  /** At its start. */
  readonly generation: number;
}

/** By feed, reads that have not ended; those whose requests were cancelled stay. */
const readings = new LRUCache<string, Reading>({ max: 500 });

/** A manifest, and, because D1 fails, whether it is an old copy that may serve only readers verified before. */
export interface FoundManifest {
  /** `null`: no account has this code, or it is disabled. */
  readonly manifest: Manifest | null;
  /** When the old copy was read; `null` for a current manifest. */
  readonly staleSince: EpochMilliseconds | null;
}

/**
 * The manifest of a feed from memory; `null` unless it was read within the last second.
 */
export function freshManifest(code: string, set: SnapshotSet, now: EpochMilliseconds): FoundManifest | null {
  const found = cachedUnder(keyOf(code, set));
  if (found === undefined || !isWithin(FRESH, found.readAt, now)) return null;
  return { manifest: found.manifest, staleSince: null };
}

/**
 * The manifest of a feed from memory or D1. Of the requests that arrive just as it expires, the first reads it. The others
 * wait for that read if they could also take its result from memory: it began less than a second before they did, and this
 * isolate has made no change since. If it fails or takes long, each reads for itself.
 *
 * @throws what D1 throws, if there is no cached one
 */
export async function findManifest(
  db: D1Database,
  code: string,
  set: SnapshotSet,
  now: EpochMilliseconds,
): Promise<FoundManifest> {
  const key = keyOf(code, set);
  const hasEnded = () => {
    const reading = readings.get(key);
    return reading?.generation !== generation || !isWithin(FRESH, reading.startedAt, now);
  };
  // Without waiting for anything if there is none, so that the next request finds this one's.
  if (!hasEnded()) await pollUntil(hasEnded, { atMost: MAX_WAIT });
  return freshManifest(code, set, now) ?? loadManifest(db, code, set, now);
}

/** A manifest with the reader whose key was looked up. */
interface LoadedManifest extends FoundManifest {
  /** `null` if there is none, or D1 fails. */
  readonly reader: ManifestReader | null;
  /** The canonical name of the parameter set that the manifest is for. */
  readonly parameters: string;
}

/**
 * The manifest of a feed from D1, which is then cached; if D1 fails, a cached one that is up to ten minutes old.
 *
 * @param key of the reader that requests the feed, which is then remembered or forgotten
 * @throws what D1 throws, if there is no cached one
 */
export async function loadManifest(
  db: D1Database,
  code: string,
  set: SnapshotSet,
  now: EpochMilliseconds,
  key: KeyLookup | null = null,
): Promise<LoadedManifest> {
  const reading: Reading = { startedAt: now, generation };
  readings.set(keyOf(code, set), reading);
  try {
    const { manifest, reader, parameters } = await readManifest(db, code, set, key);
    if (generation === reading.generation) {
      removeOtherPasswords(code, manifest?.password);
      // That a database does not have an account does not mean that no other database has it.
      const isCertain = manifest !== null || !isOneOfSeveral(db);
      if (isCertain) cache(keyOf(code, { format: set.format, parameters }), { manifest, readAt: now });
      if (key !== null && reader !== null && manifest !== null) {
        rememberReader(key.digest, { reader, code, accountId: manifest.accountId, readAt: now });
      }
    }
    if (key !== null && reader === null) forgetReader(code, key.digest);
    return { manifest, reader, parameters, staleSince: null };
  } catch (error) {
    const copy = authorized.get(keyOf(code, set));
    if (copy?.manifest == null || !isWithin(USABLE, copy.readAt, now)) throw error;
    return { manifest: copy.manifest, reader: null, parameters: set.parameters, staleSince: copy.readAt };
  } finally {
    if (readings.get(keyOf(code, set)) === reading) readings.delete(keyOf(code, set));
  }
}

/** Once an account is disabled or has another password, no copy may serve the readers that it authorized before. */
function removeOtherPasswords(code: string, password: string | undefined): void {
  removeWhere((key, manifest) => key.startsWith(`${code} `) && manifest?.password !== password);
}

function removeWhere(isRemoved: (key: string, manifest: Manifest | null) => boolean): void {
  for (const map of [authorized, unauthorized]) {
    for (const [key, { manifest }] of [...map.entries()]) if (isRemoved(key, manifest)) map.delete(key);
  }
}

/** Records that the manifest of a feed has authorized a reader. */
export function markAuthorized(code: string, set: SnapshotSet): void {
  const key = keyOf(code, set);
  const found = unauthorized.get(key);
  if (found === undefined) return;
  unauthorized.delete(key);
  authorized.set(key, found);
}

/** Adds a snapshot that was just written to the cached manifest of its feed, which is then the same as in D1. */
export function addSnapshot(code: string, set: SnapshotSet, name: SnapshotName, details: SnapshotDetails): void {
  const key = keyOf(code, set);
  const found = cachedUnder(key);
  if (found?.manifest == null) return;
  cache(key, { ...found, manifest: withSnapshot(found.manifest, set, name, details) });
}

/** The snapshot with this name in the cached manifest of its feed, which may be newer than the request. */
export function findSnapshot(code: string, set: SnapshotSet, name: SnapshotName): PlannedSnapshot | null {
  const manifest = cachedUnder(keyOf(code, set))?.manifest;
  return manifest == null ? null : snapshotIn(manifest, set, name);
}

/** Removes every manifest of an account, and prevents those that are being read from being cached. */
export function invalidateManifests(accountId: number): void {
  generation++;
  removeWhere((_, manifest) => manifest?.accountId === accountId);
}

/** Forgets the readers of an account, and prevents those that are being read from being remembered. */
export function invalidateReaders(accountId: number): void {
  generation++;
  forgetReaders(accountId);
}

function cachedUnder(key: string): CachedManifest | undefined {
  return authorized.get(key) ?? unauthorized.get(key);
}

function cache(key: string, entry: CachedManifest): void {
  (authorized.get(key) === undefined ? unauthorized : authorized).set(key, entry);
}

function keyOf(code: string, { format, parameters }: Pick<SnapshotSet, 'format' | 'parameters'>): string {
  return `${code} ${format} ${parameters}`;
}
