import { type UnitUpdate, updateUnits } from '../../db/units/unit-updates.ts';
import { validate } from '../../http/validation.ts';
import { isUnavailable } from '../../lib/unavailable.ts';
import type { Caller } from '../../oauth/verify.ts';
import { invalidFields, type Problem } from '../../problem.ts';
import { unitUpdate } from './schemas.ts';
import { resultOf, storedUpdate, type UpdateResult } from './update.ts';

/** Updates per transaction: others wait for the database only briefly. */
export const BATCH_SIZE = 100;

/**
 * Validates updates separately and applies the valid ones in order, some in each transaction. After D1 has failed, the
 * remaining updates are not attempted: they would wait for the same failure.
 *
 * @param onFailure called once if D1 fails; the updates of that transaction may have been committed
 */
export async function applyUpdates(
  db: D1Database,
  { accountId, clientId }: Pick<Caller, 'accountId' | 'clientId'>,
  development: string,
  bodies: readonly unknown[],
  onFailure: (failure: unknown) => void,
): Promise<UpdateResult[]> {
  const parsed = bodies.map(parseUpdate);
  const updates = parsed.filter((update): update is UnitUpdate => !('problem' in update));
  const results = new Map<UnitUpdate, UpdateResult>();
  try {
    for (let start = 0; start < updates.length; start += BATCH_SIZE) {
      const batch = updates.slice(start, start + BATCH_SIZE);
      const updated = await updateUnits(db, { accountId, development }, batch, clientId);
      for (const [index, update] of batch.entries())
        results.set(update, resultOf(updated[index]!, development, update));
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    onFailure(error);
  }
  return parsed.map((update) => ('problem' in update ? update : (results.get(update) ?? { problem: NOT_APPLIED })));
}

/** An update ready for the database, or its invalid fields. */
function parseUpdate(body: unknown): UnitUpdate | { readonly problem: Problem } {
  const result = validate(unitUpdate, body);
  return 'errors' in result ? { problem: invalidFields(result.errors) } : storedUpdate(result.value);
}

/** For an update that failed or was not attempted. */
const NOT_APPLIED: Problem = {
  code: 'unavailable',
  detail: 'Repeat this update; updates are idempotent.',
};
