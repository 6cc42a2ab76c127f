/** What properties are offered for, as documents have it. */
export const OFFERS = ['sale', 'long_term', 'short_term'] as const;

export type OfferName = (typeof OFFERS)[number];
