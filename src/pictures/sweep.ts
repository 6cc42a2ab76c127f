import { findAccount } from '../accounts/accounts.ts';
import type { Env } from '../env.ts';
import { forgetOldFailures } from './copies.ts';
import { pathOf, pictureKey, SIZES } from './names.ts';
import { beginDeletion, endDeletion } from './stored.ts';

/** Pictures that one run deletes of an account: as many files as one call of the bucket takes. */
const AT_ONCE = 333;

/**
 * Deletes the files of pictures that no document of their account has named for a month, and no history of that time: in this
 * order, so that a run that ends halfway is completed by the next one. A file that is received meanwhile is not deleted.
 */
export async function sweepPictures(env: Env, accountIds: readonly number[]): Promise<void> {
  for (const id of accountIds) {
    const account = await findAccount(env.DB, { id });
    if (account === null) continue;
    await forgetOldFailures(env.DB, id);
    const digests = await beginDeletion(env.DB, id, pathOf(account.code), AT_ONCE);
    if (digests.length === 0) continue;
    await env.FILES.delete(
      digests.flatMap((digest) => SIZES.map((size) => pictureKey(account.code, digest, size))),
    );
    await endDeletion(env.DB, id, digests);
  }
}
