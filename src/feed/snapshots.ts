import {
  listAccountsKept,
  noteSnapshot,
  SNAPSHOT_LIFETIME,
  type SnapshotFacts,
  type SnapshotName,
  takeExcess,
  takeOutdated,
} from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { DOCUMENT_FORMAT } from './document.ts';

/** Snapshots kept for an account at the most. */
export const MAX_SNAPSHOTS = 4_000;

/** Milliseconds after which KV counts as failing: a get, which D1 answers in its place, and a put, which nobody waits for. */
const PATIENCE = 1_000;
const PATIENCE_OF_PUTS = 10_000;

/** Snapshots dropped in one step, and steps in one go; the rest is left to the next change, the sweep and expiry. */
const STEP = 100;
const STEPS = 4;

/**
 * The name of a snapshot in KV, under 512 bytes. It fixes the bytes: whatever could change them stands in it, so a late
 * write can never be taken for what came after, and outdated entries only take up room.
 */
export function snapshotKey(name: SnapshotName): string {
  const sale = name.saleRevision === null ? '' : `s${name.saleRevision}`;
  const rental = name.rentalRevision === null ? '' : `r${name.rentalRevision}`;
  return `feed${name.format}/account${name.accountId}/part${name.part}/${sale}${rental}/${name.parameters}`;
}

/** What stands beside a snapshot in KV, to tell whether it is the one that was noted before its bytes are read. */
type Label = Pick<SnapshotFacts, 'bytes' | 'crc'>;

/**
 * The bytes of a snapshot, or `null` where KV has lost them or has others.
 *
 * @throws what KV throws, or where it does not answer in time
 */
export async function getSnapshot(env: Env, name: SnapshotName, noted: Label): Promise<Uint8Array | null> {
  const found = await inTime(env.SNAPSHOTS.getWithMetadata<Label>(snapshotKey(name), 'arrayBuffer'));
  return found.value?.byteLength === noted.bytes && isSame(found.metadata, noted) ? new Uint8Array(found.value) : null;
}

/** The same as a stream, which may fail when it is read. */
export async function openSnapshot(
  env: Env,
  name: SnapshotName,
  noted: Label,
): Promise<ReadableStream<Uint8Array> | null> {
  const found = await inTime(env.SNAPSHOTS.getWithMetadata<Label>(snapshotKey(name), 'stream'));
  if (found.value === null || isSame(found.metadata, noted)) return found.value;
  await found.value.cancel();
  return null;
}

function isSame(label: Label | null, noted: Label): boolean {
  return label?.bytes === noted.bytes && label.crc === noted.crc;
}

/**
 * Keeps a snapshot, then notes it: KV is asked for no name that it was not given.
 *
 * @param feed the compressed feed that has this part alone; no bytes, and no entry in KV, for a part without properties
 */
export async function keepSnapshot(
  env: Env,
  name: SnapshotName,
  feed: Uint8Array,
  facts: SnapshotFacts,
): Promise<void> {
  if (feed.length > 0) {
    const label: Label = { bytes: facts.bytes, crc: facts.crc };
    const options = { expirationTtl: SNAPSHOT_LIFETIME + 3_600, metadata: label };
    await inTime(env.SNAPSHOTS.put(snapshotKey(name), feed, options), PATIENCE_OF_PUTS);
  }
  await noteSnapshot(env.DB, name, facts);
}

/** Drops the snapshots of an account that a change has outdated. */
export async function dropOutdated(env: Env, accountId: number): Promise<void> {
  await dropInSteps(env, () => takeOutdated(env.DB, accountId, DOCUMENT_FORMAT, STEP));
}

/** Drops the longest unused snapshots of an account that has too many. */
export async function dropExcess(env: Env, accountId: number): Promise<void> {
  await dropInSteps(env, () => takeExcess(env.DB, accountId, MAX_SNAPSHOTS, STEP));
}

/**
 * The daily housekeeping: what changes, reads and expiry have left behind, account by account. Each failure has a line in
 * the log.
 *
 * @throws where accounts failed, once the others are swept
 */
export async function sweepSnapshots(env: Env): Promise<void> {
  let failed = 0;
  const accounts = await listAccountsKept(env.DB);
  for (const accountId of accounts) {
    try {
      await dropOutdated(env, accountId);
      await dropExcess(env, accountId);
    } catch (error) {
      failed++;
      log('error', 'sweep', { accountId, error: describeError(error) });
    }
  }
  if (failed > 0) throw new Error(`The sweep failed for ${failed} of ${accounts.length} accounts`);
}

async function dropInSteps(env: Env, take: () => Promise<SnapshotName[]>): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    const names = await take();
    await deleteFromStore(env, names);
    if (names.length < STEP) return;
  }
}

async function deleteFromStore(env: Env, names: readonly SnapshotName[]): Promise<void> {
  const failures = (await Promise.allSettled(names.map((name) => env.SNAPSHOTS.delete(snapshotKey(name))))).filter(
    (result) => result.status === 'rejected',
  );
  if (failures.length > 0) throw new Error('Some snapshots were not deleted', { cause: failures[0]?.reason });
}

/** The wait is called off: while one is pending, workerd does not let go of a request to send a stream by itself. */
function inTime<Value>(promise: Promise<Value>, patience = PATIENCE): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`KV has not answered in ${patience} ms`)), patience);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
