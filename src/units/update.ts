import { type Unit, type UnitFound, type UnitValues, updateUnit } from '../db/units.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import type { Caller } from '../oauth/verify.ts';
import type { FieldError, Refusal } from '../problem.ts';
import { readChange } from './change.ts';

/** What came of an update: the unit as it now stands, or why nothing was written. */
export type Outcome = { readonly unit: Unit; readonly changed: boolean } | { readonly refusal: Refusal };

/**
 * Applies one update, if it is sound, to a unit of a development of the caller's account.
 *
 * @param body the update as it was given
 * @param versions where given, the versions of which the unit must have one, unless it has these values already
 * @throws Unavailable where D1 fails; then the update may be repeated, whatever became of it
 */
export async function applyUpdate(
  db: D1Database,
  caller: Caller,
  development: string,
  body: unknown,
  versions?: readonly number[],
): Promise<Outcome> {
  const change = readChange(body);
  if (!('name' in change)) return { refusal: invalidFields(change) };
  const { name, status, price, directions } = change;
  const values = { status, price, directions: JSON.stringify(directions) };
  const found = await orUnavailable(
    'The update',
    updateUnit(db, { accountId: caller.accountId, development, name }, values, caller.clientId, versions),
  );
  if (found.kind !== 'unit') return { refusal: notFound(found.kind, development, name) };
  const { unit, changed } = found;
  // A retry of what was applied is told so, though the unit has moved on from its version (RFC 9110 section 13.1.1).
  if (!changed && !isSetTo(unit, values)) return { refusal: otherVersion(unit) };
  return { unit, changed };
}

/** What hides other accounts' developments and units as well. */
export function notFound(kind: Exclude<UnitFound['kind'], 'unit'>, development: string, name: string): Refusal {
  switch (kind) {
    case 'no development':
      return noDevelopment(development);
    case 'no unit':
      return {
        code: 'unit_not_found',
        detail: `The development ${JSON.stringify(development)} has no unit named ${JSON.stringify(name)}.`,
      };
  }
}

/** The account has no such development. */
export function noDevelopment(development: string): Refusal {
  return { code: 'development_not_found', detail: `The account has no development ${JSON.stringify(development)}.` };
}

/** Members of a change are not as they must be: each with its place and why. */
export function invalidFields(errors: readonly FieldError[]): Refusal {
  const detail = 'Each bad field stands under errors, with a JSON Pointer to it.';
  return { code: 'invalid_fields', detail, errors };
}

function isSetTo(unit: Unit, { status, price, directions }: UnitValues): boolean {
  return unit.status === status && unit.price === price && unit.directions === directions;
}

function otherVersion({ version }: Unit): Refusal {
  return { code: 'precondition_failed', detail: `The unit has version ${version}.` };
}
