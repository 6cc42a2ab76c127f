import { and, type SQL, sql } from 'drizzle-orm';
import type { PropertyDocument } from '../properties/documents.ts';
import { OFFERS } from '../properties/offers.ts';
import { mayGet, restrictionsFor } from '../properties/restrictions.ts';
import {
  canonicalRules,
  type RuleReason,
  type Selectable,
  whyNotSelected,
} from '../properties/selection/rules.ts';
import type { SelectionRules } from '../properties/selection/schema.ts';
import { type Condition, conditionsOfRules } from '../properties/selection/sql.ts';
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

/** What a selection decides by yes or no: each is a parameter of feeds. */
export type Filter = keyof {
  [Name in keyof Listing as Listing[Name] extends boolean ? Name : never]: true;
};

const UNFILTERED: Readonly<Record<Filter, false>> = {
  onWebsites: false,
  withoutRented: false,
  availableOnly: false,
};

export const FILTERS = Object.keys(UNFILTERED) as readonly Filter[];

/** Every listed property, for callers who may see all. */
export const ALL_LISTED: Listing = { category: 'All', ...UNFILTERED };

/** What decides, of the parameters of a feed. */
export function listingOf(selection: Selection): Listing {
  const { category, policy } = selection;
  const filters = Object.fromEntries(FILTERS.map((name) => [name, selection[name]]));
  return {
    category,
    ...(filters as Readonly<Record<Filter, boolean>>),
    ...(policy && { policy }),
  };
}

/** Why a feed does not list a property. */
export type Reason =
  | 'withdrawn'
  | 'sold'
  | 'no offer'
  | 'not available'
  | 'rented'
  | 'not on websites'
  | 'not in channel'
  | 'restricted'
  | RuleReason;

/** What decides whether a feed lists a property. If it is a unit, its status and its sale price are those of the unit. */
export interface Deciding
  extends Selectable,
    Pick<PropertyDocument, 'status' | 'rented' | 'on_own_website' | 'on_other_websites'> {
  readonly channels: Readonly<PropertyDocument['channels']>;
  readonly restrictions: Readonly<PropertyDocument['restrictions']>;
}

/** The rules of listings: one decides on thousands of properties. */
const RULES_OF = new WeakMap<Listing, SelectionRules>();

/**
 * The rules of a listing, with the offers that it shows: one for sale or for rent alone shows fewer than they say. Empty if all
 * properties are listed.
 */
function rulesOf(listing: Listing): SelectionRules {
  const known = RULES_OF.get(listing) ?? shownRules(listing);
  RULES_OF.set(listing, known);
  return known;
}

function shownRules({ category, policy }: Listing): SelectionRules {
  const { offers = OFFERS, ...rules } = policy?.selection ?? {};
  const shown = offers.filter(
    (offer) => category === 'All' || (category === 'SALE') === (offer === 'sale'),
  );
  return shown.length === OFFERS.length ? rules : { ...rules, offers: shown };
}

/**
 * Why a feed does not list a property; `null` if it does. {@link reasonIn} says the same in SQL.
 *
 * @param channel the name of the channel of the feed; `null` for all properties
 */
export function whyNotListed(
  property: Deciding,
  listing: Listing,
  channel: string | null,
): Reason | null {
  const { status, offers, rented, on_own_website, on_other_websites, channels, restrictions } =
    property;
  const { onWebsites, withoutRented, availableOnly, policy } = listing;
  const rules = rulesOf(listing);
  if (status === 'Withdrawn') return 'withdrawn';
  if (status === 'Sold') return 'sold';
  if ((rules.offers ?? OFFERS).every((offer) => offers[offer] === null)) return 'no offer';
  if (availableOnly && status !== 'Available') return 'not available';
  if (withoutRented && rented) return 'rented';
  if (onWebsites && !(on_own_website && on_other_websites)) return 'not on websites';
  if (channel !== null && !channels?.includes(channel)) return 'not in channel';
  if (!mayGet(policy?.kind ?? null, restrictions)) return 'restricted';
  return whyNotSelected(property, rules);
}

/** Why neither the channel nor the rules of a feed have a property, whatever becomes of it otherwise; `null` if they have it. */
export function whyNotChosen(
  property: Pick<Deciding, 'channels'> & Selectable,
  listing: Listing,
  channel: string | null,
): 'not in channel' | RuleReason | null {
  if (channel !== null && !property.channels?.includes(channel)) return 'not in channel';
  return whyNotSelected(property, rulesOf(listing));
}

/** The rules of a listing so that they select some properties, or do not: if the others do not say so, as ones that are in or out. */
export function rulesWith(
  properties: readonly Selectable[],
  listing: Listing & { readonly policy: Policy },
  isIn: boolean,
): SelectionRules | null {
  const { include = [], exclude = [], ...others } = listing.policy.selection ?? {};
  const moved = new Set(properties.map(({ id }) => id));
  const except = (ids: readonly string[]) => ids.filter((id) => !moved.has(id));
  const selection = { ...others, include: except(include), exclude: except(exclude) };
  const rules = rulesOf({ ...listing, policy: { ...listing.policy, selection } });
  const left = properties.filter((one) => (whyNotSelected(one, rules) === null) !== isIn);
  selection[isIn ? 'include' : 'exclude'].push(...left.map(({ id }) => id));
  return canonicalRules(selection);
}

/** The conditions of a listing, in the order of {@link whyNotListed}. */
function conditionsOf(listing: Listing, channel: number | null): Condition<Reason>[] {
  const { onWebsites, withoutRented, availableOnly, policy } = listing;
  const { offers = OFFERS, ...rules } = rulesOf(listing);
  const isOffered = offers.map((offer) => `p.for_${offer}`).join(' OR ');
  const status = sql`coalesce(u.feed_status, p.status)`;
  const ownStatus = (condition: SQL) => sql`(p.unit_id IS NOT NULL OR ${condition})`;
  const conditions: Condition<Reason>[] = [
    { reason: 'withdrawn', byItself: sql`p.status <> 'Withdrawn'` },
    {
      reason: 'sold',
      byItself: ownStatus(sql`p.status <> 'Sold'`),
      withUnit: sql`${status} <> 'Sold'`,
    },
    { reason: 'no offer', byItself: sql.raw(`(${isOffered || '0'})`) },
  ];
  if (availableOnly)
    conditions.push({
      reason: 'not available',
      byItself: ownStatus(sql`p.status = 'Available'`),
      withUnit: sql`${status} = 'Available'`,
    });
  if (withoutRented) conditions.push({ reason: 'rented', byItself: sql`NOT p.rented` });
  if (onWebsites) conditions.push({ reason: 'not on websites', byItself: sql`p.on_websites` });
  if (channel !== null)
    conditions.push({ reason: 'not in channel', byItself: isInChannel(channel) });
  for (const name of restrictionsFor(policy?.kind))
    conditions.push({
      reason: 'restricted',
      byItself: sql.raw(`NOT instr(p.restrictions, '"${name}"')`),
    });
  return [...conditions, ...conditionsOfRules({ ...rules, offers: [...offers] })];
}

/**
 * Whether a feed lists a property `p`, joined with its unit `u`, if it has one. {@link whyNotListed} says the same in words.
 *
 * @param channel the id of the channel of the feed; `null` for all properties
 */
export function listedIn(listing: Listing, channel: number | null): SQL {
  return and(listedByItself(listing, channel), listedWithUnit(listing))!;
}

/** The part of {@link listedIn} that needs no unit. */
export function listedByItself(listing: Listing, channel: number | null): SQL {
  return and(...conditionsOf(listing, channel).map(({ byItself }) => byItself))!;
}

/** The part of {@link listedIn} that the unit decides: its status and its price replace those of the property. */
export function listedWithUnit(listing: Listing): SQL {
  return and(...conditionsOf(listing, null).map(({ withUnit }) => withUnit))!;
}

/** Why a feed does not list a property `p`, joined with its unit `u`; NULL if it does. {@link whyNotListed} says the same in words. */
export function reasonIn(listing: Listing, channel: number | null): SQL<Reason | null> {
  return conditionsOf(listing, channel).reduceRight<SQL>(
    (others, { reason, byItself, withUnit }) =>
      sql`iif(${and(byItself, withUnit)}, ${others}, ${reason})`,
    sql`NULL`,
  ) as SQL<Reason | null>;
}

function isInChannel(channel: number): SQL {
  return sql`instr(p.channels, json_quote((SELECT name FROM channels WHERE account_id = p.account_id AND id = ${channel})))`;
}

/** Who reads, of whom it matters what it was shown before. */
export interface Shown {
  readonly accountId: number;
  readonly listing: Pick<Listing, 'policy'>;
  /** The id of the channel of the reader; `null` without one. */
  readonly channel: number | null;
  /** The id of the reader; it is needed if its policy has rules. */
  readonly reader?: number | undefined;
}

/**
 * Whether a property has ever been listed in a channel, and selected by the rules of a reader, at a time when it might go to a reader
 * of this kind.
 *
 * @param shownTo the column `shown_to` of the property or of its removal
 * @param which what it has in the table `selected`, as a condition on its row `s`
 */
export function wasShownIn(
  { accountId, listing: { policy }, channel, reader }: Shown,
  shownTo: SQL,
  which: SQL,
): SQL {
  const isAllowed = (column: string) =>
    restrictionsFor(policy?.kind).map((one) => sql.raw(`NOT instr(s.${column}, '"${one}"')`));
  if (policy?.selection != null) {
    const isOfReader = sql`s.reader_id = ${reader}`;
    return sql`EXISTS (SELECT 1 FROM selected s WHERE ${and(isOfReader, which, ...isAllowed('restrictions'))})`;
  }
  const name =
    channel === null
      ? sql`'*'`
      : sql`(SELECT c.name FROM channels c WHERE c.account_id = ${accountId} AND c.id = ${channel})`;
  const isOfChannel = sql`instr(s.value, ${name} || '[') = 1`;
  return sql`EXISTS (SELECT 1 FROM json_each(${shownTo}) s WHERE ${and(isOfChannel, ...isAllowed('value'))})`;
}
