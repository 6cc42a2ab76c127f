import { NO_DETAILS } from '../../../src/properties/development.ts';
import { checkListings } from '../../../src/rules/check.ts';
import type { Listing } from '../../../src/rules/listing.ts';
import { PORTALS, type Portal } from '../../../src/rules/portals.ts';
import { makeReport } from '../../../src/rules/report.ts';
import {
  description,
  feature,
  type GivenListing,
  inSpanish,
  listing,
} from '../../support/accounts/listing.ts';

/** A development with a place. */
export const SOL = { ...NO_DETAILS, location: { latitude: 36.7, longitude: -4.4 } };

export const NOW = Date.UTC(2026, 5, 1) / 1000;

/** All portals but those that take expensive homes only, and the one with cases of its own. */
export const CHOSEN: readonly Portal[] = (Object.keys(PORTALS) as Portal[]).filter(
  (portal) =>
    portal !== 'james-edition' && portal !== 'a-place-in-the-sun' && portal !== 'idealista',
);

/** The findings in some properties, as `rule property node`. */
export function found(...listings: readonly Listing[]): string[] {
  const { findings } = makeReport([checkListings(listings)], { portals: CHOSEN }, NOW);
  return findings.map(({ rule, property, node }) => `${rule} ${property} ${node}`);
}

export const HOUSE = {
  builtInType: 'villa',
  type: { uk: 'House', es: 'Casa' },
  subtype: { uk: 'Detached Villa', es: 'Villa Independiente' },
};
export const PLOT = {
  builtInType: 'plot-residential',
  type: { uk: 'Plot', es: 'Parcela' },
  subtype: { uk: 'Residential Plot', es: 'Parcela Residencial' },
};
export const BOAT = { builtInType: null, type: { uk: 'Boat', es: 'Barco' } };
export const sale = (price: number | null) => ({ price, minimum_price: 0 });
export const picture = (url: string) => [url, ...listing().pictures];
export const sized = (url: string, width: number, height: number) =>
  ({ url, kind: 'photo', width, height }) as const;
export const inEnglish = (text: string) => ({
  descriptions: { ...listing().descriptions, uk: text },
});

export const ABROAD = { country: 'Elsewhere', province: 'Faraway' };

/** By rule: a property that breaks it, where, and what else is found in it. */
export const CASES: readonly (readonly [
  rule: string,
  given: GivenListing,
  node: string,
  ...others: string[],
])[] = [
  ['no_price', { offers: { sale: sale(null) } }, 'price'],
  ['no_price', { offers: { long_term: { rent: 0 } } }, 'longterm'],
  [
    'no_price',
    { offers: { short_term: { low: null, high: null, license: 'VFT/MA/1' } } },
    'shortterm_low',
  ],
  [
    'price_negative',
    { offers: { sale: { price: -1, minimum_price: -2 } } },
    'price',
    'sale_price_implausible',
    'price_per_square_metre_implausible',
  ],
  [
    'sale_price_implausible',
    { offers: { sale: sale(950) }, ibi_fees: null, garbage_tax: null, community_fees: null },
    'price',
    'price_per_square_metre_implausible',
  ],
  ['rent_implausible', { offers: { long_term: { rent: 350_000 } } }, 'longterm'],
  [
    'rent_exceeds_price',
    { offers: { sale: sale(350_000), long_term: { rent: 20_000 } } },
    'longterm',
  ],
  ['price_per_square_metre_implausible', { built_area: 3000 }, 'price'],
  ['price_per_square_metre_implausible', { offers: { sale: sale(4_500_000) } }, 'price'],
  [
    'minimum_price_exceeds_price',
    { offers: { sale: { price: 350_000, minimum_price: 360_000 } } },
    'price_minimum',
  ],
  [
    'low_season_exceeds_high_season',
    { offers: { short_term: { low: 900, high: 700, license: 'VFT/MA/1' } } },
    'shortterm_low',
  ],
  ['price_not_whole', { offers: { long_term: { rent: 950.5 } } }, 'longterm'],
  [
    'currency_unknown_to_kyero',
    { currency: 'CHF', offers: { long_term: { rent: 950 } } },
    'currency',
  ],
  ['yearly_costs_implausible', { ibi_fees: -1, offers: { long_term: { rent: 950 } } }, 'ibi_fees'],
  ['yearly_costs_implausible', { community_fees: 3_000 }, 'community_fees'],
  [
    'rental_license_missing',
    { offers: { short_term: { low: 700, high: 900, license: ' ' } } },
    'rental_license',
  ],

  ['no_pictures', { pictures: [] }, 'images'],
  ['few_pictures', { pictures: listing().pictures.slice(2) }, 'images'],
  [
    'more_than_50_pictures',
    { pictures: Array.from({ length: 51 }, (_, index) => `https://a.es/${index}.jpg`) },
    'images',
    'more_than_25_pictures',
  ],
  [
    'more_than_25_pictures',
    { pictures: Array.from({ length: 26 }, (_, index) => `https://a.es/${index}.jpg`) },
    'images',
  ],
  ['picture_url_invalid', { pictures: picture('/photos/1.jpg') }, 'images/image[1]/url'],
  [
    'picture_not_reachable',
    { pictures: picture('https://192.168.1.20/1.jpg') },
    'images/image[1]/url',
  ],
  [
    'picture_not_reachable',
    { pictures: picture('https://localhost/1.jpg') },
    'images/image[1]/url',
  ],
  [
    'picture_not_reachable',
    { pictures: picture('https://172.31.0.1/1.jpg') },
    'images/image[1]/url',
  ],
  ['picture_not_https', { pictures: picture('http://a.es/1.jpg') }, 'images/image[1]/url'],
  [
    'picture_repeated',
    { pictures: [...listing().pictures, listing().pictures[1]!] },
    'images/image[7]/url',
  ],
  ['picture_not_an_image', { pictures: picture('https://a.es/plan.pdf') }, 'images/image[1]/url'],
  [
    'picture_not_an_image',
    { pictures: picture('https://a.es/plan.pdf?v=1') },
    'images/image[1]/url',
  ],
  [
    'picture_small_for_kyero',
    {
      pictures: [
        ...listing().pictures,
        sized('https://a.es/7.jpg', 2560, 1920),
        sized('https://a.es/8.jpg', 960, 1279),
      ],
    },
    'images/image[8]/url',
  ],
  ['tour_url_invalid', { video_url: 'video.es/1' }, 'video_url'],
  [
    'tour_url_invalid',
    { virtual_tour_url: '<iframe src="https://tour.es/1">' },
    'virtual_tour_url',
  ],

  ['no_description', { descriptions: {} }, 'description'],
  ['description_under_30_characters', inEnglish('Nice flat.'), 'description/uk'],
  [
    'description_brief',
    inEnglish('A nice flat with two bedrooms near the beach.'),
    'description/uk',
  ],
  ['description_in_capitals', inEnglish(description('').toUpperCase()), 'description/uk'],
  ['description_with_phone', inEnglish(description('Call +34 952 12 34 56.')), 'description/uk'],
  ['description_with_phone', inEnglish(description('', 'Tel. 612345678')), 'description/uk'],
  ['description_with_phone', inEnglish(description('Llame al 952 123 456 hoy.')), 'description/uk'],
  [
    'description_with_phone',
    inEnglish(description('Llame al (952) 12 34 56 hoy.')),
    'description/uk',
  ],
  ['description_with_email', inEnglish(description('Write to sales@agency.es.')), 'description/uk'],
  [
    'description_with_web_address',
    inEnglish(description('See www.agency.es/r1')),
    'description/uk',
  ],
  ['description_with_web_address', inEnglish(description('More on agency.com')), 'description/uk'],
  ['description_with_web_address', inEnglish(description('Ask AGENCY.CO.UK')), 'description/uk'],
  ['description_with_html', inEnglish(description('<p>', '<br/>')), 'description/uk'],
  ['description_with_html', inEnglish(description('Sea &amp; mountains')), 'description/uk'],
  ['description_in_other_language', inEnglish(inSpanish('Otra.')), 'description/uk'],
  [
    'description_contradicts_data',
    { ...inEnglish(description('Built area 181 m2.')), built_area: 0, living_area: null },
    'surface_area',
    'no_built_area',
  ],
  [
    'description_contradicts_data',
    { ...inEnglish(description('A villa with 4 bedrooms.')), beds: 0 },
    'beds',
    'no_beds',
  ],
  [
    'description_placeholder',
    inEnglish(description('Lorem ipsum dolor sit amet')),
    'description/uk',
  ],
  [
    'description_not_translated',
    { descriptions: { uk: description('One'), es: description('One') } },
    'description/es',
  ],

  ['no_town', { town: '' }, 'town'],
  ['no_province', { province: ' ' }, 'province'],
  ['place_name_too_long', { town: 'M'.repeat(51) }, 'town'],
  ['province_unknown', { province: 'Costa del Sol' }, 'province'],
  ['coordinates_missing', { location: null }, 'location'],
  ['coordinates_zero', { location: { latitude: 0, longitude: 0 } }, 'location'],
  ['coordinates_swapped', { location: { latitude: -4.8825, longitude: 36.5101 } }, 'location'],
  [
    'coordinates_outside_province',
    { location: { latitude: 40.4168, longitude: -3.7038 } },
    'location',
  ],
  ['coordinates_imprecise', { location: { latitude: 36.512, longitude: -4.882 } }, 'location'],
  ['postcode_invalid', { postcode: '2960' }, 'postcode'],
  ['postcode_outside_province', { postcode: '28001' }, 'postcode'],

  ['no_beds', { beds: 0 }, 'beds'],
  ['beds_implausible', { beds: 110, built_area: 1100 }, 'beds'],
  ['baths_outside_trovit', { bath: 0 }, 'baths'],
  ['baths_implausible', { bath: 22 }, 'baths', 'baths_outside_trovit'],
  ['baths_implausible', { bath: 10 }, 'baths'],
  ['no_built_area', { built_area: null }, 'surface_area/built'],
  ['built_area_implausible', { built_area: 9, living_area: null, beds: 1 }, 'surface_area/built'],
  [
    'area_too_small_for_beds',
    { built_area: 23, living_area: null, offers: { long_term: { rent: 900 } } },
    'surface_area/built',
  ],
  ['living_area_exceeds_built_area', { living_area: 111 }, 'living_area'],
  ['no_plot_area', { ...PLOT }, 'surface_area/plot'],
  ['detached_without_plot', { ...HOUSE }, 'surface_area/plot'],
  ['built_year_implausible', { built_year: 1699 }, 'built_year'],
  ['built_year_implausible', { built_year: 2045 }, 'built_year'],

  ['energy_rating_missing', { emissions: 'X', consumption: 'X' }, 'energy_rating'],
  ['energy_rating_incomplete', { emissions: 'X' }, 'energy_rating'],
  ['no_subtype', { subtype: {} }, 'subtype'],
  ['type_unknown', { ...BOAT, subtype: { uk: 'Yacht', es: 'Yate' } }, 'type'],
  ['type_not_translated', { type: { uk: 'Apartment' } }, 'type/es'],
  ['no_features', { features: [] }, 'characteristics'],
  [
    'more_than_50_features',
    {
      features: Array.from({ length: 51 }, (_, n) =>
        feature('Views', { uk: `V${n}`, es: `V${n}` }),
      ),
    },
    'characteristics',
  ],
  ['pool_contradicts_features', { has_pool: false }, 'has_pool'],
  ['reference_too_long', { ref: 'A reference of 21 ch.' }, 'ref'],
  ['cadastral_reference_invalid', { cadastral_ref: 'pending' }, 'cadastral_ref'],

  ['listed_in_the_future', { listedAt: NOW + 60 }, 'listing_date'],
  ['not_updated_for_a_year', { updatedAt: NOW - 366 * 86_400 }, 'last_updated'],
  ['reserved_for_months', { status: 'Under Offer', updatedAt: NOW - 130 * 86_400 }, 'status'],
];

/** By rule of Idealista: a property that breaks it, and where; whether its feed leaves the property out. */
export const IDEALISTA_CASES: readonly (readonly [
  rule: string,
  given: GivenListing,
  node: string,
  isOut: boolean,
])[] = [
  ['idealista_no_price', { offers: { sale: sale(null) } }, 'price', true],
  ['idealista_no_price', { offers: { long_term: { rent: 100_000_000 } } }, 'longterm', true],
  [
    'idealista_no_price',
    { offers: { short_term: { low: 700, high: 900, license: 'VFT/MA/1' } } },
    'shortterm_low',
    true,
  ],
  [
    'idealista_offer_left_out',
    {
      offers: {
        long_term: { rent: 900 },
        short_term: { low: 700, high: null, license: 'VFT/MA/1' },
      },
    },
    'shortterm_low',
    false,
  ],
  [
    'idealista_offer_left_out',
    { offers: { sale: sale(350_000), long_term: { rent: null } } },
    'longterm',
    false,
  ],
  ['idealista_not_in_development', { development: NO_DETAILS }, 'location', false],
  [
    'idealista_description_cut',
    { descriptions: { uk: 'A view. '.repeat(600) } },
    'description/uk',
    false,
  ],
  ['idealista_currency', { currency: 'GBP' }, 'currency', true],
  ['idealista_type', { ...BOAT, subtype: {} }, 'type', true],
  ['idealista_identifier', { id: 'R'.repeat(51) }, 'id', true],
  ['idealista_built_area', { built_area: null }, 'surface_area/built', true],
  ['idealista_built_area', { built_area: 100_000 }, 'surface_area/built', true],
  ['idealista_plot_area', { ...PLOT, built_area: 90 }, 'surface_area/plot', true],
  ['idealista_beds', { beds: 0 }, 'beds', true],
  ['idealista_baths', { bath: 0.5 }, 'baths', true],
  ['idealista_place', { location: null }, 'location', true],
  [
    'idealista_place',
    { location: null, address: 'Rua Real 1', country: 'Morocco', province: '' },
    'location',
    true,
  ],
];
