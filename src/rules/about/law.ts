import { isHome } from '../listing.ts';
import { findProvince, isInSpain } from '../provinces.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** The day on which the sources below were last read. */
const checked = '2026-11-24';

/**
 * The regions whose law requires a holiday rental's number in advertisements: the first two digits of their provinces'
 * postcodes, the law, and where it was read.
 */
const REGIONS = [
  [
    '04 11 14 18 21 23 29 41',
    'Andalucía: Decreto 28/2016',
    'https://balms.es/es/blog/9/actualidad-balms/1045/viviendas-arrendadas-en-andalucia-con-fines-turisticos',
  ],
  [
    '08 17 25 43',
    'Cataluña: Decreto 75/2020',
    'http://empresa.gencat.cat/ca/treb_ambits_actuacio/turisme/professionals_turisme/emo_empreses_establiments_turistics/registre-turisme-catalunya/codis-inscripcio/',
  ],
  [
    '03 12 46',
    'Comunitat Valenciana: Decreto 10/2021',
    'https://valenciaplaza.com/turismo-decreto-apartamentos-turisticos',
  ],
  ['07', 'Illes Balears: Ley 8/2012', 'https://www.boe.es/buscar/act.php?id=BOE-A-2012-10610'],
  [
    '35 38',
    'Canarias: Decreto 113/2015, Ley 6/2025',
    'https://www.gobiernodecanarias.org/boc/archivo/2015/101/pda/001.html',
  ],
] as const;

/** Rules that state law: each names its sources, and when they were last read. */
export const LAW_RULES: readonly ListingRule[] = [
  {
    code: 'energy_rating_missing',
    severity: 'warning',
    en: 'The energy rating is missing. In Spain every advertisement for sale or rent must state it (Real Decreto 390/2021).',
    es: 'Falta la calificación energética. En España todo anuncio de venta o alquiler debe indicarla (Real Decreto 390/2021).',
    fix: { en: 'Enter both letters of the certificate.', es: 'Indique las dos letras del certificado.' },
    law: [{ name: 'Real Decreto 390/2021', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2021-9176', checked }],
    check: (listing) => {
      const isKnown = listing.consumption !== 'X' || listing.emissions !== 'X' || listing.energy_status !== null;
      const isRequired = isHome(listing) && isInSpain(listing);
      return when(!isKnown && isRequired, 'energy_rating', 'X');
    },
  },
  {
    code: 'rental_license_missing',
    severity: 'warning',
    en: 'The holiday rental has no licence number. Spanish regions require the number of their own register in advertisements; there is no longer a national one.',
    es: 'El alquiler vacacional no tiene número de licencia. Las comunidades autónomas exigen en los anuncios el número de su propio registro; el número nacional ya no existe.',
    fix: {
      en: "Enter the number from the region's tourism register.",
      es: 'Indique el número del registro de turismo de la comunidad autónoma.',
    },
    law: [
      { name: 'Tribunal Supremo, sentencia 620/2026', url: 'https://exnovo.law/en/?p=1171', checked },
      { name: 'Reglamento (UE) 2024/1028', url: 'https://eur-lex.europa.eu/eli/reg/2024/1028/oj', checked },
      ...REGIONS.map(([, name, url]) => ({ name, url, checked })),
    ],
    check: (listing) => {
      const { shortTerm } = listing.offers;
      if (shortTerm === undefined || shortTerm.license?.trim() || !isInSpain(listing)) return NONE;
      const { prefix = '-' } = findProvince(listing.province) ?? {};
      const [, law = ''] = REGIONS.find(([prefixes]) => prefixes.includes(prefix)) ?? [];
      return [{ node: 'rental_license', value: law }];
    },
  },
];
