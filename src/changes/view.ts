import { readSetting } from '../accounts/accounts.ts';
import { SHOWN_FIELDS } from '../feed/formats/formats.ts';
import { isoTime } from '../lib/time/time.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import { isWithheld, type Policy, withoutWithheld } from '../readers/policy.ts';
import { offersShown, type Selection } from '../readers/selection.ts';
import { unitView } from '../units/view.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../vocabulary/orientation.ts';
import type * as news from './changes.ts';

/** A reader that follows changes. */
export interface Reader {
  /** What it may see. */
  readonly policy: Policy;
  /** The secret of moved places. */
  readonly secret: string;
  /** The offers that it gets. */
  readonly category: Selection['category'];
}

const EVERYTHING: Policy = { withhold: [], place: 'exact', kind: null };

/** The reader of an audience. */
export async function readerOf(
  db: D1Database,
  { accountId, listing }: news.Audience,
): Promise<Reader> {
  const { policy = EVERYTHING, category } = listing;
  const secret = policy.place === 'moved' ? await readSetting(db, accountId, 'placeSecret') : '';
  return { policy, secret, category };
}

/** The fields of a property that its follower may see. */
export type ShownProperty = Partial<PropertyDocument> & Pick<PropertyDocument, 'kind' | 'id'>;

/** A change as responses show it: the property as it is now, or that the caller no longer sees it. A client is no `reader`. */
export function propertyChangeView(
  { id, number, document: stored, directions }: news.PropertyChange,
  reader: Reader | null,
) {
  if (stored === null) return { kind: 'removed', id, number } as const;
  const document =
    directions === null
      ? stored
      : { ...stored, features: featuresFacing(directions, stored.features) };
  const property: ShownProperty =
    reader === null ? { ...document } : (shownByFeeds(document, reader) as ShownProperty);
  return { kind: 'changed', id, number, property } as const;
}

/** The features of a property that is a unit, with the unit's directions instead of its own. */
function featuresFacing(directions: string, features: readonly string[]): string[] {
  const ofUnit = directionsIn(directions).map(
    (code) => `${ORIENTATION}: ${COMPASS[code]?.[0] ?? code}`,
  );
  return [
    ...new Set([...ofUnit, ...features.filter((code) => !code.startsWith(`${ORIENTATION}: `))]),
  ];
}

/** A change of a unit as responses show it. */
export function unitChangeView(change: news.UnitChange) {
  const { kind, number } = change;
  if (kind === 'changed') return { kind, number, unit: unitView(change.unit) } as const;
  return { kind, number, development_id: change.development, UntName: change.name } as const;
}

/** The fields that a reader gets besides the texts. */
const SHOWN: ReadonlySet<string> = new Set([
  'kind',
  'id',
  'updated_at',
  'unit',
  'pictures',
  ...SHOWN_FIELDS,
]);

/** What a reader gets of a property: what feeds show, with the time that they show. */
function shownByFeeds(document: PropertyDocument, { policy, secret, category }: Reader) {
  const seen = withoutWithheld(document, policy, secret);
  const shown = Object.fromEntries(Object.entries(seen).filter(([name]) => SHOWN.has(name)));
  const texts = Object.entries(document.texts).map(([language, { description, url }]) => [
    language,
    isWithheld(policy, 'url') ? { description } : { description, url },
  ]);
  return {
    ...shown,
    offers: offersShown(seen.offers!, { category }),
    updated_at: [document.updated_at ?? '', isoTime(policy.since ?? 0)].sort()[1]!,
    texts: Object.fromEntries(texts),
  };
}
