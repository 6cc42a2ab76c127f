import type { Unit, UnitValues } from '../../db/units.ts';
import { Choice } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { unitPath, unitsPath } from '../paths.ts';
import type { Page, Visitor } from '../visit.ts';
import { Changes, HiddenValues } from './changes.tsx';
import type { Concern } from './form.ts';
import { UNITS } from './texts.ts';

interface Review {
  readonly unit: Unit;
  /** What was understood. */
  readonly values: UnitValues;
  readonly concern: Concern | null;
  /** Whether the page was sent without the second confirmation that it asks for. */
  readonly isRefused: boolean;
  readonly currency: string;
}

/** What was understood, before it is saved. */
export function reviewPage(visitor: Visitor, { unit, values, concern, isRefused, currency }: Review): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const { development, name } = unit;
  return {
    title: texts.review,
    crumbs: [
      [common.developments, '/developments'],
      [development, unitsPath(development)],
      [name, unitPath(development, name)],
    ],
    status: isRefused ? 422 : 200,
    notice: isRefused && <Notice kind="bad">{texts.sureMissing}</Notice>,
    content: (
      <Card title={`${development} ${name}`}>
        <form method="post" action={unitPath(development, name)} class="stack close">
          <Changes from={unit} to={values} currency={currency} guest={visitor} />
          <HiddenValues values={values} version={String(unit.version)} />
          {concern !== null && (
            <>
              <p id="concern" class="error">
                {texts[concern]}
              </p>
              <Choice name="sure" checked={false} required describedBy="concern">
                {texts.sure}
              </Choice>
            </>
          )}
          <div class="actions">
            <button type="submit" class="button primary">
              {common.save}
            </button>
            <button type="submit" class="button" name="edit" value="1" formnovalidate>
              {texts.again}
            </button>
          </div>
        </form>
      </Card>
    ),
  };
}
