import type * as z from 'zod';
import { type UnitUpdate, type UnitUpdated, updateUnit } from '../../db/units/unit-updates.ts';
import { hasValues, type Unit, type UnitFound } from '../../db/units/units.ts';
import type { Caller } from '../../oauth/verify.ts';
import type { Problem } from '../../problem.ts';
import type { unitUpdate } from './schemas.ts';

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
  { accountId, clientId }: Pick<Caller, 'accountId' | 'clientId'>,
  development: string,
  update: UnitUpdate,
  versions?: readonly number[],
): Promise<UpdateResult> {
  const { name, values } = update;
  const updated = await updateUnit(db, { accountId, development, name }, values, clientId, versions);
  return resultOf(updated, development, update, versions);
}

/** A validated update as the database takes it. */
export function storedUpdate({ UntName, UntStatus, UntPrice, UntDirections }: z.output<typeof unitUpdate>): UnitUpdate {
  return {
    name: UntName,
    values: { status: UntStatus, price: UntPrice, directions: JSON.stringify(UntDirections) },
  };
}

/**
 * The result of an update that the database has applied or not.
 *
 * @param versions if given, the unit had to have one of these versions
 */
export function resultOf(
  updated: UnitUpdated,
  development: string,
  { name, values }: UnitUpdate,
  versions?: readonly number[],
): UpdateResult {
  if (updated.kind !== 'unit') return { problem: notFound(updated.kind, development, name) };
  const { unit, changed, hasWebhooks } = updated;
  // A retry of an applied update succeeds although the unit's version has moved on (RFC 9110 section 13.1.1).
  if (versions !== undefined && !changed && !hasValues(unit, values)) return { problem: versionMismatch(unit) };
  return { unit, changed, hasWebhooks };
}

/** The same for developments and units of other accounts as for those that do not exist. */
export function notFound(kind: Exclude<UnitFound['kind'], 'unit'>, development: string, name: string): Problem {
  switch (kind) {
    case 'no development':
      return developmentNotFound(development);
    case 'no unit':
      return {
        code: 'unit_not_found',
        detail: `The development ${JSON.stringify(development)} has no unit named ${JSON.stringify(name)}.`,
      };
  }
}

export function developmentNotFound(development: string): Problem {
  return { code: 'development_not_found', detail: `The account has no development ${JSON.stringify(development)}.` };
}

export function versionMismatch({ version }: Unit): Problem {
  return { code: 'precondition_failed', detail: `The unit has version ${version}.` };
}
