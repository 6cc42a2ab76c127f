import type * as z from 'zod';
import { writePortfolio } from '../../db/portfolio/write.ts';
import { type UnitUpdate, type UnitUpdated, updateUnits } from '../../db/units/unit-updates.ts';
import { hasValues, readUnit, type Unit, type UnitAddress, type UnitFound } from '../../db/units/units.ts';
import { validate } from '../../http/validation.ts';
import { isUnavailable } from '../../lib/unavailable.ts';
import type { Caller } from '../../oauth/bearer.ts';
import { parseDocument } from '../../portfolio/documents.ts';
import { invalidFields, notFound, type Problem } from '../../problem.ts';
import { unitUpdate, type unitValues } from './schemas.ts';
import { allowedVersions } from './view.ts';

type Client = Pick<Caller, 'accountId' | 'clientId'>;

/** The result of an update: the unit's current state, or why nothing was written. */
export type UpdateResult =
  | { readonly unit: Unit; readonly changed: boolean; readonly hasWebhooks: boolean }
  | { readonly problem: Problem };

/**
 * Applies an update to a unit of one of the account's developments.
 *
 * @param versions if given, the unit must have one of these versions, unless it already has the new values
 * @throws DependencyUnavailable if D1 fails; the update may have been committed or not, and can be repeated
 */
export async function applyUpdate(
  db: D1Database,
  { accountId, clientId }: Client,
  development: string,
  update: UnitUpdate,
  versions?: readonly number[],
): Promise<UpdateResult> {
  const [updated] = await updateUnits(db, { accountId, development }, [update], clientId, versions);
  return resultOf(updated!, development, update, versions);
}

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
  { accountId, clientId }: Client,
  development: string,
  bodies: readonly unknown[],
  onFailure: (failure: unknown) => void,
): Promise<UpdateResult[]> {
  const parsed = bodies.map((body): UnitUpdate | { readonly problem: Problem } => {
    const result = validate(unitUpdate, body);
    return 'errors' in result ? { problem: invalidFields(result.errors) } : storedUpdate(result.value);
  });
  const updates = parsed.filter((update): update is UnitUpdate => !('problem' in update));
  const results = new Map<UnitUpdate, UpdateResult>();
  try {
    for (let start = 0; start < updates.length; start += BATCH_SIZE) {
      const batch = updates.slice(start, start + BATCH_SIZE);
      const updated = await updateUnits(db, { accountId, development }, batch, clientId);
      for (const [index, update] of batch.entries()) {
        results.set(update, resultOf(updated[index]!, development, update));
      }
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    onFailure(error);
  }
  return parsed.map((update) => ('problem' in update ? update : (results.get(update) ?? { problem: NOT_APPLIED })));
}

/** For an update that failed or was not attempted. */
const NOT_APPLIED: Problem = { code: 'unavailable', detail: 'Repeat this update; updates are idempotent.' };

/** The conditions of creating or changing a unit. */
interface Conditions {
  readonly 'If-Match'?: string | undefined;
  readonly 'If-None-Match'?: string | undefined;
}

/**
 * Sets the values of a unit, as an update does, or creates it.
 *
 * @throws what D1 throws; the write may have been committed or not, and can be repeated
 */
export async function putUnit(
  db: D1Database,
  clientId: string,
  address: UnitAddress,
  values: z.output<typeof unitValues>,
  conditions: Conditions,
): Promise<{ readonly result: UpdateResult; readonly created: boolean }> {
  const { accountId, development, name } = address;
  const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch } = conditions;
  const found = await readUnit(db, address, 0);
  const failed = (problem: Problem) => ({ result: { problem }, created: false });
  if (found.kind === 'no development') return failed(notFound('development', development));
  if (found.kind === 'unit') {
    if (ifNoneMatch?.trim() === '*') return failed(versionMismatch(found.unit));
    const update = storedUpdate({ UntName: name, ...values });
    const result = await applyUpdate(db, { accountId, clientId }, development, update, allowedVersions(ifMatch));
    return { result, created: false };
  }
  if (ifMatch !== undefined) return failed({ code: 'precondition_failed', detail: 'The unit does not exist.' });
  const { UntStatus: status, UntPrice: price, UntDirections: directions } = values;
  const document = parseDocument({ kind: 'unit', development, name, status, price, directions });
  // Another client may have created it meanwhile: then its values are updated.
  const { changed } = await writePortfolio(db, accountId, [document], {
    merge: (given, stored) => (stored.size > 0 ? undefined : given),
  });
  if (changed.length === 0) return putUnit(db, clientId, address, values, conditions);
  const created = await readUnit(db, address, 0);
  if (created.kind !== 'unit') return failed(unitNotFound(created.kind, development, name));
  return { result: { unit: created.unit, changed: true, hasWebhooks: true }, created: true };
}

/** A validated update as the database takes it. */
export function storedUpdate({ UntName, UntStatus, UntPrice, UntDirections }: z.output<typeof unitUpdate>): UnitUpdate {
  return { name: UntName, values: { status: UntStatus, price: UntPrice, directions: JSON.stringify(UntDirections) } };
}

function resultOf(
  updated: UnitUpdated,
  development: string,
  { name, values }: UnitUpdate,
  versions?: readonly number[],
): UpdateResult {
  if (updated.kind !== 'unit') return { problem: unitNotFound(updated.kind, development, name) };
  const { unit, changed, hasWebhooks } = updated;
  // A retry of an applied update succeeds although the unit's version has moved on (RFC 9110 section 13.1.1).
  if (versions !== undefined && !changed && !hasValues(unit, values)) return { problem: versionMismatch(unit) };
  return { unit, changed, hasWebhooks };
}

/** The same for developments and units of other accounts as for those that do not exist. */
export function unitNotFound(kind: Exclude<UnitFound['kind'], 'unit'>, development: string, name: string): Problem {
  if (kind === 'no development') return notFound('development', development);
  const detail = `The development ${JSON.stringify(development)} has no unit named ${JSON.stringify(name)}.`;
  return { code: 'unit_not_found', detail };
}

export function versionMismatch({ version }: Unit): Problem {
  return { code: 'precondition_failed', detail: `The unit has version ${version}.` };
}
