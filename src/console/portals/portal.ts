import { readPages } from '../../feed/build/feed-properties.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { channelIn } from '../../feed/manifest/segments.ts';
import { applyPreset } from '../../feed/request/preset.ts';
import { type EpochSeconds, toSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { mayGet } from '../../properties/restrictions.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { deliveredStateOf } from '../../readers/api/delivered-state.ts';
import { decidingIn, decidingOf } from '../../readers/deciding.ts';
import { type FeedDeliveries, listDeliveries, sumOfDays } from '../../readers/deliveries.ts';
import { isOverdue } from '../../readers/overdue.ts';
import { isWithheld, policyIn, redactor } from '../../readers/policy.ts';
import { listReaders, type Reader } from '../../readers/readers.ts';
import {
  type Deciding,
  type Reason,
  rulesWith,
  whyNotChosen,
  whyNotListed,
} from '../../readers/selection.ts';
import { REFUSING_PORTALS } from '../../rules/all.ts';
import { isRefusedBy } from '../../rules/check.ts';
import { type ListedVocabulary, listingOfDocument } from '../../rules/listing.ts';
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
  const deciding = decidingIn(row, parameters.shortTerm);
  const reason = whyNotListed(deciding, parameters, reader.channel);
  return reason ?? (refused.identifiers.has(row.identifier) ? 'refused' : null);
}

/** The portal whose rules a reader's listings are checked by, if there are any. */
export function rulesFor({ portal, format }: PortalView): Portal | undefined {
  return findPortal(portal).rules ?? (isPortal(format.name) ? format.name : undefined);
}

/** What becomes of a property at a portal. */
export interface Standing {
  readonly portal: PortalView;
  /** Whether the portal's selection has it, which a switch changes. */
  readonly isOn: boolean;
  /** Whether the selection that is stored has it. */
  readonly wasOn: boolean;
  /** `notPermitted` to a portal of this kind; `waiting`: to be fetched. */
  readonly state: 'takes' | 'waiting' | 'leavesOut' | 'off' | 'paused' | 'notPermitted';
  /** Why the feed would leave it out; `null` if it would list it. */
  readonly reason: LeftOut | null;
}

/** A property with the values that matter at portals. */
export interface Candidate {
  readonly property: PropertyDocument;
  /** Its row, if it is stored: a unit has the unit's status and price. */
  readonly row: ListedRow | undefined;
  /** Whether these are the stored values. */
  readonly isStored: boolean;
  readonly vocabulary: ListedVocabulary;
}

/** What decides whether a portal lists a property, and whether it is in the portal's selection. */
export function deciding(portal: PortalView, { property, row }: Candidate): Deciding {
  return decidingOf(property, row, portal.parameters.shortTerm);
}

/** A portal whose rules have a property in or out. */
export function withSwitch(portal: PortalView, property: Deciding, isOn: boolean): PortalView {
  const { parameters } = portal;
  const selection = rulesWith([property], parameters, isOn);
  return { ...portal, parameters: { ...parameters, policy: { ...parameters.policy, selection } } };
}

/**
 * What becomes of a property at a portal.
 *
 * @param switched the position of its switch, if that was changed
 */
export function standingOf(portal: PortalView, candidate: Candidate, switched?: boolean): Standing {
  const { reader, format, state } = portal;
  const { property, row, isStored } = candidate;
  const values = deciding(portal, candidate);
  const { parameters } = switched === undefined ? portal : withSwitch(portal, values, switched);
  const { policy } = parameters;
  const off = whyNotChosen(values, parameters, reader.channel);
  const refusing = REFUSING_PORTALS.find((name) => name === format.name);
  const refused = () => {
    const listing = listingOfDocument(redactor(policy, '')(property), candidate.vocabulary);
    return refusing !== undefined && isRefusedBy(refusing, listing) ? 'refused' : null;
  };
  const reason = whyNotListed(values, parameters, reader.channel) ?? refused();
  const isOn = off === null;
  const wasOn = switched === undefined ? isOn : !switched;
  const standing = { portal, isOn, wasOn, reason: (off ?? reason) as LeftOut | null };
  if (!mayGet(policy.kind, property.restrictions)) return { ...standing, state: 'notPermitted' };
  if (off !== null) return { ...standing, state: 'off' };
  if (state === 'paused') return { ...standing, state };
  if (reason !== null) return { ...standing, state: 'leavesOut' };
  const isWaiting = isStored && row !== undefined && deliveredTo(portal, row) === null;
  return { ...standing, state: isWaiting ? 'waiting' : 'takes' };
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
