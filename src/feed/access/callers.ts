import type { FormatSettings } from '../../db/schema.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { passwordMatches, unmatchablePassword } from '../../lib/secrets/secrets.ts';
import { type EpochMilliseconds, isWithin } from '../../lib/time/time.ts';
import type { KeyReader } from '../../readers/keys.ts';
import type { Manifest } from '../manifest/manifest.ts';
import {
  advanceGeneration,
  type FoundManifest,
  isCurrent,
  USABLE_MS,
} from '../manifest/manifest-cache.ts';
import type { Credentials } from '../request/credentials.ts';

/** Somebody whose credentials this isolate has found to be valid. */
interface KnownCaller {
  readonly accountId: number;
  /** The stored form that the password matches; `null` for a reader's key. */
  readonly stored: string | null;
  /** `null` for the password of the account. */
  readonly reader: KeyReader | null;
  /** What the account has stated for all readers of a format. */
  readonly settings: FormatSettings;
  readonly readAt: EpochMilliseconds;
}

/**
 * By account and password or key, as they were sent. Only valid ones are here, so that nobody can evict them by guessing. They
 * exist only in the isolate's memory, like the URLs of `request/query.ts`, which contain them as well.
 */
const callers = boundedCache<KnownCaller>(10_000);

/** `unverifiable`: D1 fails, and this isolate has not verified the credentials before. */
export type Verdict =
  | {
      readonly kind: 'authorized';
      readonly reader: KeyReader | null;
      readonly manifest: Manifest;
    }
  | { readonly kind: 'denied' | 'unverifiable' };

export const DENIED = { kind: 'denied' } as const;

/** Who has sent these credentials before, if they were valid. */
export function knownCaller(credentials: Credentials): KnownCaller | undefined {
  return callers.get(callerKey(credentials));
}

export function callerKey({ account, password }: Credentials): string {
  return `${account} ${password}`;
}

/**
 * Checks credentials against a manifest that was just read, with the reader of the key if the password is one. A password is
 * checked in full only if this isolate has not verified it before; for an account that does not exist, that takes the same time.
 * While D1 fails, only callers that were verified within the last ten minutes are authorized.
 */
export async function verify(
  credentials: Credentials,
  found: FoundManifest,
  isKey: boolean,
  now: EpochMilliseconds,
): Promise<Verdict> {
  const { manifest, reader, staleSince, readAt } = found;
  const known = knownCaller(credentials);
  const isSamePassword =
    known !== undefined && known.stored !== null && known.stored === manifest?.password;
  if (staleSince !== null) {
    if (manifest === null || known === undefined || !isWithin(USABLE_MS, known.readAt, now))
      return UNVERIFIABLE;
    const { keyExpiresAt = null } = known.reader ?? {};
    if (keyExpiresAt !== null && keyExpiresAt * 1_000 <= now) return DENIED;
    return isKey || isSamePassword
      ? { kind: 'authorized', reader: known.reader, manifest }
      : UNVERIFIABLE;
  }
  const isValid = isKey
    ? reader !== null
    : isSamePassword ||
      (await passwordMatches(credentials.password, manifest?.password ?? unmatchablePassword()));
  if (!isValid || manifest === null) {
    callers.delete(callerKey(credentials));
    return DENIED;
  }
  const { accountId, settings } = manifest;
  const stored = isKey ? null : manifest.password;
  if (isCurrent(found))
    callers.set(callerKey(credentials), { accountId, stored, reader, settings, readAt });
  return { kind: 'authorized', reader, manifest };
}

const UNVERIFIABLE = { kind: 'unverifiable' } as const;

/** Forgets the readers of an account, and prevents those that are being read from being remembered. */
export function invalidateReaders(account: number): void {
  advanceGeneration();
  for (const [key, { accountId, reader }] of [...callers.entries()]) {
    if (accountId === account && reader !== null) callers.delete(key);
  }
}
