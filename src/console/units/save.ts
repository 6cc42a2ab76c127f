import type { Context } from 'hono';
import { limitHistory } from '../../api/units/history.ts';
import { unitUpdate } from '../../api/units/schemas.ts';
import { applyUpdate, storedUpdate } from '../../api/units/update.ts';
import { readUnit, type Unit, type UnitValues } from '../../db/units/units.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { validate } from '../../http/validation.ts';
import type { FieldError } from '../../problem.ts';
import { mayUpdate } from '../../rate-limits.ts';
import { CONSOLE } from '../home/changes.tsx';
import type { Visitor } from '../visit.ts';
import { valuesBefore } from './form.ts';

/** What has become of an update. */
export type Saved =
  | { readonly kind: 'saved'; readonly version: number }
  | { readonly kind: 'conflict' | 'limited' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Updates a unit as the API does, unless somebody else has changed the unit since its given state. */
export async function saveUnit(
  c: Context<AppEnv>,
  { account, person }: Visitor,
  { development, name, version }: Unit,
  { status, price, directions }: UnitValues,
): Promise<Saved> {
  const accountId = account.id;
  const caller = { accountId, clientId: person === null ? CONSOLE : `${CONSOLE}:${person.name}` };
  if (!(await mayUpdate(c.env, caller, 1))) return { kind: 'limited' };
  const body = { UntName: name, UntStatus: status, UntPrice: price, UntDirections: JSON.parse(directions) };
  const update = validate(unitUpdate, body);
  if ('errors' in update) return { kind: 'invalid', errors: update.errors };
  const invalidate = (hasWebhooks = true) => invalidateFeeds(c.env, c.executionCtx, accountId, Date.now(), hasWebhooks);
  const updating = applyUpdate(c.env.DB, caller, development, storedUpdate(update.value), [version]);
  const result = await updating.catch((error) => {
    // Even if D1 fails: the write may have been committed.
    invalidate();
    throw error;
  });
  if ('problem' in result) return { kind: 'conflict' };
  if (result.changed) invalidate(result.hasWebhooks);
  limitHistory(c.env, c.executionCtx, { accountId, development }, [result]);
  return { kind: 'saved', version: result.unit.version };
}

/** Gives a unit the values again that it had before a version, unless it has another version by now. */
export async function undoUnit(
  c: Context<AppEnv>,
  visitor: Visitor,
  unit: Unit,
  version: string | null,
): Promise<Saved> {
  const address = { accountId: visitor.account.id, development: unit.development, name: unit.name };
  const [last] = (await readUnit(c.env.DB, address, 1)).history;
  const isLast = last?.version === unit.version && String(unit.version) === version;
  return isLast ? saveUnit(c, visitor, unit, valuesBefore(last)) : { kind: 'conflict' };
}
