import type { Context } from 'hono';
import { isPortal, isRule } from '../../api/report/state.ts';
import { writeReportSettings } from '../../db/accounts/reports.ts';
import type { AppEnv } from '../../env.ts';
import { readForm, recordDone } from '../guards.tsx';
import type { Visitor } from '../visit.ts';

/** Saves the portals that an account uses and the rules that it has muted. */
export async function changeReportSettings(c: Context<AppEnv>, visitor: Visitor): Promise<Response> {
  const form = await readForm(c);
  const settings = { portals: form.getAll('portal').filter(isPortal), muted: form.getAll('muted').filter(isRule) };
  await writeReportSettings(c.env.DB, visitor.account.id, settings);
  await recordDone(c, visitor, 'report.changed');
  return c.redirect('/report', 303);
}
