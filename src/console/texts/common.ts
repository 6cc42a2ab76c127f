import { catalogue } from './catalogue.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

/** The points of the compass, clockwise: the codes of directions that feeds translate. */
export const COMPASS_POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export type CompassPoint = (typeof COMPASS_POINTS)[number];

/** The statuses of properties, as feeds name them. */
export const STATUSES = ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;

/** What all pages share. */
export const COMMON = catalogue(en, es);

export type CommonTexts = (typeof COMMON)['en'];
