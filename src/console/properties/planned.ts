import type { PropertyDocument } from '../../properties/documents.ts';
import type { ListedRow } from '../../properties/store/listings.ts';
import { decidingIn } from '../../readers/deciding.ts';
import { type LeftOut, leftOutOf, type PortalView, withSwitch } from '../portals/portal.ts';
import { STATUSES } from '../texts/texts.ts';
import { newPrice, PRICE_WAYS, type PriceWay, readAmount } from '../units/form.ts';

/** What can be done to several properties, in the order of the bar below the list. */
export const BULK_KINDS = ['status', 'price', 'portal', 'feature'] as const;

export type BulkKind = (typeof BULK_KINDS)[number];

/** What new prices are rounded to. */
export const ROUNDINGS = ['1', '100', '500', '1000'] as const;

export const FEATURE_WAYS = ['add', 'remove'] as const;

/** Whether listings go into a portal's selection, or out of it. */
export const PORTAL_WAYS = ['in', 'out'] as const;

/** A change as its form states it, by the names of fields. */
export interface BulkForm {
  readonly kind: BulkKind;
  readonly status: string;
  readonly by: PriceWay;
  readonly amount: string;
  readonly round: string;
  readonly how: (typeof FEATURE_WAYS)[number];
  /** Codes, or other names that are understood as in an import. */
  readonly features: readonly string[];
  /** The name of its reader. */
  readonly portal: string;
  readonly move: (typeof PORTAL_WAYS)[number];
}

/** The form in a query, with what is usual instead of what it lacks. */
export function bulkForm(query: URLSearchParams): BulkForm {
  const given = (name: string) => query.get(name) ?? '';
  const oneOf = <Value extends string>(all: readonly Value[], name: string): Value =>
    all.find((known) => known === given(name)) ?? all[0]!;
  return {
    kind: oneOf(BULK_KINDS, 'kind'),
    status: STATUSES.find((known) => known === given('to')) ?? '',
    by: oneOf(PRICE_WAYS, 'by'),
    amount: given('amount'),
    round: oneOf(ROUNDINGS, 'round'),
    how: oneOf(FEATURE_WAYS, 'how'),
    features: query.getAll('feature').filter((name) => name !== ''),
    portal: given('portal'),
    move: oneOf(PORTAL_WAYS, 'move'),
  };
}

/**
 * Why a property stays as it is: it has no sale price, its unit decides, it is so already, the new price would not be one, or
 * the reason for which the portal leaves it out is another.
 */
export type Unaffected = 'noPrice' | 'ofUnit' | 'same' | 'belowOne' | LeftOut;

/** What a change makes of a property, or why it stays as it is. */
export type BulkOutcome =
  | {
      /** A JSON Merge Patch (RFC 7396); empty if the portal's rules change instead. */
      readonly patch: object;
      readonly after: PropertyDocument;
      /** Why the portal leaves it out before and after, if the change is about a portal. */
      readonly atPortal?: { readonly before: LeftOut | null; readonly after: LeftOut | null };
    }
  | { readonly why: Unaffected };

/**
 * What a form changes of a property; `null` if it does not say yet what to change.
 *
 * @param row of the property, and the portal, of a change of the portal's selection
 */
export function outcomeOf(
  document: PropertyDocument,
  form: BulkForm,
  row?: ListedRow,
  portal?: PortalView,
): BulkOutcome | null {
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
    case 'portal':
      return row === undefined || portal === undefined
        ? null
        : outcomeAtPortal(document, row, portal, form.move === 'in');
    case 'feature': {
      if (form.features.length === 0) return null;
      const others = features.filter((code) => !form.features.includes(code));
      const added = form.features.filter((code) => !features.includes(code));
      const next = form.how === 'add' ? [...features, ...added] : others;
      return next.length === features.length
        ? { why: 'same' }
        : { patch: { features: next }, after: { ...document, features: next } };
    }
  }
}

/** A property goes into a portal's selection, or out: by its channel, or else by the portal's rules. */
function outcomeAtPortal(
  document: PropertyDocument,
  row: ListedRow,
  portal: PortalView,
  isIn: boolean,
): BulkOutcome {
  const { channel } = portal.reader;
  const before = leftOutOf(portal, row);
  if (isIn === (before === null)) return { why: before ?? 'same' };
  const others = row.channels.filter((name) => name !== channel);
  const channels = isIn && channel !== null ? [...others, channel].sort() : others;
  const after =
    channel === null
      ? leftOutOf(withSwitch(portal, decidingIn(row, portal.parameters.shortTerm), isIn), row)
      : leftOutOf(portal, { ...row, channels });
  if (isIn && after !== null) return { why: after };
  const atPortal = { before, after };
  return channel === null
    ? { patch: {}, after: document, atPortal }
    : { patch: { channels }, after: { ...document, channels }, atPortal };
}
