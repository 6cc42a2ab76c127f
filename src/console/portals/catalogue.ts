import type { Portal as RulePortal } from '../../rules/portals.ts';
import type { Language } from '../texts/language.ts';

/** A portal, or another kind of program that fetches a feed, as people choose it from a list. */
export interface ListedPortal {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly initials: string;
  /** A colour of the style sheet. */
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** The format of the feed: its name in `feed/formats`. */
  readonly format: string;
  /** Feed parameters that it gets unless somebody chooses others. */
  readonly preset: string;
  /** The rules that the account's listings are checked against, if there are some for it. */
  readonly rules: RulePortal | null;
  readonly about: Readonly<Record<Language, string>>;
}

/** The portals to choose from. The last two are for everything else. */
export const PORTAL_LIST: readonly ListedPortal[] = [
  {
    id: 'kyero',
    names: { en: 'Kyero', es: 'Kyero' },
    initials: 'K',
    colour: 1,
    format: 'kyero',
    preset: '',
    rules: 'kyero',
    about: {
      en: 'Buyers from northern Europe. Sales and long lets.',
      es: 'Compradores del norte de Europa. Venta y larga duración.',
    },
  },
  {
    id: 'thinkspain',
    names: { en: 'ThinkSPAIN', es: 'ThinkSPAIN' },
    initials: 'TS',
    colour: 2,
    format: 'kyero',
    preset: '',
    rules: 'kyero',
    about: { en: 'Reads the same format as Kyero.', es: 'Lee el mismo formato que Kyero.' },
  },
  {
    id: 'idealista',
    names: { en: 'Idealista', es: 'Idealista' },
    initials: 'id',
    colour: 3,
    format: 'idealista',
    preset: '',
    rules: 'idealista',
    about: { en: 'Buyers and tenants in Spain.', es: 'Compradores e inquilinos en España.' },
  },
  {
    id: 'aplaceinthesun',
    names: { en: 'A Place in the Sun', es: 'A Place in the Sun' },
    initials: 'AP',
    colour: 5,
    format: 'kyero',
    preset: 'T=SALE',
    rules: 'a-place-in-the-sun',
    about: { en: 'Buyers from the United Kingdom. Sales only.', es: 'Compradores del Reino Unido. Solo venta.' },
  },
  {
    id: 'website',
    names: { en: 'Own website', es: 'Web propia' },
    initials: '',
    colour: 4,
    format: 'resales',
    preset: 'FV=3',
    rules: null,
    about: {
      en: 'Everything that you have, for the program of your own site.',
      es: 'Todo lo que tiene, para el programa de su propia web.',
    },
  },
  {
    id: 'other',
    names: { en: 'Other', es: 'Otro' },
    initials: '',
    colour: 6,
    format: 'kyero',
    preset: '',
    rules: null,
    about: {
      en: 'Any program that reads Kyero XML; most do.',
      es: 'Cualquier programa que lea XML de Kyero; casi todos.',
    },
  },
];

const OTHER = PORTAL_LIST.at(-1)!;

/** A portal of the list; the last one for a reader that was not chosen from it. */
export function findPortal(id: string | null): ListedPortal {
  return PORTAL_LIST.find((portal) => portal.id === id) ?? OTHER;
}

/** The formats of feeds as people call them, by their names. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  kyero: 'Kyero XML, version 3',
  resales: 'ReSales-Online XML, version 1',
  'resales FV=2': 'ReSales-Online XML, version 2',
  'resales FV=3': 'ReSales-Online XML, version 3',
  idealista: 'Idealista JSON, version 6',
};

/** What people call the format of a feed with some parameters. */
export function formatName(format: string, preset: string): string {
  const version = new URLSearchParams(preset).get('FV');
  return FORMAT_NAMES[`${format} FV=${version}`] ?? FORMAT_NAMES[format] ?? format;
}
