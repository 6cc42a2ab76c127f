import type { PropertyDocument } from '../../properties/documents.ts';
import { STATUSES } from '../texts/texts.ts';
import { newPrice, PRICE_WAYS, type PriceWay, readAmount } from '../units/form.ts';

/** What can be done to several properties, in the order of the bar below the list. */
export const BULK_KINDS = ['status', 'price', 'feature'] as const;

export type BulkKind = (typeof BULK_KINDS)[number];

/** What new prices are rounded to. */
export const ROUNDINGS = ['1', '100', '500', '1000'] as const;

export const FEATURE_WAYS = ['add', 'remove'] as const;

/** A change as its form states it, by the names of fields. */
export interface BulkForm {
  readonly kind: BulkKind;
  readonly status: string;
  readonly by: PriceWay;
  readonly amount: string;
  readonly round: string;
  readonly how: string;
  readonly feature: string;
}

/** The form in a query, with what is usual instead of what it lacks. */
export function bulkForm(query: Readonly<Record<string, string>>): BulkForm {
  const oneOf = <Value extends string>(all: readonly Value[], value = ''): Value =>
    all.find((known) => known === value) ?? all[0]!;
  return {
    kind: oneOf(BULK_KINDS, query.kind),
    status: STATUSES.find((known) => known === query.to) ?? '',
    by: oneOf(PRICE_WAYS, query.by),
    amount: query.amount ?? '',
    round: oneOf(ROUNDINGS, query.round),
    how: oneOf(FEATURE_WAYS, query.how),
    feature: query.feature ?? '',
  };
}

/** Why a property stays as it is: it has no sale price, its unit decides, it is so already, or the new price would not be one. */
export type Unaffected = 'noPrice' | 'ofUnit' | 'same' | 'belowOne';

/** What a change makes of a property: a JSON Merge Patch (RFC 7396) and the property with it, or why it stays as it is. */
export type BulkOutcome =
  | { readonly patch: object; readonly after: PropertyDocument }
  | { readonly why: Unaffected };

/** What a form changes of a property; `null` if it does not say yet what to change. */
export function outcomeOf(document: PropertyDocument, form: BulkForm): BulkOutcome | null {
  const { status, offers, features, unit } = document;
  switch (form.kind) {
    case 'status': {
      const to = STATUSES.find((known) => known === form.status);
      if (to === undefined) return null;
      // Of a unit, feeds show the unit's own status, unless the property is withdrawn.
      if (unit !== null && to !== 'Withdrawn' && status !== 'Withdrawn') return { why: 'ofUnit' };
      return status === to
        ? { why: 'same' }
        : { patch: { status: to }, after: { ...document, status: to } };
    }
    case 'price': {
      const amount = readAmount(form.amount);
      if (amount === null || amount < 0) return null;
      if (unit !== null) return { why: 'ofUnit' };
      const before = offers.sale?.price ?? 0;
      if (offers.sale === null || (before <= 0 && form.by !== 'set')) return { why: 'noPrice' };
      const price = newPrice(before, form.by, amount, Number(form.round));
      if (price < 1) return { why: 'belowOne' };
      if (price === before) return { why: 'same' };
      const sale = { ...offers.sale, price };
      return {
        patch: { offers: { sale: { price } } },
        after: { ...document, offers: { ...offers, sale } },
      };
    }
    case 'feature': {
      if (form.feature === '') return null;
      const others = features.filter((code) => code !== form.feature);
      const next = form.how === 'add' ? [...others, form.feature] : others;
      return next.length === features.length
        ? { why: 'same' }
        : { patch: { features: next }, after: { ...document, features: next } };
    }
  }
}

/** A price that changes by this factor is doubted. */
const JUMP = 3;

/** What is asked about before a price is saved: the vendor accepts no less, or it is very different. */
export function doubtOf(
  before: PropertyDocument,
  after: PropertyDocument,
): 'belowMinimum' | 'jump' | null {
  const [from = 0, to = 0] = [before, after].map(({ offers }) => offers.sale?.price ?? 0);
  if (from === to) return null;
  const minimum = after.offers.sale?.minimum_price ?? 0;
  if (to < minimum) return 'belowMinimum';
  return from > 0 && (to >= JUMP * from || from >= JUMP * to) ? 'jump' : null;
}
