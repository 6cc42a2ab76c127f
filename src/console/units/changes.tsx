import type { UnitStatus } from '../../api/units/schemas.ts';
import type { Unit, UnitValues } from '../../db/units/units.ts';
import { formatMoney } from '../format.tsx';
import { Choice, Hidden, Submit } from '../frame/form.tsx';
import { Button, Card, Notice } from '../frame/parts.tsx';
import { textOf } from '../texts/catalogue.ts';
import { UNITS } from '../texts/texts.ts';
import { type Crumb, type Guest, type Page, useGuest, useTexts, type Visitor } from '../visit.ts';
import { type Concern, codesOf, fieldsOf } from './form.ts';

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

/** A change of a unit, as it was understood. */
export interface Understood {
  readonly unit: Unit;
  readonly values: UnitValues;
  readonly concern: Concern | null;
  readonly currency: string;
}

interface Review {
  readonly changes: readonly Understood[];
  /** The path that the form is sent to. */
  readonly action: string;
  readonly crumbs: readonly Crumb[];
  /** Whether the fields of each unit have its name appended. */
  readonly isOfSeveral: boolean;
  /** Whether the page was sent without the second confirmation that it asks for. */
  readonly isRefused: boolean;
}

/** What was understood, before it is saved. */
export function reviewPage(visitor: Visitor, { changes, action, crumbs, isOfSeveral, isRefused }: Review): Page {
  const { texts: common, language } = visitor;
  const texts = UNITS[language];
  const concerns = [...new Set(changes.flatMap(({ concern }) => concern ?? []))];
  return {
    title: texts.review({ count: changes.length }),
    crumbs,
    status: isRefused ? 422 : 200,
    notice: isRefused && <Notice kind="bad">{texts.sureMissing}</Notice>,
    content: (
      <Card title={texts.changes}>
        <form method="post" action={action} class="stack close">
          <Hidden values={{ reviewed: '1' }} />
          {changes.map(({ unit, values, currency }) => (
            <div>
              <Hidden values={fieldsOf(unit, values, isOfSeveral)} />
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
              <Button name="edit" value="1" formnovalidate>
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

interface UndoProps {
  readonly action: string;
  /** The units as they are now, with the values that they had. */
  readonly changes: readonly { readonly unit: Unit; readonly before: UnitValues }[];
  readonly isOfSeveral: boolean;
  readonly text: string;
}

/** A button that gives units the values again that they had before a change. */
export function Undo({ action, changes, isOfSeveral, text }: UndoProps) {
  return (
    <form method="post" action={action}>
      <Hidden values={{ reviewed: '1', sure: '1' }} />
      {changes.map(({ unit, before }) => (
        <Hidden values={fieldsOf(unit, before, isOfSeveral)} />
      ))}
      <Button>{text}</Button>
    </form>
  );
}
