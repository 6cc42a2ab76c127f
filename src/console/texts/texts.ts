import type { Severity } from '../../rules/rule.ts';
import { ENGLISH, type TextName } from './english.ts';
import type { Language } from './language.ts';
import { SPANISH } from './spanish.ts';

export type { TextName };

/** The words of the pages in one language. */
export interface Texts extends Readonly<Record<TextName, string>> {
  /** A single finding, by its severity. */
  readonly severities: Readonly<Record<Severity, string>>;
  /** The statuses of properties, by their names in feeds; those that are missing remain as they are. */
  readonly statuses: Readonly<Record<string, string>>;
  /** The points of the compass, by the codes of a unit's directions. */
  readonly compass: Readonly<Record<CompassPoint, string>>;
}

/** The points of the compass, clockwise: the codes of directions that feeds translate. */
export const COMPASS_POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

export type CompassPoint = (typeof COMPASS_POINTS)[number];

/** The words in each language. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    ...ENGLISH,
    severities: { error: 'Error', warning: 'Warning', info: 'Information' },
    statuses: {},
    compass: {
      N: 'North',
      NE: 'North-east',
      E: 'East',
      SE: 'South-east',
      S: 'South',
      SW: 'South-west',
      W: 'West',
      NW: 'North-west',
    },
  },
  es: {
    ...SPANISH,
    severities: { error: 'Error', warning: 'Aviso', info: 'Información' },
    statuses: {
      Available: 'Disponible',
      'Under Offer': 'Con oferta',
      'Sale Agreed': 'Venta acordada',
      Sold: 'Vendido',
      Withdrawn: 'Retirado',
    },
    compass: {
      N: 'Norte',
      NE: 'Noreste',
      E: 'Este',
      SE: 'Sureste',
      S: 'Sur',
      SW: 'Suroeste',
      W: 'Oeste',
      NW: 'Noroeste',
    },
  },
};
