import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NO_DETAILS } from '../../../src/properties/development.ts';
import { ACCOUNT_CHECKS } from '../../../src/rules/about/across.ts';
import { CHECKS, RULES, RULES_FORMAT } from '../../../src/rules/all.ts';
import { checkListings, isRefusedBy } from '../../../src/rules/check.ts';
import type { Listing } from '../../../src/rules/listing.ts';
import { PORTALS, type Portal } from '../../../src/rules/portals.ts';
import { makeReport } from '../../../src/rules/report.ts';
import TABLE from '../../../src/rules/rules.json' with { type: 'json' };
import {
  description,
  feature,
  type GivenListing,
  inSpanish,
  listing,
} from '../../support/accounts/listing.ts';

/** A development with a place. */
const SOL = { ...NO_DETAILS, location: { latitude: 36.7, longitude: -4.4 } };

const NOW = Date.UTC(2026, 5, 1) / 1000;

/** All portals but those that take expensive homes only, and the one with cases of its own. */
const CHOSEN: readonly Portal[] = (Object.keys(PORTALS) as Portal[]).filter(
  (portal) =>
    portal !== 'james-edition' && portal !== 'a-place-in-the-sun' && portal !== 'idealista',
);

/** The findings in some properties, as `rule property node`. */
function found(...listings: readonly Listing[]): string[] {
  const { findings } = makeReport([checkListings(listings)], { portals: CHOSEN }, 'en', NOW);
  return findings.map(({ rule, property, node }) => `${rule} ${property} ${node}`);
}

const HOUSE = {
  builtInType: 'villa',
  type: { uk: 'House', es: 'Casa' },
  subtype: { uk: 'Detached Villa', es: 'Villa Independiente' },
};
const PLOT = {
  builtInType: 'plot-residential',
  type: { uk: 'Plot', es: 'Parcela' },
  subtype: { uk: 'Residential Plot', es: 'Parcela Residencial' },
};
const BOAT = { builtInType: null, type: { uk: 'Boat', es: 'Barco' } };
const sale = (price: number | null) => ({ price, minimum_price: 0 });
const picture = (url: string) => [url, ...listing().pictures];
const inEnglish = (text: string) => ({ descriptions: { ...listing().descriptions, uk: text } });

const ABROAD = { country: 'Elsewhere', province: 'Faraway' };

/** By rule: a property that breaks it, where, and what else is found in it. */
const CASES: readonly (readonly [
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
const IDEALISTA_CASES: readonly (readonly [
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

describe('a property for Idealista', () => {
  test.each(IDEALISTA_CASES)('%s: %o', (rule, given, node, isOut) => {
    const one = listing(given);
    const { findings } = makeReport([checkListings([one])], { portal: 'idealista' }, 'en', NOW);
    const own = findings.filter((finding) => finding.rule.startsWith('idealista_'));
    expect(own).toEqual([{ rule, property: one.id, node, value: expect.any(String) }]);
    expect(isRefusedBy('idealista', one)).toBe(isOut);
  });

  test.each<[string, GivenListing]>([
    ['a flat', {}],
    ['a studio without a bedroom', { beds: 0, builtInType: 'studio-ground' }],
    ['a plot without rooms', { ...PLOT, plot_area: 900, built_area: null, beds: 0, bath: 0 }],
    ['a street without coordinates', { location: null, address: 'Calle Real 1' }],
    ['a unit without a place in a development with one', { location: null, development: SOL }],
    ['a price with decimals', { offers: { long_term: { rent: 950.5 } } }],
  ])('%s: is not refused, and no other portal refuses any', (_, given) => {
    expect(isRefusedBy('idealista', listing(given))).toBe(false);
    for (const portal of CHOSEN)
      expect(isRefusedBy(portal, listing({ location: null, beds: 0 }))).toBe(false);
  });
});

describe('a property', () => {
  test.each(CASES.map(([rule, given, node, ...others]) => ({ rule, given, node, others })))(
    '$rule: $given',
    ({ rule, given, node, others }) => {
      const changed = listing(given);
      const findings = found(changed);
      expect(findings).toContain(`${rule} ${changed.id} ${node}`);
      const rules = new Set(findings.map((finding) => finding.split(' ')[0]));
      expect([...rules].filter((code) => code !== rule && !others.includes(code!))).toEqual([]);
    },
  );

  test('without defects: nothing is found', () => {
    expect(found(listing())).toEqual([]);
  });

  const unlicensed = { offers: { short_term: { low: 700, high: 900, license: null } } };
  test.each<[string, GivenListing, string[]]>([
    ['Málaga', {}, ['Andalucía: Decreto 28/2016']],
    ['Alicante', { province: 'Alicante' }, ['Comunitat Valenciana: Decreto 10/2021']],
    ['Madrid, whose law is not among the sources', { province: 'Madrid' }, ['']],
    ['Faro, in Portugal', { province: 'Faro', country: 'Portugal' }, []],
  ])(
    'a holiday rental without a licence in %s: the finding names the law of the region',
    (_, given, values) => {
      const part = checkListings([listing({ ...unlicensed, ...given })]);
      const { findings } = makeReport([part], { rule: 'rental_license_missing' }, 'en', NOW);
      expect(findings.map(({ value }) => value)).toEqual(values);
    },
  );

  test('a plot of land: needs neither rooms nor an energy rating', () => {
    const plot = listing({
      ...PLOT,
      plot_area: 900,
      beds: 0,
      bath: 0,
      built_area: null,
      living_area: null,
      emissions: 'X',
      consumption: 'X',
      features: [],
      has_pool: false,
    });
    expect(found(plot)).toEqual([]);
  });

  test.each<[string, GivenListing]>([
    ['names of 50 characters', { town: 'M'.repeat(50) }],
    ['20 bathrooms', { bath: 20, beds: 14, built_area: 350 }],
    ['no costs a year', { community_fees: 0, ibi_fees: 0, garbage_tax: 0 }],
    [
      'a bedroom that the text mentions, and the data',
      { beds: 1, ...inEnglish(description('It has 1 bedroom.')) },
    ],
  ])('%s: nothing is found', (_, given) => {
    expect(found(listing(given)).filter((one) => !one.startsWith('baths_outside_trovit'))).toEqual(
      [],
    );
  });

  test.each([
    ['james-edition', 'price_below_james_edition', 489_999, 490_000],
    ['a-place-in-the-sun', 'price_outside_a_place_in_the_sun', 4_999, 5_000],
  ] as const)(
    '%s: a report for it tells which prices it does not take',
    (portal, rule, without, taken) => {
      const rulesFor = (price: number, filter: object) =>
        makeReport(
          [checkListings([listing({ offers: { sale: sale(price) } })])],
          filter,
          'en',
          NOW,
        ).rules.map(({ code }) => code);
      expect(rulesFor(without, { portal })).toContain(rule);
      expect(rulesFor(taken, { portal })).not.toContain(rule);
      expect(rulesFor(without, {})).not.toContain(rule);
    },
  );

  test('findings that depend on the time: hold from when to when they say', () => {
    const part = checkListings([listing({ listedAt: NOW + 60, status: 'Sale Agreed' })]);
    const rulesAt = (now: number) =>
      makeReport([part], {}, 'en', now).rules.map(({ code }) => code);
    expect(rulesAt(NOW)).toContain('listed_in_the_future');
    expect(rulesAt(NOW + 60)).not.toContain('listed_in_the_future');
    expect(rulesAt(NOW)).not.toContain('reserved_for_months');
    expect(rulesAt(NOW + 130 * 86_400)).toContain('reserved_for_months');
  });
});

describe('a property that is right', () => {
  const studio = { type: { uk: 'Apartment', es: 'Apartamento' }, beds: 0 };
  test.each<[string, GivenListing]>([
    [
      'a studio by its text: has no bedrooms',
      { ...studio, descriptions: { uk: description('Nice Studio.') } },
    ],
    [
      'a picture whose name has no extension, for Kyero',
      { pictures: picture('https://a.es/1?v=7') },
    ],
    ['a picture whose URL has a space', { pictures: picture('https://a.es/sea view.jpg') }],
    ['an identifier of 60 characters, for Kyero', { id: 'R'.repeat(60) }],
    ['a feature without a name in Spanish', { features: [feature('Views', { uk: 'Sea' })] }],
    ['five pictures', { pictures: listing().pictures.slice(1) }],
    [
      'a picture of the demo agencies',
      { pictures: picture('http://127.0.0.1:8787/demo/pictures/1.jpg') },
    ],
    ['the lowest rent that is plausible', { offers: { long_term: { rent: 100 } } }],
    [
      'a minimum price that is the price',
      { offers: { sale: { price: 350_000, minimum_price: 350_000 } } },
    ],
    [
      'a price of one season',
      { offers: { short_term: { low: null, high: 900, license: 'VFT/MA/1' } } },
    ],
    ['one precise coordinate', { location: { latitude: 36.51, longitude: -4.8825 } }],
    ['a place on the equator', { ...ABROAD, location: { latitude: 0, longitude: 9.4536 } }],
    ['a place at Greenwich', { ...ABROAD, location: { latitude: 51.4779, longitude: 0 } }],
    ['no Spanish cadastral reference, abroad', { ...ABROAD, cadastral_ref: 'pending' }],
    ['room for a pool', { has_pool: false, features: [feature('Pool', { uk: 'Room For Pool' })] }],
    [
      'no energy rating, as it is exempt',
      { emissions: 'X', consumption: 'X', energy_status: 'exempt' },
    ],
    ['an area in its text and in its data', inEnglish(description('Built 181 m2.'))],
  ])('%s: nothing is found', (_, given) => {
    expect(
      found({
        ...listing(given),
        descriptions: { ...listing().descriptions, ...given.descriptions },
      }),
    ).toEqual([]);
  });

  test('of a type without a subtype, as all of Kyero: found for ReSales-Online only', () => {
    const part = checkListings([listing({ subtype: {} })]);
    const codes = (portal: Portal) =>
      makeReport([part], { portal }, 'en', NOW).rules.map(({ code }) => code);
    expect(codes('kyero')).toEqual([]);
    expect(codes('resales-online')).toEqual(['no_subtype']);
  });
});

describe('several properties', () => {
  const other = listing({
    id: 'R2',
    ref: 'CS-2',
    beds: 2,
    pictures: listing().pictures.map((url) => url.replace('r1', 'r2')),
    descriptions: { uk: description('Other.'), es: inSpanish('Otro.') },
  });

  test('different ones: nothing is found', () => {
    expect(found(listing(), other)).toEqual([]);
  });

  test('the same description: both are found, whatever the letter case', () => {
    const same = {
      ...other,
      descriptions: { ...other.descriptions, uk: listing().descriptions.uk!.toUpperCase() },
    };
    expect(found(listing(), same)).toEqual([
      'description_in_capitals R2 description/uk',
      'description_repeated R1 description/uk',
      'description_repeated R2 description/uk',
    ]);
  });

  test('the same property twice: both are found', () => {
    const twice = { ...other, beds: 3, pictures: listing().pictures };
    expect(found(listing(), twice)).toEqual([
      'property_repeated R1 id',
      'property_repeated R2 id',
      'first_picture_repeated R1 images/image[1]/url',
      'first_picture_repeated R2 images/image[1]/url',
    ]);
  });

  test('the same reference: both are found', () => {
    expect(found(listing(), { ...other, ref: 'cs-1 ' })).toEqual([
      'reference_repeated R1 ref',
      'reference_repeated R2 ref',
    ]);
  });

  test('ten with the same energy rating, pool and year: one finding, with how many there are', () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      listing({
        id: `R${index}`,
        built_area: 100 + index,
        offers: { sale: sale(300_000 + index) },
      }),
    );
    const { findings } = makeReport(
      [checkListings(many)],
      { rule: 'same_value_everywhere' },
      'en',
      NOW,
    );
    expect(findings).toEqual([
      {
        rule: 'same_value_everywhere',
        property: 'R0',
        node: 'energy_rating, has_pool, built_year',
        value: 'C, B (×10) · true (×10) · 2004 (×10)',
      },
    ]);
    expect(found(...many.slice(1)).filter((text) => text.startsWith('same_value'))).toEqual([]);
    const different = [
      ...many.slice(1),
      listing({ emissions: 'A', has_pool: false, built_year: 1999 }),
    ];
    expect(found(...different).filter((text) => text.startsWith('same_value'))).toEqual([]);
  });

  test('in Spain without a description in Spanish: one finding', () => {
    const english = [listing(), other].map((one) => ({
      ...one,
      descriptions: { uk: one.descriptions.uk! },
    }));
    expect(found(...english)).toEqual(['no_spanish_description R1 description/es']);
    expect(
      found(...english.map((one) => ({ ...one, country: 'Portugal', province: 'Faro' }))),
    ).not.toContain('no_spanish_description R1 description/es');
  });

  test('21 at one place: each is found; 20 are not', () => {
    const many = Array.from({ length: 21 }, (_, index) =>
      listing({
        id: `R${index}`,
        ref: `CS-${index}`,
        beds: index,
        built_area: 400,
        bath: index,
        living_area: null,
        pictures: [],
        descriptions: { uk: description(`No. ${index}`) },
      }),
    );
    const shared = (some: readonly Listing[]) =>
      found(...some).filter((text) => text.startsWith('place_shared_by_many')).length;
    expect([shared(many), shared(many.slice(1))]).toEqual([21, 0]);
  });

  test('a language that half of the properties have: found where it is missing, as is one that is asked for', () => {
    const english = { ...other, descriptions: { uk: other.descriptions.uk! } };
    expect(found(listing(), english)).toEqual([
      'description_missing_in_language R2 description/es',
    ]);
    const asked = makeReport(
      [checkListings([listing(), english])],
      { languages: ['de'] },
      'en',
      NOW,
    );
    expect(asked.findings.filter(({ node }) => node === 'description/de')).toHaveLength(2);
  });
});

describe('a report', () => {
  test('has one finding for a property and a rule, whatever the number of languages', () => {
    const calls = Object.fromEntries(
      ['uk', 'es'].map((one) => [one, `${listing().descriptions.es} Tel. 612345678`]),
    );
    const report = makeReport([checkListings([listing({ descriptions: calls })])], {}, 'en', NOW);
    expect(report.findings.filter(({ rule }) => rule === 'description_with_phone')).toEqual([
      {
        rule: 'description_with_phone',
        property: 'R1',
        node: 'description/uk, description/es',
        value: '612345678',
      },
    ]);
    expect(report.rules.find(({ code }) => code === 'description_with_phone')?.properties).toBe(1);
  });

  test('counts a rule for some portals only if the account has chosen one of them, and none that it has muted', () => {
    const short = [checkListings([listing({ ...inEnglish('Nice flat.'), pictures: [] })])];
    const codes = (filter: object) =>
      makeReport(short, filter, 'en', NOW).rules.map(({ code }) => code);
    expect(codes({})).toEqual(['no_pictures']);
    expect(codes({ portals: ['kyero'] })).toEqual(['no_pictures']);
    expect(codes({ portals: ['kyero', 'trovit'] })).toEqual([
      'no_pictures',
      'description_under_30_characters',
    ]);
    expect(codes({ portals: ['trovit'], portal: 'kyero' })).toEqual(['no_pictures']);
    expect(codes({ portals: ['trovit'], muted: ['no_pictures'] })).toEqual([
      'description_under_30_characters',
    ]);
    expect(codes({ muted: ['no_pictures'], rule: 'no_pictures' })).toEqual(['no_pictures']);
  });
});

/** Of what the rules find in the cases, by RULES_FORMAT, which is part of the name of cached findings. */
const DIGESTS: Readonly<Record<number, string>> = {
  12: 'b64ebfcb7a598e6f1330e1337010e15a33003a0f204f72839c9d72b638afcb8d',
};

describe('the rules', () => {
  test('find in the cases what they do in this RULES_FORMAT: raise it, and add the new digest, if they find something else', () => {
    const parts = [...CASES, ...IDEALISTA_CASES].map(([, given]) =>
      checkListings([listing(given)]),
    );
    expect(createHash('sha256').update(JSON.stringify(parts)).digest('hex')).toBe(
      DIGESTS[RULES_FORMAT],
    );
  });

  test('of rules.json have a check each, and each check has its rule', () => {
    for (const rule of RULES) {
      const { check, compare } = rule as { check?: unknown; compare?: unknown };
      if (!TABLE.other.some(({ code }) => code === rule.code))
        expect(check ?? compare, rule.code).toBeTypeOf('function');
    }
    const codes = [...TABLE.listing, ...TABLE.law, ...TABLE.idealista].map(({ code }) => code);
    expect(codes.toSorted()).toEqual(Object.keys(CHECKS).toSorted());
    expect(TABLE.account.map(({ code }) => code).toSorted()).toEqual(
      Object.keys(ACCOUNT_CHECKS).toSorted(),
    );
  });

  test('each has a case here', () => {
    const across = RULES.filter(({ code }) =>
      /_repeated$|missing_in_language|shared_by_many|^no_spanish|everywhere|jumped|link_gone/.test(
        code,
      ),
    );
    const onRequest = RULES.filter(
      ({ portals }) => portals && !portals.some((portal) => CHOSEN.includes(portal)),
    );
    const covered = new Set([
      ...[...CASES, ...IDEALISTA_CASES].map(([rule]) => rule),
      ...onRequest.map(({ code }) => code),
      ...across.map(({ code }) => code),
    ]);
    expect(RULES.filter(({ code }) => !covered.has(code)).map(({ code }) => code)).toEqual([]);
  });
});
