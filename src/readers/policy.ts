import { createHmac } from 'node:crypto';
import { mergePatch } from '../lib/http/merge-patch.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { Location } from '../properties/checks.ts';
import type { DevelopmentPlace } from '../properties/development.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import { READER_KINDS, type ReaderKind } from '../properties/restrictions.ts';
import { canonicalRules, offersSelected } from '../properties/selection/rules.ts';
import type { SelectionChange, SelectionRules } from '../properties/selection/schema.ts';

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
  /** The rules by which it selects properties; without any, it gets all. */
  readonly selection?: SelectionRules | null;
}

/** The policy of the readers of a new account, unless they are given another. */
export const NEW_ACCOUNT_POLICY: string = policyText({
  withhold: ['commission', 'email', 'price_minimum'],
});

/** Where the rules of a policy begin in its text. The migrations find them, too. */
const SELECTION = 'selection=';

/**
 * A policy as it is stored: a query with its parts in a fixed order, empty for everything. The last part is the rules as JSON, as
 * it is.
 */
export function policyText({
  withhold = [],
  place = 'exact',
  kind = null,
  since,
  selection,
}: Partial<Policy>): string {
  const rules = canonicalRules(selection);
  const names = WITHHOLDABLE.filter((name) => withhold.includes(name));
  const parts = [
    ...(names.length > 0 ? [`withhold=${names.join('.')}`] : []),
    ...(place === 'exact' ? [] : [`place=${place}`]),
    ...(kind === null ? [] : [`kind=${kind}`]),
    ...(since === undefined ? [] : [`since=${since}`]),
    ...(rules === null ? [] : [`${SELECTION}${JSON.stringify(rules)}`]),
  ];
  return parts.join('&');
}

export type PolicyChange = {
  readonly [Part in Exclude<keyof Policy, 'selection'>]?: Policy[Part] | undefined;
} & { readonly selection?: SelectionChange | null | undefined };

/** A policy with the given parts replaced; of its rules, those that are given. */
export function changedPolicy(text: string, { selection, ...change }: PolicyChange): string {
  const before = policyIn(text);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const rules =
    selection === undefined ? before.selection : mergePatch(before.selection, selection);
  return policyText({
    ...before,
    ...Object.fromEntries(given),
    selection: (rules ?? null) as SelectionRules | null,
  });
}

/** The name of a policy in cache keys, of ASCII characters, from its text: the rules have a digest there. */
export function policyName(text: string): string {
  const { query, rules } = partsOf(text);
  return rules === '' ? query : `${query}${SELECTION}${sha256Hex(rules).slice(0, 32)}`;
}

function partsOf(text: string): { readonly query: string; readonly rules: string } {
  const start = text.indexOf(SELECTION);
  if (start === -1) return { query: text, rules: '' };
  return { query: text.slice(0, start), rules: text.slice(start + SELECTION.length) };
}

/** The policy in a text of {@link policyText}. */
export function policyIn(text: string): Policy {
  const { query: others, rules } = partsOf(text);
  const query = new URLSearchParams(others);
  const place = PLACES.find((one) => one === query.get('place')) ?? 'exact';
  const kind = READER_KINDS.find((one) => one === query.get('kind')) ?? null;
  const since = query.get('since');
  const withhold = query.get('withhold')?.split('.') ?? [];
  return {
    withhold,
    place,
    kind,
    ...(since !== null && { since: Number(since) }),
    ...(rules !== '' && { selection: JSON.parse(rules) as SelectionRules }),
  };
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
 * A function that makes of a property's document what a reader may see: what is withheld is unknown, offers that it does not select
 * are not there, and its place may be moved.
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
      selected(document, policy, secret),
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
    selected(document, policy, secret),
  );
}

type Located = Pick<PropertyDocument, 'location' | 'offers'>;

/** A property at the place and with the offers that a reader sees. */
function selected<Document extends Located>(
  document: Document,
  { place, selection }: Policy,
  secret: string,
): Document {
  const { location, offers } = document;
  const isMoved = place === 'moved' && location != null;
  if (!isMoved && selection?.offers === undefined) return document;
  return {
    ...document,
    location: isMoved ? movedPlace(location, secret) : location,
    offers: offersSelected(offers, selection),
  };
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
