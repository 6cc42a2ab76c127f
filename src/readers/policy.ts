import { createHmac } from 'node:crypto';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { Location } from '../properties/checks.ts';
import type { DevelopmentPlace } from '../properties/development.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import { READER_KINDS, type ReaderKind } from '../properties/restrictions.ts';

/** Where readers see a property: at its place, 200 to 400 m from it, or nowhere. */
export const PLACES = ['exact', 'moved', 'hidden'] as const;

/** What can be withheld, by the names that policies have for it: where it is in a document. */
const WITHHELD: Readonly<Record<string, readonly string[]>> = {
  price_minimum: ['offers', 'sale', 'minimum_price'],
  rental_licence: ['offers', 'short_term', 'license'],
  postcode: ['postcode'],
  location: ['location'],
  cadastral_ref: ['cadastral_ref'],
  virtual_tour_url: ['virtual_tour_url'],
  video_url: ['video_url'],
  commission: ['commission'],
  address: ['address'],
  floor: ['floor'],
  email: ['email'],
  notes: ['notes'],
};

/** The addresses of a property's pages, which are with its texts. */
const URL = 'url';

export const WITHHOLDABLE: readonly string[] = [...Object.keys(WITHHELD), URL];

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
export const NEW_ACCOUNT_POLICY: string = policyText({
  withhold: ['commission', 'email', 'price_minimum'],
});

/** A policy as it is stored and part of cache keys: a query with its parts in a fixed order, empty for everything. */
export function policyText({
  withhold = [],
  place = 'exact',
  kind = null,
  since,
}: Partial<Policy>): string {
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

/** Whether a reader with this policy does not get something of {@link WITHHOLDABLE}. */
export function isWithheld(
  { withhold, place }: Pick<Policy, 'withhold' | 'place'>,
  name: string,
): boolean {
  return withhold.includes(name) || (name === 'location' && place === 'hidden');
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
  const fraction = (at: number) =>
    new DataView(digest.buffer, digest.byteOffset).getUint32(at) / 2 ** 32;
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
  const { location, address, postcode } = development;
  const seen =
    policy.place === 'moved' && location != null ? movedPlace(location, secret) : location;
  return {
    ...development,
    location: isWithheld(policy, 'location') ? null : seen,
    address: isWithheld(policy, 'address') ? null : address,
    postcode: isWithheld(policy, 'postcode') ? null : postcode,
  };
}

/**
 * A function that makes of a property's document what a reader may see: what is withheld is unknown, and its place may be moved.
 *
 * @param secret of the account, for a policy with moved places
 */
export function redactor(
  policy: Policy,
  secret: string,
): <Document extends Located>(document: Document) => Document {
  const paths = withheldPaths(policy);
  return (document) =>
    paths.reduce(
      (partly, path) => withChange(partly, path, unknown),
      moved(document, policy, secret),
    );
}

/** Like {@link redactor}, but the fields that are withheld are not there. */
export function withoutWithheld<Document extends Located>(
  document: Document,
  policy: Policy,
  secret: string,
): Partial<Document> {
  return withheldPaths(policy).reduce(
    (partly, path) => withChange(partly, path, absent),
    moved(document, policy, secret),
  );
}

type Located = Pick<PropertyDocument, 'location'>;

function moved<Document extends Located>(
  document: Document,
  policy: Policy,
  secret: string,
): Document {
  const { location } = document;
  return policy.place === 'moved' && location != null
    ? { ...document, location: movedPlace(location, secret) }
    : document;
}

/** Where in documents the values are that a reader with this policy does not get. */
function withheldPaths(policy: Policy): (readonly string[])[] {
  return Object.entries(WITHHELD).flatMap(([name, path]) =>
    isWithheld(policy, name) ? [path] : [],
  );
}

/** A copy in which the part that has the last key of a path is changed, if there is such a part. */
function withChange<Part extends object>(
  part: Part,
  [key, ...rest]: readonly string[],
  change: <Changed extends object>(part: Changed, key: string) => Changed,
): Part {
  if (rest.length === 0) return change(part, key!);
  const value = part[key as keyof Part];
  return value == null ? part : { ...part, [key!]: withChange(value, rest, change) };
}

/** A minimum price of 0 is not set. */
function unknown<Part extends object>(part: Part, key: string): Part {
  return { ...part, [key]: key === 'minimum_price' ? 0 : null };
}

function absent<Part extends object>(part: Part, key: string): Part {
  const copy = { ...part };
  delete copy[key as keyof Part];
  return copy;
}
