import { holdingOf } from '../../api/deliveries/holding.ts';
import { isLate } from '../../api/readers/late.ts';
import { channelIn } from '../../db/feed/channel-revisions.ts';
import type { ListedRow } from '../../db/feed/listings.ts';
import { type FeedDeliveries, listDeliveries } from '../../db/readers/deliveries.ts';
import { listReaders, type Reader } from '../../db/readers/readers.ts';
import type { DayCounts } from '../../db/schema.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { isAllowed } from '../../portfolio/restrictions.ts';
import type { Tone } from '../frame/parts.tsx';
import type { PORTAL_TEXTS } from '../texts/texts.ts';
import { findPortal, formatName } from './catalogue.ts';

/** Readers of an account that pages show, at most. */
const MAX_PORTALS = 200;

/** How a portal comes: as usual, later than usual, not yet for the first time; or it is not allowed to. */
export type PortalState = 'onTime' | 'overdue' | 'never' | 'paused';

/** The colours of the states. */
export const STATE_TONES: Readonly<Record<PortalState, Tone>> = {
  onTime: 'good',
  overdue: 'bad',
  never: 'info',
  paused: 'none',
};

/** A reader as people see it. */
export interface PortalView {
  readonly reader: Reader;
  /** Its name in the API and in URLs. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  readonly portal: string | null;
  readonly format: FeedFormat;
  readonly formatName: string;
  /** The parameters that its preset selects in its format, with its policy. */
  readonly parameters: FeedParameters;
  /** Identifiers of properties that its parameters select and its format refuses, where they were looked up. */
  readonly refused: ReadonlySet<string>;
  readonly state: PortalState;
  /** The feed visited last comes first. */
  readonly feeds: readonly FeedDeliveries[];
  readonly lastVisit: EpochSeconds | null;
  /** Seconds; `null` until it is known. */
  readonly usualInterval: number | null;
  /** The visits of each day, of all feeds. */
  readonly days: DayCounts;
}

/** The portals of an account by name, with what they were given. */
export async function loadPortals(db: D1Database, accountId: number, now: EpochSeconds): Promise<PortalView[]> {
  const [readers, deliveries] = await Promise.all([
    listReaders(db, accountId, null, MAX_PORTALS),
    listDeliveries(db, accountId),
  ]);
  const views = readers.map((reader) =>
    portalView(
      reader,
      deliveries.filter((entry) => entry.reader === reader.name),
      now,
    ),
  );
  return views.toSorted((a, b) => a.title.localeCompare(b.title));
}

export function portalView(reader: Reader, feeds: readonly FeedDeliveries[], now: EpochSeconds): PortalView {
  const { name, portal, preset, disabled, keys } = reader;
  const [last] = feeds;
  const used = last?.feed.split('?')[0];
  const format = formatOf(portal === null ? used : findPortal(portal).format);
  const isPaused = disabled || keys === 0;
  const state = isPaused ? 'paused' : last === undefined ? 'never' : isLate(last, now) ? 'overdue' : 'onTime';
  return {
    reader,
    name,
    title: reader.title ?? name,
    portal,
    format,
    formatName: formatName(format, preset),
    parameters: { ...parametersOf(format, preset), policy: policyIn(reader.policy) },
    refused: new Set(),
    state,
    feeds,
    lastVisit: last?.visitedAt ?? null,
    usualInterval: last?.usualInterval ?? null,
    days: sumOfDays(feeds.map(({ days }) => days)),
  };
}

/** A format by its name, otherwise the first one. */
export function formatOf(name: string | undefined): FeedFormat {
  return FORMATS.find((format) => format.name === name) ?? FORMATS[0]!;
}

/** What a preset selects in a format. */
export function parametersOf(format: FeedFormat, preset: string): FeedParameters {
  return format.parse(applyPreset(format, {}, { preset, isFixed: false }).given).parameters;
}

function sumOfDays(all: readonly DayCounts[]): DayCounts {
  const sum: Record<string, [number, number]> = {};
  for (const [date, [full, notModified]] of all.flatMap((days) => Object.entries(days))) {
    const [before, unchanged] = sum[date] ?? [0, 0];
    sum[date] = [before + full, unchanged + notModified];
  }
  return sum;
}

/** Why a portal's feed does not list a property: its state, its portal's preset and channel, or a refusal by the format. */
export type LeftOut = keyof (typeof PORTAL_TEXTS)['en']['reasons'];

/** Why a portal's feed leaves out a property; `null` if the feed lists it. */
export function leftOutOf({ parameters, reader, refused }: PortalView, row: ListedRow): LeftOut | null {
  const { category, onWebsites, withoutRented, availableOnly } = parameters;
  // Only one format leaves short-term rentals out.
  const withShortTerm = !('shortTerm' in parameters) || parameters.shortTerm === true;
  const isForRent = row.forLongTerm === 1 || (row.forShortTerm === 1 && withShortTerm);
  const hasOffer = (row.forSale === 1 && category !== 'RENT') || (isForRent && category !== 'SALE');
  if (row.status === 'Withdrawn') return 'withdrawn';
  if (row.status === 'Sold') return 'sold';
  if (reader.channelId !== null && !(reader.channelId in row.channels)) return 'channel';
  if (!isAllowed(policyIn(reader.policy).kind, row.restrictions?.split('\n') ?? [])) return 'kind';
  if (onWebsites && row.onWebsites === 0) return 'notOnWebsites';
  if (withoutRented && row.rented === 1) return 'rented';
  if (availableOnly && row.status !== 'Available') return 'notAvailable';
  if (row.listed === 0 || !hasOffer) return 'noOffer';
  return refused.has(row.identifier) ? 'refused' : null;
}

/** The last change of a property: the revisions that it made. */
export type RowRevisions = Pick<ListedRow, 'saleRevision' | 'rentalRevision' | 'channels'>;

/** That a portal has the current state of a property: since when, and whether it was sent or has come back with it. */
export interface Held {
  readonly since: EpochSeconds;
  readonly delivery: 'sent' | 'confirmed';
}

/** Since when a portal has the current state of a property; `null` if it was not sent. */
export function heldBy(portal: Pick<PortalView, 'reader' | 'feeds'>, row: RowRevisions): Held | null {
  const { channelId } = portal.reader;
  const changed = {
    sale: row.saleRevision,
    rental: row.rentalRevision,
    assigned: channelId === null ? 0 : (row.channels[channelId] ?? 0),
  };
  const held = portal.feeds
    .filter(({ feed }) => channelIn(feed) === channelId)
    .flatMap((entry) => {
      const holding = holdingOf(entry, changed);
      return holding.state === 'current'
        ? [{ since: Date.parse(holding.since) / 1_000, delivery: holding.delivery }]
        : [];
    });
  return held.toSorted((a, b) => a.since - b.since)[0] ?? null;
}
