import { LRUCache } from 'lru-cache';
import { type KeyLookup, type Manifest, type ManifestReader, readManifest } from '../../db/feed/manifest.ts';
import type { SnapshotDetails, SnapshotName, SnapshotSet } from '../../db/feed/snapshots.ts';
import type { FormatSettings } from '../../db/schema.ts';
import { isWithin } from '../../lib/time/age.ts';
import { pollUntil } from '../../lib/time/poll.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { type PlannedSnapshot, snapshotIn, withSnapshot } from './plan.ts';

/** Milliseconds for which a manifest counts as current: the maximum delay with which another isolate sees a change. */
export const FRESH = 1_000;

/** Milliseconds for which a manifest still serves verified readers while D1 fails. */
export const USABLE = 10 * 60_000;

const MAX_WAIT = 100;

/** A read of the database: when it began, by the isolate's clock, and after how many changes that this isolate has made. */
interface Reading {
  readonly readAt: EpochMilliseconds;
  readonly generation: number;
}

/**
 * Manifests that have authorized a reader: nobody else can evict them. They are cached as values: a D1 promise that two
 * requests share would hang the second.
 */
const manifests = new LRUCache<string, Reading & { readonly manifest: Manifest }>({ max: 1_000 });

/** A reader whose key this isolate has found to be valid. */
export interface KnownReader extends Reading {
  readonly reader: ManifestReader;
  readonly code: string;
  readonly accountId: number;
}

/** By digest of the key. Only valid keys are here, so that nobody can evict them by guessing. */
const readers = new LRUCache<string, KnownReader>({ max: 2_000 });

/** By the account's code: the format settings that this isolate has read last. */
const settings = new LRUCache<string, FormatSettings>({ max: 1_000 });

/** By feed, reads that have not ended; those whose requests were cancelled stay. */
const readings = new LRUCache<string, Reading>({ max: 500 });

/** Advances with every change that this isolate makes: what was read before it is not cached after it. */
let generation = 0;

/** A manifest, and, because D1 fails, whether it is an old copy that may serve only readers verified before. */
export interface FoundManifest extends Reading {
  /** `null`: no account has this code, or it is disabled. */
  readonly manifest: Manifest | null;
  readonly staleSince: EpochMilliseconds | null;
}

/** The manifest of a feed from memory; `null` unless it was read within the last second. */
export function freshManifest(code: string, set: SnapshotSet, now: EpochMilliseconds) {
  const found = manifests.get(keyOf(code, set));
  return found !== undefined && isWithin(FRESH, found.readAt, now) ? { ...found, staleSince: null } : null;
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
  const hasEnded = () => {
    const reading = readings.get(keyOf(code, set));
    return reading?.generation !== generation || !isWithin(FRESH, reading.readAt, now);
  };
  // Without waiting for anything if there is none, so that the next request finds this one's.
  if (!hasEnded()) await pollUntil(hasEnded, { atMost: MAX_WAIT });
  return freshManifest(code, set, now) ?? loadManifest(db, code, set, now);
}

/**
 * The manifest of a feed from D1; if D1 fails, a cached one that is up to ten minutes old.
 *
 * @param key of the reader that requests the feed, which is then remembered or forgotten; if D1 fails, no reader is found
 * @throws what D1 throws, if there is no cached one
 */
export async function loadManifest(
  db: D1Database,
  code: string,
  set: SnapshotSet,
  now: EpochMilliseconds,
  key: KeyLookup | null = null,
) {
  const feed = keyOf(code, set);
  const reading: Reading = { readAt: now, generation };
  readings.set(feed, reading);
  try {
    const read = await readManifest(db, code, set, key);
    const { manifest, reader } = read;
    if (manifest !== null) settings.set(code, manifest.settings);
    if (generation === reading.generation) {
      // Once an account is disabled or has another password, no copy may serve the readers that it authorized before.
      removeManifests((other, found) => found.startsWith(`${code} `) && other.password !== manifest?.password);
      if (key !== null && reader !== null && manifest !== null) {
        readers.set(key.digest, { ...reading, reader, code, accountId: manifest.accountId });
      }
    }
    if (key !== null && reader === null && knownReader(code, key.digest) !== undefined) readers.delete(key.digest);
    return { ...reading, ...read, staleSince: null };
  } catch (error) {
    const copy = manifests.get(feed);
    if (copy === undefined || !isWithin(USABLE, copy.readAt, now)) throw error;
    return { ...copy, reader: null, parameters: set.parameters, staleSince: copy.readAt };
  } finally {
    if (readings.get(feed) === reading) readings.delete(feed);
  }
}

/** The format settings of an account that this isolate has read last; empty if it has read none. */
export function knownSettings(code: string): FormatSettings {
  return settings.get(code) ?? {};
}

/** Caches the manifest of a feed that has authorized a reader, unless this isolate has made a change since it was read. */
export function rememberManifest(code: string, set: SnapshotSet, found: FoundManifest): void {
  const { manifest, readAt, staleSince } = found;
  if (manifest === null || staleSince !== null || found.generation !== generation) return;
  const key = keyOf(code, set);
  const known = manifests.get(key);
  if (known === undefined || known.readAt < readAt) manifests.set(key, { manifest, readAt, generation });
}

/** Adds a snapshot that was just written to the cached manifest of its feed, which is then the same as in D1. */
export function addSnapshot(code: string, set: SnapshotSet, name: SnapshotName, details: SnapshotDetails): void {
  const key = keyOf(code, set);
  const found = manifests.get(key);
  if (found !== undefined) manifests.set(key, { ...found, manifest: withSnapshot(found.manifest, set, name, details) });
}

/** The snapshot with this name in the cached manifest of its feed, which may be newer than the request. */
export function findSnapshot(code: string, set: SnapshotSet, name: SnapshotName): PlannedSnapshot | null {
  const found = manifests.get(keyOf(code, set));
  return found === undefined ? null : snapshotIn(found.manifest, set, name);
}

export function knownReader(code: string, digest: string): KnownReader | undefined {
  const found = readers.get(digest);
  return found?.code === code ? found : undefined;
}

/** Removes every manifest of an account, and prevents those that are being read from being cached. */
export function invalidateManifests(accountId: number): void {
  generation++;
  removeManifests((manifest) => manifest.accountId === accountId);
}

/** Forgets the readers of an account, and prevents those that are being read from being remembered. */
export function invalidateReaders(account: number): void {
  generation++;
  for (const [digest, { accountId }] of [...readers.entries()]) if (accountId === account) readers.delete(digest);
}

function removeManifests(isRemoved: (manifest: Manifest, key: string) => boolean): void {
  for (const [key, { manifest }] of [...manifests.entries()]) if (isRemoved(manifest, key)) manifests.delete(key);
}

function keyOf(code: string, { format, parameters }: Pick<SnapshotSet, 'format' | 'parameters'>): string {
  return `${code} ${format} ${parameters}`;
}
