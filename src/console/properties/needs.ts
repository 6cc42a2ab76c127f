import { mergePatch } from '../../lib/http/merge-patch.ts';
import { isoTime } from '../../lib/time/time.ts';
import { type PropertyDocument, propertySchema } from '../../properties/documents.ts';
import { LISTING_RULES } from '../../rules/all.ts';
import type { Listing } from '../../rules/listing.ts';
import type { UnitListing } from '../../units/listing.ts';
import { type FormPart, fieldOfNode } from './fields.ts';
import type { Typed } from './form.ts';

/** What portals need of a property: a part of the form, and the rules that find it missing. */
const NEEDS = {
  type: { part: 'basics', rules: ['type_unknown', 'idealista_type'] },
  ref: { part: 'basics', rules: [] },
  price: {
    part: 'offer',
    rules: ['no_price', 'price_negative', 'idealista_no_price', 'idealista_currency'],
  },
  place: {
    part: 'place',
    rules: [
      ...['no_town', 'no_province', 'province_unknown', 'idealista_place'],
      ...['coordinates_missing', 'coordinates_zero', 'coordinates_swapped'],
    ],
  },
  rooms: { part: 'rooms', rules: ['no_beds', 'no_built_area'] },
  energy: { part: 'energy', rules: ['energy_rating_missing', 'energy_rating_incomplete'] },
  pictures: { part: 'pictures', rules: ['no_pictures', 'few_pictures'] },
  spanish: { part: 'texts', rules: [] },
  english: { part: 'texts', rules: [] },
} as const satisfies Record<string, { part: FormPart | 'pictures'; rules: readonly string[] }>;

type Need = keyof typeof NEEDS;

/** How many things portals need. */
export const NEED_COUNT = Object.keys(NEEDS).length;

/** Whether portals need something of a part of the form. */
export function isNeeded(part: string): boolean {
  return Object.values(NEEDS).some((need) => need.part === part);
}

/** Something that portals need, and the property does not have. */
export interface Missing {
  readonly need: Need;
  readonly part: (typeof NEEDS)[Need]['part'];
  /** The name of the field that lacks it, if it is known. */
  readonly field: string | undefined;
}

/**
 * What a property lacks of what portals need.
 *
 * @param portals those that are switched on, as rules name them: a rule for others does not count
 */
export function missingOf(
  listing: Listing,
  typed: Typed,
  portals: readonly (string | null)[],
): Missing[] {
  const { descriptions } = listing;
  const field: Readonly<Partial<Record<Need, string | false>>> = {
    type: !typed.type && 'type',
    ref: !typed.ref && 'ref',
    price: Object.values(listing.offers).every((offer) => offer === null) && 'sale',
    // Which homes need these is known by the type.
    rooms: !typed.type && listing.beds === 0 && 'beds',
    energy: !typed.type && listing.consumption === 'X' && 'consumption',
    spanish: !descriptions.es && 'description-es',
    english: !descriptions.uk && 'description-uk',
  };
  return (Object.keys(NEEDS) as Need[]).flatMap((need): Missing[] => {
    const { part } = NEEDS[need];
    const empty = field[need];
    if (empty) return [{ need, part, field: empty }];
    const node = firstNode(NEEDS[need].rules, listing, portals);
    return node === undefined ? [] : [{ need, part, field: fieldOfNode(node) }];
  });
}

/** The node that the first rule that finds something names. */
function firstNode(
  codes: readonly string[],
  listing: Listing,
  portals: readonly (string | null)[],
): string | undefined {
  return LISTING_RULES.filter(
    (rule) =>
      codes.includes(rule.code) &&
      (rule.portals === undefined || rule.portals.some((portal) => portals.includes(portal))),
  ).flatMap((rule) => rule.check(listing))[0]?.node;
}

/** What is typed of the listing of a unit, with what the form does not have: the unit, and its price. */
export function ofUnit({ unit, offers }: UnitListing, patch: object): object {
  return mergePatch({ unit, offers: { sale: offers.sale } }, patch) as object;
}

/**
 * The property as it would be if what is typed were saved. Fields that cannot be stored are ignored. A new property has
 * nothing but what is typed.
 */
export function candidateOf(
  document: PropertyDocument | undefined,
  patch: object,
  now: number,
): PropertyDocument {
  const names = { id: '-', ref: '-', type: '-', town: '', province: '' };
  const base =
    document ??
    propertySchema.parse({
      ...names,
      kind: 'property',
      status: 'Available',
      listed_at: isoTime(now),
    });
  const merged = mergePatch(base, patch) as Record<string, unknown>;
  const result = propertySchema.safeParse(merged);
  if (result.success) return result.data;
  const wrong = new Set(result.error.issues.map(({ path }) => path[0]));
  const left = Object.entries(merged).filter(([name]) => !wrong.has(name));
  return propertySchema.safeParse({ ...base, ...Object.fromEntries(left) }).data ?? base;
}
