import type { Context } from 'hono';
import type { Unit, UnitAddress } from '../../db/units.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { mayUpdate } from '../../rate-limits.ts';
import { limitHistory } from '../../units/history.ts';
import { applyUpdate } from '../../units/update.ts';
import { CONSOLE, type Outcome, type UnitForm, updateOf } from './pages.tsx';

/**
 * Updates a unit as a form requests it, unless somebody else has changed the unit since the form was filled in.
 *
 * @param unit its current state
 * @throws DependencyUnavailable if D1 fails
 */
export async function saveUnit(c: Context<AppEnv>, address: UnitAddress, unit: Unit, form: UnitForm): Promise<Outcome> {
  const caller = { accountId: address.accountId, clientId: CONSOLE, scopes: [] };
  if (!(await mayUpdate(c.env, caller, 1))) return { kind: 'limited' };
  const version = /^[1-9]\d{0,14}$/.test(form.version) ? [Number(form.version)] : [];
  const invalidate = () => invalidateFeeds(c.env, c.executionCtx, address.accountId, Date.now());
  const body = updateOf(form, unit);
  const result = await applyUpdate(c.env.DB, caller, address.development, body, version).catch((error) => {
    // Even if D1 fails: the write may have been committed.
    invalidate();
    throw error;
  });
  if ('problem' in result) {
    const { code, errors } = result.problem;
    return code === 'invalid_fields' ? { kind: 'invalid', given: form, errors: errors ?? [] } : { kind: 'conflict' };
  }
  if (result.changed) invalidate();
  limitHistory(c.env, c.executionCtx, address, [result]);
  return { kind: 'saved' };
}
