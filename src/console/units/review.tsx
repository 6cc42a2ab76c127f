import type { Unit, UnitValues } from '../../db/units.ts';
import { Notice, type Page, type Visitor } from '../page.tsx';
import { unitPath } from '../paths.ts';
import { Changes, HiddenValues } from './changes.tsx';
import type { Concern } from './form.ts';

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
  const { texts } = visitor;
  return {
    title: texts.review,
    status: isRefused ? 422 : 200,
    content: (
      <>
        {isRefused && <Notice kind="bad">{texts.sureMissing}</Notice>}
        <p>
          {unit.development} / {unit.name}
        </p>
        <form method="post" action={unitPath(unit.development, unit.name)} class="card">
          <Changes from={unit} to={values} currency={currency} guest={visitor} />
          <HiddenValues values={values} version={String(unit.version)} />
          {concern !== null && (
            <>
              <p id="concern" class="notice bad">
                {texts[concern]}
              </p>
              <label class="choice">
                <input type="checkbox" name="sure" value="1" required aria-describedby="concern" />
                {texts.sure}
              </label>
            </>
          )}
          <button type="submit">{texts.save}</button>
          <button type="submit" class="plain" name="edit" value="1" formnovalidate>
            {texts.changeAgain}
          </button>
        </form>
      </>
    ),
  };
}
