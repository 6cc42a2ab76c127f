/** Where a listing may not go. */
export const RESTRICTIONS = [
  'no_portals',
  'not_abroad',
  'no_social_media',
  'own_website_only',
] as const;

/** The kinds of readers, each with the restrictions that keep a listing from it. */
const RESTRICTIONS_FOR = {
  own_website: [],
  national_portal: ['no_portals', 'own_website_only'],
  international_portal: ['no_portals', 'not_abroad', 'own_website_only'],
  partner_agency: ['own_website_only'],
  social_media: ['no_social_media', 'own_website_only'],
} as const satisfies Record<string, readonly (typeof RESTRICTIONS)[number][]>;

export type ReaderKind = keyof typeof RESTRICTIONS_FOR;

export const READER_KINDS = Object.keys(RESTRICTIONS_FOR) as readonly ReaderKind[];

/** The restrictions that keep a listing from readers of a kind; none for a reader without a kind. */
export function restrictionsFor(kind: ReaderKind | null | undefined): readonly string[] {
  return kind == null ? [] : RESTRICTIONS_FOR[kind];
}

/** Whether readers of a kind may get a listing with these restrictions. */
export function mayGet(kind: ReaderKind | null, restrictions: readonly string[]): boolean {
  return !restrictionsFor(kind).some((restriction) => restrictions.includes(restriction));
}
