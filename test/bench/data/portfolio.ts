import { LANGUAGES } from '../../../src/lib/languages.ts';
import {
  type PortfolioDocument,
  type PortfolioDocumentInput,
  parseDocument,
} from '../../../src/portfolio/documents.ts';
import { Random } from '../../support/random.ts';
import { description } from './words.ts';

const PICTURES = 20;
const FEATURES = 15;
const DESCRIPTION_BYTES = 1_200;

/** Characters of each text if there is one in every language. */
const LONG_TEXT = 2_000;

/** One in this many properties is a unit of the development. */
const UNIT_EVERY = 20;

/** The development that every portfolio has. */
export const DEVELOPMENT = 'D1';

const CATEGORIES: readonly (readonly [code: string, spanish: string, features: readonly string[]])[] = [
  [
    'Setting',
    'Situación',
    'Beachside|Town|Suburban|Country|Mountain Pueblo|Close To Golf|Close To Port|Close To Schools',
  ],
  ['Orientation', 'Orientación', 'North|East|South|West|South East|South West'],
  ['Condition', 'Estado', 'Excellent|Good|Fair|Recently Renovated|New Construction'],
  ['Pool', 'Piscina', 'Communal|Private|Heated|Indoor|Room For Pool'],
  ['Climate Control', 'Climatización', 'Air Conditioning|Hot A/C|Cold A/C|Fireplace|U/F Heating|Central Heating'],
  ['Views', 'Vistas', 'Sea|Mountain|Golf|Beach|Port|Country|Panoramic|Garden|Pool|Urban|Lake'],
  [
    'Features',
    'Características',
    'Covered Terrace|Lift|Fitted Wardrobes|Near Transport|Private Terrace|Satellite TV|WiFi|Gym|Sauna|Games Room|Guest Apartment|Storage Room|Utility Room|Ensuite Bathroom|Marble Flooring|Jacuzzi|Barbeque|Double Glazing|Staff Accommodation|Basement|Fiber Optic',
  ],
  ['Furniture', 'Muebles', 'Fully Furnished|Part Furnished|Not Furnished|Optional'],
  ['Kitchen', 'Cocina', 'Fully Fitted|Partially Fitted|Kitchen-Lounge'],
  ['Garden', 'Jardín', 'Communal|Private|Landscaped|Easy Maintenance'],
  ['Security', 'Seguridad', 'Gated Complex|Entry Phone|Alarm System|24 Hour Security|Safe'],
  ['Parking', 'Aparcamiento', 'Underground|Garage|Covered|Open|Street|More Than One|Private'],
  [
    'Category',
    'Categoría',
    'Bargain|Cheap|Holiday Homes|Investment|Luxury|Off Plan|Resale|Golf|Beachfront|Contemporary',
  ],
].map(([code, spanish, features]) => [code!, spanish!, features!.split('|')] as const);

const TYPES = [
  ['Apartment', 'Apartamento', 'Ground Floor', 'Planta Baja'],
  ['Apartment', 'Apartamento', 'Penthouse', 'Ático'],
  ['Apartment', 'Apartamento', 'Duplex', 'Dúplex'],
  ['House', 'Casa', 'Detached Villa', 'Villa Independiente'],
  ['House', 'Casa', 'Semi-Detached', 'Pareado'],
  ['House', 'Casa', 'Finca-Cortijo', 'Finca-Cortijo'],
  ['Plot', 'Parcela', 'Residential', 'Residencial'],
] as const;

const TOWNS = [
  'Marbella',
  'Estepona',
  'Benahavís',
  'Mijas',
  'Fuengirola',
  'Nueva Andalucía',
  'Torremolinos',
  'Manilva',
];

/** Two short texts, or long ones in all ten languages of feeds: Russian ones take two bytes a letter. */
export type Texts = 'short' | 'long';

/** A portfolio of `properties` properties, with everything they refer to; the same in every run. */
export function* portfolio(properties: number, texts: Texts = 'short'): Generator<PortfolioDocument> {
  const random = new Random(20_260_501);
  for (const [english, spanish, subtype, subtypeSpanish] of TYPES) {
    yield parse({
      kind: 'type',
      code: subtype,
      labels: {
        uk: { older_type: english, older_subtype: subtype, type: english, subtype },
        es: { older_type: spanish, older_subtype: subtypeSpanish, type: spanish, subtype: subtypeSpanish },
      },
    });
  }
  for (const [code, spanish, features] of CATEGORIES) {
    yield parse({ kind: 'category', code, labels: { uk: code, es: spanish } });
    for (const feature of features) {
      yield parse({
        kind: 'feature',
        code: `${code}/${feature}`,
        category: code,
        labels: { uk: feature, es: `${feature} (${spanish})` },
      });
    }
  }
  yield parse({ kind: 'development', id: DEVELOPMENT, name: 'Residencial Mirador & Golf' });
  for (let number = 1; number <= properties; number++) {
    if (number % UNIT_EVERY === 0) yield unit(number, random);
    yield property(number, random, texts);
  }
}

/** The names of the units of a portfolio of so many properties. */
export function unitNames(properties: number): string[] {
  return Array.from({ length: Math.floor(properties / UNIT_EVERY) }, (_, index) => unitName((index + 1) * UNIT_EVERY));
}

/** The name of a property's unit. */
function unitName(number: number): string {
  return `A-${number}`;
}

const ALL_FEATURES = CATEGORIES.flatMap(([code, , features]) => features.map((feature) => `${code}/${feature}`));

function unit(number: number, random: Random): PortfolioDocument {
  return parse({
    kind: 'unit',
    development: DEVELOPMENT,
    name: unitName(number),
    status: 1,
    price: random.between(150, 900) * 1_000,
    directions: [random.pick(['N', 'S', 'E', 'W']), 'SW'],
  });
}

function property(number: number, random: Random, texts: Texts): PortfolioDocument {
  const isUnit = number % UNIT_EVERY === 0;
  const offered = isUnit ? 0 : random.next();
  const beds = random.between(1, 7);
  const rent = random.between(6, 60) * 100;
  const picture = random.between(100_000, 999_999);
  return parse({
    kind: 'property',
    id: `R${3_000_000 + number}`,
    ref: `LB-${10_000 + number}`,
    type: random.pick(TYPES)[2],
    unit: isUnit ? { development: DEVELOPMENT, name: unitName(number) } : null,
    status: random.pickSkewed(['Available', 'Available', 'Available', 'Under Offer', 'Sale Agreed'] as const),
    listed_at: new Date(Date.UTC(2024, 0, 1) + random.between(0, 60_000_000) * 1_000).toISOString().replace('.000', ''),
    town: random.pick(TOWNS),
    area: 'Costa del Sol',
    province: 'Málaga',
    country: 'Spain',
    postcode: String(random.between(29_600, 29_700)),
    location: {
      latitude: random.between(36_300_000, 36_700_000) / 1e6,
      longitude: -random.between(4_400_000, 5_300_000) / 1e6,
    },
    beds,
    bath: beds + random.between(0, 1) / 2,
    built_area: random.between(60, 900),
    plot_area: random.next() < 0.5 ? random.between(300, 9_000) : null,
    terrace_area: random.between(8, 200),
    living_area: random.between(50, 800),
    built_year: random.between(1_975, 2_026),
    community_fees: random.between(60, 900),
    garbage_tax: random.between(80, 300),
    ibi_fees: random.between(300, 6_000) + 0.5,
    cadastral_ref: `${random.between(1_000_000, 9_999_999)}UF${random.between(1_000, 9_999)}S0001`,
    has_pool: random.next() < 0.7,
    has_garden: random.next() < 0.6,
    has_garage: random.next() < 0.6,
    emissions: random.pick(['A', 'B', 'C', 'D', 'E', 'X'] as const),
    consumption: random.pick(['A', 'B', 'C', 'D', 'E', 'X'] as const),
    virtual_tour_url: random.next() < 0.3 ? `https://tours.example/show?m=${picture}&lang=en` : null,
    video_url: random.next() < 0.2 ? `https://videos.example/watch?v=${picture}` : null,
    offers: {
      sale: offered < 0.8 ? { price: random.between(120, 4_500) * 1_000, minimum_price: 0 } : null,
      long_term: offered >= 0.7 && offered < 0.95 ? { rent } : null,
      short_term: offered >= 0.9 ? { low: rent / 4, high: rent / 2, license: `VFT/MA/${picture}` } : null,
    },
    texts: texts === 'short' ? shortTexts(random) : longTexts(random),
    pictures: Array.from(
      { length: PICTURES },
      (_, index) => `https://pictures.example/LB-${10_000 + number}/${index + 1}/${random.hex(32)}.jpg?w=1200&q=85`,
    ),
    features: random.some(ALL_FEATURES, FEATURES),
  });
}

function shortTexts(random: Random) {
  return {
    uk: { description: description(random, 'uk', DESCRIPTION_BYTES) },
    es: { description: description(random, 'es', DESCRIPTION_BYTES) },
  };
}

function longTexts(random: Random) {
  const text = (language: string) =>
    language === 'ru'
      ? description(random, 'ru', 2 * LONG_TEXT)
      : description(random, language === 'es' ? 'es' : 'uk', LONG_TEXT);
  return Object.fromEntries(LANGUAGES.map(({ element }) => [element, { description: text(element) }]));
}

function parse(document: PortfolioDocumentInput): PortfolioDocument {
  return parseDocument(document);
}
