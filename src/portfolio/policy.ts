import { createHmac } from 'node:crypto';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { Location } from './checks.ts';
import type { DevelopmentPlace } from './development.ts';
import type { PropertyDocument } from './documents.ts';
import { FIELDS, type FieldColumn } from './property-fields.ts';
import { READER_KINDS, type ReaderKind } from './restrictions.ts';

/** Where readers see a property: at its place, 200 to 400 m from it, or nowhere. */
export const PLACES = ['exact', 'moved', 'hidden'] as const;

/** The columns that can be withheld, by the names that policies have for them; `url` is not a column of the table. */
const WITHHELD = FIELDS.flatMap(([column, { withhold }]) => (withhold === undefined ? [] : [{ column, withhold }]));

/** The addresses of a property's pages, which are with its texts. */
const URL = 'url';

export const WITHHOLDABLE: readonly string[] = [...new Set(WITHHELD.map(({ withhold }) => withhold)), URL];

export interface Policy {
  /** Names of {@link WITHHOLDABLE}, in their order. */
  readonly withhold: readonly string[];
  readonly place: (typeof PLACES)[number];
  /** What the reader is, which decides which restricted listings it gets; `null` for every listing. */
  readonly kind: ReaderKind | null;
  /**
   * When what the reader gets was last changed. Its feeds show every property as updated then or later: portals that compare
   * dates would keep what they have.
   */
  readonly since?: EpochSeconds;
}

/** The policy of the readers of a new account, unless they are given another. */
export const NEW_ACCOUNT_POLICY: string = policyText({ withhold: ['commission', 'email', 'price_minimum'] });

/** A policy as it is stored and part of cache keys: a query with its parts in a fixed order, empty for everything. */
export function policyText({ withhold = [], place = 'exact', kind = null, since }: Partial<Policy>): string {
  const names = WITHHOLDABLE.filter((name) => withhold.includes(name));
  const parts = [
    ...(names.length > 0 ? [`withhold=${names.join('.')}`] : []),
    ...(place === 'exact' ? [] : [`place=${place}`]),
    ...(kind === null ? [] : [`kind=${kind}`]),
    ...(since === undefined ? [] : [`since=${since}`]),
  ];
  return parts.join('&');
}

export type PolicyChange = { readonly [Part in keyof Policy]?: Policy[Part] | undefined };

/** A policy with the given parts replaced. */
export function changedPolicy(text: string, change: PolicyChange): string {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return policyText({ ...policyIn(text), ...Object.fromEntries(given) });
}

/** The policy in a text of {@link policyText}. */
export function policyIn(text: string): Policy {
  const query = new URLSearchParams(text);
  const place = PLACES.find((one) => one === query.get('place')) ?? 'exact';
  const kind = READER_KINDS.find((one) => one === query.get('kind')) ?? null;
  const since = query.get('since');
  const withhold = query.get('withhold')?.split('.') ?? [];
  return { withhold, place, kind, ...(since !== null && { since: Number(since) }) };
}

/** The columns that a reader with this policy does not get, and whether it gets the addresses of pages. */
export function withheldBy({ withhold, place }: Pick<Policy, 'withhold' | 'place'>) {
  const names = place === 'hidden' ? [...withhold, 'location'] : withhold;
  const columns = WITHHELD.flatMap((field) => (names.includes(field.withhold) ? [field.column] : []));
  return { columns: new Set<FieldColumn>(columns), withUrls: !names.includes(URL) };
}

/** Metres of a degree of latitude. */
const METRES_PER_DEGREE = 111_320;

/**
 * A place 200 to 400 m from the given one. It is always the same, so that several responses reveal no more than one does, also
 * to several readers. Properties within about ten metres are moved alike: otherwise the average of the moved places in a
 * building would be its true one.
 *
 * @param secret of the account
 */
export function movedPlace({ latitude, longitude }: Location, secret: string): Location {
  const digest = createHmac('sha256', secret)
    .update(`${latitude.toFixed(4)} ${longitude.toFixed(4)}`)
    .digest();
  const fraction = (at: number) => new DataView(digest.buffer, digest.byteOffset).getUint32(at) / 2 ** 32;
  const angle = fraction(0) * 2 * Math.PI;
  const distance = (200 + fraction(4) * 200) / METRES_PER_DEGREE;
  const shrink = Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
  const rounded = (degrees: number) => Number(degrees.toFixed(5));
  return {
    latitude: rounded(latitude + distance * Math.sin(angle)),
    longitude: rounded(longitude + (distance * Math.cos(angle)) / shrink),
  };
}

/** A development with its place as a reader may see it. @param secret of the account, for a policy with moved places */
export function placeShown<Development extends DevelopmentPlace>(
  development: Development,
  policy: Policy,
  secret: string,
): Development {
  const { columns } = withheldBy(policy);
  const { location, address, postcode } = development;
  const seen = policy.place === 'moved' && location !== null ? movedPlace(location, secret) : location;
  return {
    ...development,
    location: columns.has('latitude') ? null : seen,
    address: columns.has('address') ? null : address,
    postcode: columns.has('postcode') ? null : postcode,
  };
}

/** A property's document as a reader may see it. @param secret of the account, for a policy with moved places */
export function redacted(document: PropertyDocument, policy: Policy, secret: string): PropertyDocument {
  const { columns, withUrls } = withheldBy(policy);
  const copy = structuredClone(document) as unknown as Record<string, unknown>;
  for (const [column, { document: path }] of FIELDS) if (columns.has(column)) remove(copy, path.split('.'));
  const shown = copy as unknown as { location?: Location | null; texts: Record<string, { url?: string }> };
  if (columns.has('latitude')) delete shown.location;
  else if (policy.place === 'moved' && shown.location) shown.location = movedPlace(shown.location, secret);
  if (!withUrls) for (const text of Object.values(shown.texts)) delete text.url;
  return copy as unknown as PropertyDocument;
}

function remove(from: Record<string, unknown>, [key, ...rest]: readonly string[]): void {
  const value = from[key!];
  if (rest.length === 0) delete from[key!];
  else if (typeof value === 'object' && value !== null) remove(value as Record<string, unknown>, rest);
}
