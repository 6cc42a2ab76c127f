import type { UnitValues } from '../../db/units.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { formatMoney } from '../format.tsx';
import { Hidden } from '../frame/form.tsx';
import type { Guest } from '../visit.ts';
import { codesOf } from './form.ts';
import { UNITS } from './texts.ts';

/** Values of a unit in words. */
export interface ShownState {
  readonly status: string;
  readonly price: string;
  readonly directions: string;
}

/** @param currency of the price; empty if the unit has no property */
export function stateOf(
  { status, price, directions }: UnitValues,
  currency: string,
  { texts, language }: Guest,
): ShownState {
  const compass: Readonly<Record<string, string>> = texts.compass;
  return {
    status: texts.unitStatuses[status as UnitStatus] ?? String(status),
    price: formatMoney(price, currency, language),
    directions: codesOf(directions)
      .map((code) => compass[code] ?? code)
      .join(', '),
  };
}

interface ChangesProps {
  readonly from: UnitValues;
  readonly to: UnitValues;
  readonly currency: string;
  readonly guest: Guest;
}

/** What a change changes, each field with its old value: `Price: €345,000, was €330,000`. */
export function Changes({ from, to, currency, guest }: ChangesProps) {
  const { texts: common } = guest;
  const names = { status: common.status, price: common.price, directions: UNITS[guest.language].directions };
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

/** The values of a form that nobody types in, as {@link decide} reads them. */
export function HiddenValues({ values, version }: { readonly values: UnitValues; readonly version: string }) {
  const { status, price, directions } = values;
  return <Hidden values={{ reviewed: '1', status: String(status), price: String(price), directions, version }} />;
}
