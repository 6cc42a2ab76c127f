import type { UnitValues } from '../../db/units.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import { formatPrice, statusNames } from '../format.tsx';
import type { Guest } from '../page.tsx';
import { codesOf } from './form.ts';

/** Values of a unit in words. */
export interface ShownState {
  readonly status: string;
  readonly price: string;
  readonly directions: string;
}

export function stateOf({ status, price, directions }: UnitValues, { texts, language }: Guest): ShownState {
  const compass: Readonly<Record<string, string>> = texts.compass;
  return {
    status: statusNames(texts)[status as UnitStatus] ?? String(status),
    price: formatPrice(price, language),
    directions: codesOf(directions)
      .map((code) => compass[code] ?? code)
      .join(', '),
  };
}

interface ChangesProps {
  readonly from: UnitValues;
  readonly to: UnitValues;
  /** Of the prices; empty if the unit has no property. */
  readonly currency: string;
  readonly guest: Guest;
}

/** What a change changes, each field with its old value: `Price: 345,000 EUR, was 330,000`. */
export function Changes({ from, to, currency, guest }: ChangesProps) {
  const { texts } = guest;
  const [before, after] = [stateOf(from, guest), stateOf(to, guest)];
  const changed = (['status', 'price', 'directions'] as const).filter((field) => from[field] !== to[field]);
  return (
    <ul class="changes">
      {changed.map((field) => (
        <li>
          {texts[field]}:{' '}
          <strong>{`${after[field] || '—'}${field === 'price' && currency !== '' ? ` ${currency}` : ''}`}</strong>,{' '}
          {texts.was} {before[field] || '—'}
        </li>
      ))}
    </ul>
  );
}

/** The values of a form that nobody types in, as {@link decide} reads them. */
export function HiddenValues({ values, version }: { readonly values: UnitValues; readonly version: string }) {
  return (
    <>
      <input type="hidden" name="reviewed" value="1" />
      <input type="hidden" name="status" value={String(values.status)} />
      <input type="hidden" name="price" value={String(values.price)} />
      <input type="hidden" name="directions" value={values.directions} />
      <input type="hidden" name="version" value={version} />
    </>
  );
}
