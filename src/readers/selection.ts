import { and, type SQL, sql } from 'drizzle-orm';
import type { PropertyDocument } from '../properties/documents.ts';
import { mayGet, type ReaderKind, restrictionsFor } from '../properties/restrictions.ts';
import type { Policy } from './policy.ts';

/** Which properties a feed lists, and what it shows of them. */
export interface Selection {
  readonly category: 'SALE' | 'RENT' | 'All';
  readonly onWebsites: boolean;
  readonly withoutRented: boolean;
  readonly availableOnly: boolean;
  readonly languages: readonly number[];
  /** What the reader may see; everything by default. */
  readonly policy?: Policy;
}

/** What decides whether a feed lists a property. */
export type Listing = Omit<Selection, 'languages'>;

/**
 * The offers of a property that a feed shows: one for sale or for rent alone does not show the
 * others.
 */
export function offersShown(
  offers: PropertyDocument['offers'],
  { category }: Pick<Selection, 'category'>,
): PropertyDocument['offers'] {
  return { ...offers, ...HIDDEN_OFFERS[category] };
}

const HIDDEN_OFFERS = {
  SALE: { long_term: null, short_term: null },
  RENT: { sale: null },
  All: {},
};

/** Every listed property, for callers who may see all. */
export const ALL_LISTED: Listing = {
  category: 'All',
  onWebsites: false,
  withoutRented: false,
  availableOnly: false,
};

/** Why a feed does not list a property. */
export type Reason =
  | 'withdrawn'
  | 'sold'
  | 'no offer'
  | 'not available'
  | 'rented'
  | 'not on websites'
  | 'not in channel'
  | 'restricted';

/** The fields of a property that decide. */
type Deciding =
  | 'status'
  | 'offers'
  | 'rented'
  | 'on_own_website'
  | 'on_other_websites'
  | 'channels'
  | 'restrictions';

/**
 * Why a feed does not list a property; `null` if it does. {@link listedIn} says the same in SQL, reason by reason.
 *
 * @param unitStatus the status in feeds of the unit that it is; `null` without a unit
 * @param channel the name of the channel of the feed; `null` for all properties
 */
export function whyNotListed(
  property: Pick<PropertyDocument, Deciding>,
  unitStatus: string | null,
  { category, onWebsites, withoutRented, availableOnly, policy }: Listing,
  channel: string | null,
): Reason | null {
  const { status, offers, rented, on_own_website, on_other_websites, channels, restrictions } =
    property;
  const shownStatus = unitStatus ?? status;
  const forRent = offers.long_term !== null || offers.short_term !== null;
  const isOffered = {
    SALE: offers.sale !== null,
    RENT: forRent,
    All: offers.sale !== null || forRent,
  }[category];
  if (status === 'Withdrawn') return 'withdrawn';
  if (shownStatus === 'Sold') return 'sold';
  if (!isOffered) return 'no offer';
  if (availableOnly && shownStatus !== 'Available') return 'not available';
  if (withoutRented && rented) return 'rented';
  if (onWebsites && !(on_own_website && on_other_websites)) return 'not on websites';
  if (channel !== null && !channels?.includes(channel)) return 'not in channel';
  if (!mayGet(policy?.kind ?? null, restrictions)) return 'restricted';
  return null;
}

/**
 * Whether a feed lists a property `p`, joined with its unit `u`, if it has one. {@link whyNotListed} says the same in words.
 *
 * @param channel the id of the channel of the feed; `null` for all properties
 */
export function listedIn(listing: Listing, channel: number | null): SQL {
  return and(listedByItself(listing, channel), hasListedStatus(listing))!;
}

/** The part of {@link listedIn} that needs no unit. */
export function listedByItself(listing: Listing, channel: number | null): SQL {
  const { category, onWebsites, withoutRented, availableOnly, policy } = listing;
  const isOffered = { SALE: 'p.for_sale', RENT: '(p.for_long_term OR p.for_short_term)', All: '1' }[
    category
  ];
  return and(
    sql`p.listed`,
    sql.raw(isOffered),
    availableOnly ? sql`(p.unit_id IS NOT NULL OR p.status = 'Available')` : undefined,
    withoutRented ? sql`NOT p.rented` : undefined,
    onWebsites ? sql`p.on_websites` : undefined,
    channel === null ? undefined : isInChannel(channel),
    ...restrictionsFor(policy?.kind).map((name) =>
      sql.raw(`NOT instr(p.restrictions, '"${name}"')`),
    ),
  )!;
}

/** The part of {@link listedIn} that the unit decides: its status replaces that of the property. */
export function hasListedStatus({ availableOnly }: Listing): SQL {
  const status = 'coalesce(u.feed_status, p.status)';
  return sql.raw(availableOnly ? `${status} = 'Available'` : `${status} <> 'Sold'`);
}

function isInChannel(channel: number): SQL {
  return sql`instr(p.channels, json_quote((SELECT name FROM channels WHERE account_id = p.account_id AND id = ${channel})))`;
}

/**
 * Whether what the row of the column `shown_to` is about has ever been listed in a channel, at a time when it might
 * go to a reader of this kind.
 *
 * @param channel the id of the channel of the reader; `null` without one
 */
export function wasShownIn(
  accountId: number,
  channel: number | null,
  kind: ReaderKind | null | undefined,
): SQL {
  const name =
    channel === null
      ? sql`'*'`
      : sql`(SELECT c.name FROM channels c WHERE c.account_id = ${accountId} AND c.id = ${channel})`;
  const isAllowed = restrictionsFor(kind).map((one) => sql.raw(`NOT instr(s.value, '"${one}"')`));
  return sql`EXISTS (SELECT 1 FROM json_each(shown_to) s WHERE ${and(sql`instr(s.value, ${name} || '[') = 1`, ...isAllowed)})`;
}
