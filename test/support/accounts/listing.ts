import type { ListedFeature, Listing } from '../../../src/rules/listing.ts';
import { builtInFeature } from '../../../src/vocabulary/built-in.ts';

const TEXT =
  'A bright home near the sea, with three bedrooms, a fitted kitchen and a covered terrace that looks south over the gardens ' +
  'and the mountains. Shops, schools and the beach are within walking distance, and the airport is half an hour away.';

const SPANISH =
  'Una vivienda luminosa cerca del mar, con tres dormitorios, cocina equipada y una terraza cubierta con vistas al sur sobre los ' +
  'jardines y las montañas. Las tiendas, los colegios y la playa están a poca distancia, y el aeropuerto a media hora en coche.';

/** Values of a listing; offers that are left out are none. */
export interface GivenListing extends Partial<Omit<Listing, 'offers'>> {
  readonly offers?: Partial<Listing['offers']>;
}

/** A property in which no rule finds anything, with the given values instead of its own. */
export function listing(given: GivenListing = {}): Listing {
  const { offers = { sale: { price: 350_000, minimum_price: 0 } } } = given;
  return {
    id: 'R1',
    ref: 'CS-1',
    status: 'Available',
    listedAt: Date.UTC(2026, 0, 2) / 1000,
    updatedAt: Date.UTC(2026, 4, 2) / 1000,
    currency: 'EUR',
    builtInType: 'apartment-middle',
    type: { uk: 'Apartment', es: 'Apartamento' },
    subtype: { uk: 'Middle Floor Apartment', es: 'Apartamento Planta Media' },
    town: 'Marbella',
    province: 'Málaga',
    country: 'Spain',
    postcode: '29600',
    location: { latitude: 36.5101, longitude: -4.8825 },
    beds: 3,
    bath: 2,
    built_area: 110,
    plot_area: null,
    living_area: 90,
    built_year: 2004,
    community_fees: 120.5,
    garbage_tax: 90,
    ibi_fees: 700,
    cadastral_ref: '9872023VH5797S0006XS',
    has_pool: true,
    emissions: 'B',
    consumption: 'C',
    energy_status: null,
    address: null,
    floor: null,
    development: null,
    developmentName: null,
    virtual_tour_url: null,
    video_url: null,
    descriptions: { uk: TEXT, es: SPANISH },
    pictures: Array.from(
      { length: 6 },
      (_, index) => `https://pictures.agency.es/r1/${index + 1}.jpg`,
    ),
    features: [feature('Pool', { uk: 'Communal', es: 'Comunitaria' })],
    ...given,
    offers: { sale: null, long_term: null, short_term: null, ...offers },
  };
}

/** A feature of {@link listing} by its category and its labels. */
export function feature(category: string, label: ListedFeature['label']): ListedFeature {
  const code = `${category}: ${label.uk}`;
  return { builtIn: builtInFeature({ code, category, labels: label }), category, label };
}

/** A description that differs from that of {@link listing} by what stands before and behind it. */
export function description(before: string, behind = ''): string {
  return `${before} ${TEXT} ${behind}`;
}

/** The same in Spanish. */
export function inSpanish(before: string): string {
  return `${before} ${SPANISH}`;
}
