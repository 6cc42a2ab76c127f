import feedEn from '../feed/en.json' with { type: 'json' };
import feedEs from '../feed/es.json' with { type: 'json' };
import homeEn from '../home/en.json' with { type: 'json' };
import homeEs from '../home/es.json' with { type: 'json' };
import importsEn from '../imports/en.json' with { type: 'json' };
import importsEs from '../imports/es.json' with { type: 'json' };
import portalsEn from '../portals/en.json' with { type: 'json' };
import portalsEs from '../portals/es.json' with { type: 'json' };
import propertiesEn from '../properties/en.json' with { type: 'json' };
import propertiesEs from '../properties/es.json' with { type: 'json' };
import reportEn from '../report/en.json' with { type: 'json' };
import reportEs from '../report/es.json' with { type: 'json' };
import sessionEn from '../session/en.json' with { type: 'json' };
import sessionEs from '../session/es.json' with { type: 'json' };
import settingsEn from '../settings/en.json' with { type: 'json' };
import settingsEs from '../settings/es.json' with { type: 'json' };
import unitsEn from '../units/en.json' with { type: 'json' };
import unitsEs from '../units/es.json' with { type: 'json' };
import { catalogue } from './catalogue.ts';
import commonEn from './en.json' with { type: 'json' };
import commonEs from './es.json' with { type: 'json' };

/** What all pages share. */
export const COMMON = catalogue(commonEn, commonEs);
export const FEED = catalogue(feedEn, feedEs);
export const HOME = catalogue(homeEn, homeEs);
export const IMPORTS = catalogue(importsEn, importsEs);
export const PORTAL_TEXTS = catalogue(portalsEn, portalsEs);
export const PROPERTIES = catalogue(propertiesEn, propertiesEs);
export const REPORT = catalogue(reportEn, reportEs);
export const SESSION = catalogue(sessionEn, sessionEs);
export const SETTINGS = catalogue(settingsEn, settingsEs);
export const UNITS = catalogue(unitsEn, unitsEs);

export type CommonTexts = (typeof COMMON)['en'];

/** The languages of the pages, with their own names. */
export const LANGUAGE_NAMES = { en: 'English', es: 'Español' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

export function isLanguage(text: string | undefined): text is Language {
  return text === 'en' || text === 'es';
}

/** The points of the compass, clockwise: the codes of directions that feeds translate. */
export const COMPASS_POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** The statuses of properties, as feeds name them. */
export const STATUSES = ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;
