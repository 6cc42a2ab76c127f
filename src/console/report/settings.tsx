import type { Context } from 'hono';
import { writeReportSettings } from '../../db/reports.ts';
import type { AppEnv } from '../../env.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { isPortal, isRule } from '../../report/state.ts';
import { PORTALS } from '../../rules/portals.ts';
import type { Report, ReportFilter } from '../../rules/report.ts';
import { notFoundPage, readForm } from '../guards.tsx';
import type { Page, Visitor } from '../page.tsx';

/** Saves the portals that an account uses and the rules that it has muted. A reader has no say in them. */
export async function changeReportSettings(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  if (visitor.reader !== null) return notFoundPage(visitor);
  const form = await readForm(c);
  const settings = { portals: form.getAll('portal').filter(isPortal), muted: form.getAll('muted').filter(isRule) };
  await orUnavailable('report', writeReportSettings(c.env.DB, visitor.account.id, settings));
  return c.redirect('/report', 303);
}

interface Props {
  readonly report: Report;
  readonly filter: ReportFilter;
  readonly visitor: Visitor;
}

/** The form to choose portals and muted rules; a rule can be muted on its own page. */
export function ReportSettingsForm({ report: { portals, muted }, filter, visitor: { texts } }: Props) {
  const rules = new Set([...muted, ...(filter.rule === undefined ? [] : [filter.rule])]);
  return (
    <form method="post" action="/report" class="card">
      <fieldset>
        <legend>{texts.portalsUsed}</legend>
        {Object.entries(PORTALS).map(([portal, name]) => (
          <Box name="portal" value={portal} label={name} isChecked={(portals as readonly string[]).includes(portal)} />
        ))}
      </fieldset>
      {rules.size > 0 && (
        <fieldset>
          <legend>{texts.mutedRules}</legend>
          {[...rules].map((rule) => (
            <Box name="muted" value={rule} label={rule} isChecked={muted.includes(rule)} />
          ))}
        </fieldset>
      )}
      <button type="submit">{texts.save}</button>
    </form>
  );
}

interface BoxProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isChecked: boolean;
}

function Box({ name, value, label, isChecked }: BoxProps) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={isChecked} /> {label}
    </label>
  );
}
