import { type Listing, typeKind, typeNames } from '../listing.ts';
import { isInSpain } from '../provinces.ts';
import { type Detail, type ListingRule, numberIn, type Text, when } from '../rule.ts';

/** What Idealista's schemas (version 6) allow: characters, whole euros, square metres, rooms, and names of countries. */
export const IDEALISTA = {
  identifier: [1, 50],
  price: [1, 99_999_999],
  builtArea: [1, 99_999],
  plotArea: [1, 99_999_999],
  rooms: [1, 99],
  description: 4_000,
  pictures: 200,
  countries: ['Spain', 'Italy', 'Portugal', 'Andorra', 'France', 'Switzerland', 'San Marino'],
} as const;

type Range = readonly [least: number, most: number];

/** Whether a number, rounded down as the feed writes it, is in a range. */
export function isWithin(value: number | null | undefined, [least, most]: Range): boolean {
  return value != null && Math.floor(value) >= least && Math.floor(value) <= most;
}

type Place = Pick<Listing, 'location' | 'address' | 'country'> & { readonly town: string | null };

/** Whether Idealista can find a place: by coordinates, or by the street with the town in a country that it serves. */
export function hasPlace(place: Place, isSpanish: boolean): boolean {
  const { location, address, town, country } = place;
  const isServed = isSpanish || (IDEALISTA.countries as readonly string[]).includes(country?.trim() || 'Spain');
  return location !== null || Boolean(address?.trim() && town?.trim() && isServed);
}

/**
 * Whether Idealista gets a property as a unit of its development: one with a place, which has no plots or storage rooms. A unit
 * needs no place of its own.
 */
export function isInDevelopment(listing: Listing): boolean {
  const { development } = listing;
  if (development === null) return false;
  const kind = typeKind(listing);
  if (kind === 'plot' || kind === 'unknown' || (kind === 'parking' && /storage|trastero/.test(typeNames(listing)))) {
    return false;
  }
  return hasPlace(development, isInSpain({ ...development, province: development.province ?? '' }));
}

/** A rule for what the schemas require: the feed leaves out a property that breaks it. */
function refusal(code: string, explanation: Text, fix: Text, check: ListingRule['check']): ListingRule {
  return { code, severity: 'error', ...explanation, fix, portals: ['idealista'], isRefusal: true, check };
}

/** Prices that Idealista does not accept. Its operations are sale and rent by the month. */
function badPrices({ offers: { sale, longTerm } }: Listing): readonly Detail[] {
  return [
    ...when(sale !== undefined && !isWithin(sale.price, IDEALISTA.price), 'price', sale?.price ?? ''),
    ...when(longTerm !== undefined && !isWithin(longTerm.rent, IDEALISTA.price), 'longterm', longTerm?.rent ?? ''),
  ];
}

function hasPrice({ offers: { sale, longTerm } }: Listing): boolean {
  return isWithin(sale?.price, IDEALISTA.price) || isWithin(longTerm?.rent, IDEALISTA.price);
}

export const IDEALISTA_RULES: readonly ListingRule[] = [
  refusal(
    'idealista_no_price',
    {
      en: `Idealista needs a sale price or a monthly rent of 1 to ${numberIn('en', IDEALISTA.price[1])} euros, and has no holiday rentals.`,
      es: `Idealista necesita un precio de venta o un alquiler mensual de 1 a ${numberIn('es', IDEALISTA.price[1])} euros, y no tiene alquileres vacacionales.`,
    },
    { en: 'Enter the price.', es: 'Indique el precio.' },
    (listing) => (hasPrice(listing) ? [] : [...badPrices(listing), { node: 'shortterm_low', value: '' }].slice(0, 1)),
  ),
  {
    code: 'idealista_offer_left_out',
    severity: 'info',
    en: 'Idealista gets the property without this offer: holiday rentals and prices on request are not accepted.',
    es: 'Idealista recibe el inmueble sin esta oferta: no acepta alquileres vacacionales ni precios a consultar.',
    fix: { en: 'Enter the price, if there is one.', es: 'Indique el precio, si lo hay.' },
    portals: ['idealista'],
    check: (listing) => [
      ...(hasPrice(listing) ? badPrices(listing) : []),
      ...when(hasPrice(listing) && listing.offers.shortTerm !== undefined, 'shortterm_low', ''),
    ],
  },
  refusal(
    'idealista_currency',
    { en: 'Idealista has prices in euros only.', es: 'Idealista solo tiene precios en euros.' },
    { en: 'Enter the price in euros.', es: 'Indique el precio en euros.' },
    ({ currency }) => when(currency !== 'EUR', 'currency', currency),
  ),
  refusal(
    'idealista_type',
    { en: 'Idealista has no such type.', es: 'Idealista no tiene un tipo así.' },
    {
      en: 'Choose a type of the built-in vocabulary, or map the name with --names when importing.',
      es: 'Elija un tipo del vocabulario incorporado, o asigne el nombre con --names al importar.',
    },
    (listing) => when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  ),
  refusal(
    'idealista_place',
    {
      en: 'Idealista needs the coordinates, or the street with the town in a country that it serves.',
      es: 'Idealista necesita las coordenadas, o la calle con la localidad en un país en el que opera.',
    },
    { en: 'Enter latitude and longitude.', es: 'Indique latitud y longitud.' },
    (listing) => when(!isInDevelopment(listing) && !hasPlace(listing, isInSpain(listing)), 'location', ''),
  ),
  {
    code: 'idealista_not_in_development',
    severity: 'info',
    en: 'Idealista gets this unit as a single property: its development has no place, or no such units there.',
    es: 'Idealista recibe esta unidad como un inmueble suelto: su promoción no tiene ubicación, o no admite unidades de este tipo.',
    fix: {
      en: 'State the coordinates of the development.',
      es: 'Indique las coordenadas de la promoción.',
    },
    portals: ['idealista'],
    check: (listing) => when(listing.development !== null && !isInDevelopment(listing), 'location', ''),
  },
  {
    code: 'idealista_description_cut',
    severity: 'info',
    en: `Idealista gets the first ${numberIn('en', IDEALISTA.description)} characters of this description.`,
    es: `Idealista recibe los primeros ${numberIn('es', IDEALISTA.description)} caracteres de esta descripción.`,
    fix: { en: 'Shorten the description.', es: 'Acorte la descripción.' },
    portals: ['idealista'],
    check: ({ descriptions }) =>
      Object.entries(descriptions).flatMap(([language, text]) => {
        const { length } = [...asLine(text)];
        return when(length > IDEALISTA.description, `description/${language}`, `${length}`);
      }),
  },
];

/** A text as one line, which the schemas require. */
export function asLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
