import type { UnitStatus } from '../../api/units/schemas.ts';
import type { Unit, UnitValues } from '../../db/units/units.ts';
import { formatMoney } from '../format.tsx';
import { Choice, Hidden, Submit } from '../frame/form.tsx';
import { Button, Card, Notice } from '../frame/parts.tsx';
import { textOf } from '../texts/catalogue.ts';
import { UNITS } from '../texts/texts.ts';
import { type Crumb, type Guest, type Page, useGuest, useTexts, type Visitor } from '../visit.ts';
import { type Concern, codesOf } from './form.ts';

/**
 * Values of a unit in words.
 *
 * @param currency of the price; empty if the unit has no property
 */
export function stateOf({ status, price, directions }: UnitValues, currency: string, { texts, language }: Guest) {
  return {
    status: texts.unitStatuses[status as UnitStatus] ?? String(status),
    price: formatMoney(price, currency, language),
    directions: codesOf(directions)
      .map((code) => textOf(texts.compass, code))
      .join(', '),
  };
}

/** What a change changes, each field with its old value: `Price: €345,000, was €330,000`. */
export function Changes({ from, to, currency }: { from: UnitValues; to: UnitValues; currency: string }) {
  const guest = useGuest();
  const { texts: common } = guest;
  const names = { status: common.status, price: common.price, directions: useTexts(UNITS).directions };
  const [before, after] = [stateOf(from, currency, guest), stateOf(to, currency, guest)];
  const changed = (['status', 'price', 'directions'] as const).filter((field) => from[field] !== to[field]);
  return (
    <ul class="changes">
      {changed.map((field) => (
        <li>
          {names[field]}: <strong>{after[field] || '—'}</strong>, {common.was} {before[field] || '—'}
        </li>
      ))}
    </ul>
  );
}

interface Understood {
  readonly unit: Unit;
  readonly values: UnitValues;
  readonly concern: Concern | null;
  readonly currency: string;
}

/**
 * What was understood of a form, before it is saved.
 *
 * @param path that the form is sent to again
 */
export function reviewPage(
  { texts: common, language }: Visitor,
  changes: readonly Understood[],
  fields: URLSearchParams,
  { path, crumbs }: { readonly path: string; readonly crumbs: readonly Crumb[] },
): Page {
  const texts = UNITS[language];
  const concerns = [...new Set(changes.flatMap(({ concern }) => concern ?? []))];
  const typed = [...fields].filter(([name]) => !['reviewed', 'sure', 'do'].includes(name));
  const isRefused = fields.has('reviewed');
  return {
    title: texts.review({ count: changes.length }),
    crumbs,
    status: isRefused ? 422 : 200,
    notice: isRefused && <Notice kind="bad">{texts.sureMissing}</Notice>,
    content: (
      <Card title={texts.changes}>
        <form method="post" action={path} class="stack close">
          {typed.map(([name, value]) => (
            <Hidden values={{ [name]: value }} />
          ))}
          <Hidden values={{ reviewed: '1' }} />
          {changes.map(({ unit, values, currency }) => (
            <div>
              <h3>{unit.name || '—'}</h3>
              <Changes from={unit} to={values} currency={currency} />
            </div>
          ))}
          {concerns.length > 0 && (
            <>
              <p id="concern" class="error">
                {concerns.map((concern) => texts[concern]).join(' ')}
              </p>
              <Choice name="sure" checked={false} required aria-describedby="concern">
                {texts.sure({ count: changes.length })}
              </Choice>
            </>
          )}
          <Submit
            more={
              <Button name="do" value="edit" formnovalidate>
                {texts.again}
              </Button>
            }
          >
            {common.save}
          </Submit>
        </form>
      </Card>
    ),
  };
}

/** A button that gives units the values again that they had before a change; `versions` are fields. */
export function Undo({ path, versions }: { path: string; versions: readonly Readonly<Record<string, string>>[] }) {
  return (
    <form method="post" action={path}>
      {[{ do: 'undo' }, ...versions].map((values) => (
        <Hidden values={values} />
      ))}
      <Button>{useGuest().texts.undo}</Button>
    </form>
  );
}
