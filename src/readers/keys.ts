import { and, eq, gt, isNull, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, readerKeys, readers } from '../db/schema.ts';
import type { EpochSeconds } from '../lib/time/time.ts';

/** A reader of an account, as its key identifies it. */
export interface KeyReader {
  readonly id: number;
  readonly name: string;
  readonly preset: string;
  /** Whether a request may not give other parameters than the preset. */
  readonly isFixed: boolean;
  /** The id of the channel whose properties it gets; `null` for all. */
  readonly channel: number | null;
  /** The canonical name of the preset's parameter set; `null` if that feed is ordered by listing date. */
  readonly parameters: string | null;
  /** As `policyText` writes it. */
  readonly policy: string;
  readonly createdAt: EpochSeconds;
  /** When the key expires; `null` if it does not. */
  readonly keyExpiresAt: EpochSeconds | null;
}

/** The columns of a {@link KeyReader}, for statements that join `readers` and `readerKeys`. */
export const KEY_READER = {
  id: readers.id,
  name: readers.name,
  preset: readers.preset,
  isFixed: readers.fixed,
  channel: readers.channelId,
  parameters: readers.parameters,
  policy: readers.policy,
  createdAt: readers.createdAt,
};

/** Whether a row of `readerKeys` is the key with a digest, and has not expired. */
export function isValidKey(digest: SQLWrapper | string): SQL {
  const isCurrent = or(isNull(readerKeys.expiresAt), gt(readerKeys.expiresAt, sql`unixepoch()`));
  return and(eq(readerKeys.digest, digest), isCurrent)!;
}

/** Whether a row of `readers` is the enabled reader of a key, in an account. */
export function isReaderOfKey(): SQL {
  return and(
    eq(readers.id, readerKeys.readerId),
    eq(readers.accountId, accounts.id),
    not(readers.disabled),
  )!;
}

/**
 * Whose key it is; `null` unless it is a valid one of an enabled reader of an enabled account.
 *
 * @param code the account's code, in upper case
 * @param digest SHA-256 of the key, in lower-case hexadecimal
 */
export async function findReaderOfKey(
  db: D1Database,
  code: string,
  digest: string,
): Promise<(KeyReader & { readonly accountId: number }) | null> {
  const found = await drizzle(db)
    .select({ ...KEY_READER, accountId: accounts.id, keyExpiresAt: readerKeys.expiresAt })
    .from(accounts)
    .innerJoin(readerKeys, isValidKey(digest))
    .innerJoin(readers, isReaderOfKey())
    .where(and(eq(accounts.code, code), not(accounts.disabled)))
    .get();
  return found ?? null;
}
