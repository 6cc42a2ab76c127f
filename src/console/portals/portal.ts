import { readPages } from '../../feed/build/feed-properties.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { channelIn } from '../../feed/manifest/segments.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import { type EpochSeconds, toSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { pictureOf } from '../../properties/pictures.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { deliveredStateOf } from '../../readers/api/delivered-state.ts';
import { type FeedDeliveries, listDeliveries, sumOfDays } from '../../readers/deliveries.ts';
import { isOverdue } from '../../readers/overdue.ts';
import { isWithheld, policyIn } from '../../readers/policy.ts';
import { listReaders, type Reader } from '../../readers/readers.ts';
import { type Deciding, type Reason, whyNotListed } from '../../readers/selection.ts';
import { REFUSING_PORTALS } from '../../rules/all.ts';
import { isRefusedBy } from '../../rules/check.ts';
import type { Listing } from '../../rules/listing.ts';
import { isPortal, type Portal } from '../../rules/portals.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import type { Tone } from '../frame/parts.tsx';
import { loadReport } from '../report/load.ts';
import type { Visitor } from '../visit.ts';
import { findPortal } from './catalogue.ts';

/** Maximum number of an account's readers that pages show. */
const MAX_PORTALS = 200;

/** Whether a portal fetches its feed: as usual, later than usual, not yet; `paused` if it is not allowed to. */
export type PortalState = 'onTime' | 'overdue' | 'never' | 'paused';

export const STATE_TONES: Readonly<Record<PortalState, Tone>> = {
  onTime: 'good',
  overdue: 'bad',
  never: 'info',
  paused: 'none',
};

/** The properties that a format refuses. */
export interface Refused {
  readonly identifiers: ReadonlySet<string>;
  /** Seconds until those should be checked that are not yet. */
  readonly checkedIn: number | null;
}

const NONE_REFUSED: Refused = { identifiers: new Set(), checkedIn: null };

/** A reader as people see it. */
export type PortalView = ReturnType<typeof portalView>;

/** The portals of an account by name, with what they were given. */
export async function loadPortals({ db, account, now }: Visitor): Promise<PortalView[]> {
  const [readers, deliveries] = await Promise.all([
    listReaders(db, account.id, null, MAX_PORTALS),
    listDeliveries(db, account.id),
  ]);
  const feedsOf = Map.groupBy(deliveries, ({ reader }) => reader);
  const views = readers.map((reader) => portalView(reader, feedsOf.get(reader.name) ?? [], now));
  return views.toSorted((a, b) => a.title.localeCompare(b.title));
}

/** @param feeds what the reader was given; the feed requested last comes first */
export function portalView(reader: Reader, feeds: readonly FeedDeliveries[], now: EpochSeconds) {
  const { name, portal, preset, disabled, keys } = reader;
  const [last] = feeds;
  const format = formatOf(portal === null ? last?.feed.split('?')[0] : findPortal(portal).format);
  const { given } = applyPreset(format, {}, { preset, isFixed: false });
  const coming = last === undefined ? 'never' : isOverdue(last, now) ? 'overdue' : 'onTime';
  const state: PortalState = disabled || keys === 0 ? 'paused' : coming;
  return {
    reader,
    name,
    portal,
    format,
    feeds,
    state,
    title: reader.title ?? name,
    /** What its preset selects in its format, with its policy. */
    parameters: {
      ...(format.parse(given).parameters as FeedParameters),
      policy: policyIn(reader.policy),
    },
    /** The properties that its parameters select and its format refuses, where they were looked up. */
    refused: NONE_REFUSED,
    lastVisit: last?.lastSeenAt ?? null,
    /** Seconds; `null` until it is known. */
    usualInterval: last?.usualInterval ?? null,
    /** The visits of each day, of all feeds. */
    days: sumOfDays(feeds.map(({ days }) => days)),
  };
}

/** A format by its name, otherwise the first one. */
export function formatOf(name: string | undefined): FeedFormat {
  return FORMATS.find((format) => format.name === name) ?? FORMATS[0]!;
}

/** Why a portal's feed does not list a property: it does not select it, or its format refuses it. */
export type LeftOut = Reason | 'refused';

/** Why a portal's feed leaves out a property; `null` if the feed lists it. */
export function leftOutOf(
  { parameters, reader, refused }: PortalView,
  row: ListedRow,
): LeftOut | null {
  const reason = whyNotListed(decidingIn(row, parameters), parameters, reader.channel);
  return reason ?? (refused.identifiers.has(row.identifier) ? 'refused' : null);
}

/**
 * Why a portal's feed would leave out a property with these values; `null` if it would list it.
 *
 * @param row of a unit, which has the unit's status and price
 */
export function wouldLeaveOut(
  { parameters, reader, format }: PortalView,
  property: PropertyDocument,
  row: ListedRow | undefined,
  listing: Listing,
): LeftOut | null {
  const { status, offers, pictures } = property;
  const unit = property.unit === null ? undefined : row;
  // Of a unit that is withdrawn, the row does not have the unit's own.
  const isOwn = unit === undefined || [status, unit.status].includes('Withdrawn');
  const deciding = {
    ...property,
    status: isOwn ? status : unit.status,
    offers: {
      ...offers,
      sale: offers.sale && { ...offers.sale, ...(unit && { price: unit.salePrice }) },
      short_term: parameters.shortTerm ? offers.short_term : null,
    },
    photographs: pictures.filter((entry) => pictureOf(entry).kind === 'photo').length,
  };
  const reason = whyNotListed(deciding, parameters, reader.channel);
  const refusing = REFUSING_PORTALS.find((name) => name === format.name);
  return reason ?? (refusing && isRefusedBy(refusing, listing) ? 'refused' : null);
}

/** The portal whose rules a reader's listings are checked by, if there are any. */
export function rulesFor({ portal, format }: PortalView): Portal | undefined {
  return findPortal(portal).rules ?? (isPortal(format.name) ? format.name : undefined);
}

/** What decides whether a feed lists a property, from a row of a list. Its status is its unit's already. */
function decidingIn(row: ListedRow, { shortTerm }: FeedParameters): Deciding {
  const isOnWebsites = row.onWebsites === 1;
  const isShortTerm = row.forShortTerm === 1 && shortTerm;
  return {
    id: row.identifier,
    type: row.type,
    town: row.town,
    features: [...row.features],
    photographs: row.photographs,
    status: row.status,
    offers: {
      sale: row.forSale === 1 ? { price: row.salePrice, minimum_price: 0 } : null,
      long_term: row.forLongTerm === 1 ? { rent: row.monthlyRent } : null,
      short_term: isShortTerm ? { low: row.weeklyRent, high: null, license: null } : null,
    },
    rented: row.rented === 1,
    on_own_website: isOnWebsites,
    on_other_websites: isOnWebsites,
    channels: [...row.channels],
    restrictions: [...row.restrictions],
  };
}

/** Since when a portal has the current state of a property, and whether that was confirmed; `null` if it was not sent. */
export function deliveredTo(
  { reader: { channelId }, feeds }: Pick<PortalView, 'reader' | 'feeds'>,
  row: ListedRow,
) {
  const current = feeds
    .filter(({ feed }) => channelIn(feed) === channelId)
    .map((entry) => deliveredStateOf(entry, row.change))
    .flatMap((delivered) => (delivered.state === 'current' ? [delivered] : []))
    .map(({ since, delivery }) => ({ since: toSeconds(since), delivery }));
  return current.toSorted((a, b) => a.since - b.since)[0] ?? null;
}

/** Properties read per statement to say which are refused. */
const PER_READ = 1_000;

/** Up to this many properties are tried with the format's writer; for more, the report, whose parts are cached, says it. */
const MAX_TRIED = 50;

/** Portals with the properties that their feeds leave out although their parameters select them, of those that matter. */
export function withRefused(
  visitor: Visitor,
  portals: readonly PortalView[],
  rows: readonly ListedRow[],
) {
  return Promise.all(
    portals.map(async (portal) => ({ ...portal, refused: await refusedIn(visitor, portal, rows) })),
  );
}

/** A feed: its format and parameters, with its channel. */
type Feed = Pick<PortalView, 'format' | 'parameters'> & {
  readonly reader: Pick<Reader, 'channelId'>;
};

/** Whether only trying each property with the format's writer says whether it is refused: the rules see where all of them are. */
export function isTried({ parameters: { policy } }: Pick<PortalView, 'parameters'>): boolean {
  return isWithheld(policy, 'location') || isWithheld(policy, 'address');
}

/**
 * The properties that a feed's format refuses. The report tells which ones the rules refuse; for a few
 * properties, or for a portal that may not see places, the format itself is tried.
 */
async function refusedIn(
  visitor: Visitor,
  feed: Feed,
  rows: readonly ListedRow[],
): Promise<Refused> {
  const refusing = REFUSING_PORTALS.find((name) => name === feed.format.name);
  if (rows.length === 0 || refusing === undefined) return NONE_REFUSED;
  if (rows.length <= MAX_TRIED || isTried(feed)) {
    return { identifiers: await withoutRecord(visitor, feed, rows), checkedIn: null };
  }
  const report = await loadReport({ ...visitor, reader: null }, { format: refusing, muted: [] });
  const identifiers = new Set(report?.findings.map(({ property }) => property));
  return { identifiers, checkedIn: report?.checkedIn ?? null };
}

/** The properties of a feed. */
export interface Listed {
  readonly numbers: readonly number[];
  /** Seconds until those should be checked that it may refuse. */
  readonly checkedIn: number | null;
}

/** What a feed has of the properties that its parameters select. */
export async function withoutRefused(
  visitor: Visitor,
  feed: Feed,
  numbers: readonly number[],
): Promise<Listed> {
  if (!REFUSING_PORTALS.some((name) => name === feed.format.name))
    return { numbers, checkedIn: null };
  const selected = { numbers, order: 'added' } as const;
  const rows = await listProperties(visitor.db, visitor.account.id, selected);
  const { identifiers, checkedIn } = await refusedIn(visitor, feed, rows);
  const left = new Set(
    rows.flatMap(({ identifier, number }) => (identifiers.has(identifier) ? [number] : [])),
  );
  return { numbers: numbers.filter((number) => !left.has(number)), checkedIn };
}

async function withoutRecord(
  { db, account }: Visitor,
  feed: Feed,
  rows: readonly ListedRow[],
): Promise<Set<string>> {
  const { format, reader } = feed;
  // What is refused does not depend on texts.
  const parameters = { ...feed.parameters, languages: [] };
  const dictionary = format.renderDictionary(await readVocabulary(db, account.id), []);
  const reading = {
    accountId: account.id,
    selection: parameters,
    needs: format,
    channel: reader.channelId,
  };
  const refused = new Set<string>();
  for (let start = 0; start < rows.length; start += PER_READ) {
    const scope = {
      numbers: JSON.stringify(rows.slice(start, start + PER_READ).map(({ number }) => number)),
    };
    for await (const { read } of readPages(db, reading, scope)) {
      const left = read.rows.filter(
        (row) => format.writeProperties([row], parameters, dictionary).records === 0,
      );
      for (const { id } of left) refused.add(id);
    }
  }
  return refused;
}
