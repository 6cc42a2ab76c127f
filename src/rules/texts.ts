import * as limits from './limits.ts';

/** What a rule says: what is wrong and what follows from it, and what to do. */
export interface RuleText {
  readonly explanation: string;
  readonly fix: string;
}

export type RuleTexts = Readonly<Record<string, RuleText>>;

function number(value: number): string {
  return value.toLocaleString('en');
}

/**
 * The texts of the rules by code, in English; `texts-es.ts` has them in Spanish.
 */
export const RULE_TEXTS: RuleTexts = {
  no_price: {
    explanation: 'No price is known, so feeds show 0. Portals reject such a property or show it as free.',
    fix: 'Give a price; a portal that has "on request" can hide it.',
  },
  price_negative: {
    explanation: 'A price is below 0.',
    fix: 'Correct the price.',
  },
  sale_price_implausible: {
    explanation:
      'The sale price is outside the range that Trovit accepts for this type: it looks like a rent, or has a digit too many.',
    fix: 'Check the price and the type.',
  },
  rent_implausible: {
    explanation: 'The monthly rent is outside the range that Trovit accepts for this type.',
    fix: 'Check the rent: it is per month.',
  },
  rent_exceeds_price: {
    explanation: `A month's rent is more than ${limits.RENT_OF_PRICE * 100}% of the sale price: one of them is probably wrong.`,
    fix: 'Check both.',
  },
  price_per_square_metre_implausible: {
    explanation: `The price is below ${number(limits.PER_SQUARE_METRE[0])} or above ${number(limits.PER_SQUARE_METRE[1])} per square metre: price or area is probably wrong.`,
    fix: 'Check the price and the built area.',
  },
  minimum_price_exceeds_price: {
    explanation: 'The minimum price is above the price.',
    fix: 'Correct one of them.',
  },
  low_season_exceeds_high_season: {
    explanation: 'The price in the low season is above that in the high season.',
    fix: 'Swap or correct them.',
  },
  price_not_whole: {
    explanation: "A price has decimals. Kyero's schema and Property Showrooms require whole numbers.",
    fix: 'Round the price.',
  },
  price_outside_a_place_in_the_sun: {
    explanation: `A Place in the Sun takes prices from ${number(limits.A_PLACE_IN_THE_SUN_PRICES[0])} to ${number(limits.A_PLACE_IN_THE_SUN_PRICES[1])}.`,
    fix: 'Nothing, if the price is right: this portal will not show the property.',
  },
  price_below_james_edition: {
    explanation: `JamesEdition takes properties from ${number(limits.JAMES_EDITION_PRICE)} on.`,
    fix: 'Nothing, if the price is right: this portal will not show the property.',
  },
  currency_unknown_to_kyero: {
    explanation: "Kyero's schema has EUR, GBP and USD only.",
    fix: 'Give the price in euros.',
  },
  yearly_costs_implausible: {
    explanation: `Yearly costs are more than ${limits.YEARLY_COSTS * 100}% of the price, or below 0.`,
    fix: 'Check community fees (per month), property tax and garbage tax (per year).',
  },
  rental_license_missing: {
    explanation:
      'A short-term rental has no licence. In Spain advertisements need a registration number since 1 July 2025 (Real Decreto 1312/2024).',
    fix: 'Give the number in the licence of the rental.',
  },
  no_pictures: {
    explanation: 'The property has no pictures. Portals reject it or show it last.',
    fix: 'Add pictures, at least one of the inside.',
  },
  few_pictures: {
    explanation: `The property has fewer than ${limits.FEW_PICTURES} pictures.`,
    fix: 'Add a picture of each room and of the outside.',
  },
  more_than_50_pictures: {
    explanation: `Kyero accepts ${limits.KYERO_PICTURES} pictures and ignores the others.`,
    fix: `Put the best ${limits.KYERO_PICTURES} first.`,
  },
  more_than_25_pictures: {
    explanation: `Green-Acres shows ${limits.GREEN_ACRES_PICTURES} pictures.`,
    fix: `Put the best ${limits.GREEN_ACRES_PICTURES} first.`,
  },
  picture_url_invalid: {
    explanation: 'The address of a picture is not a complete URL with http or https, so no portal can fetch it.',
    fix: 'Give a complete URL, with spaces and other special characters encoded.',
  },
  picture_not_reachable: {
    explanation: 'The address of a picture leads to a private or local machine, which no portal can reach.',
    fix: 'Publish the picture on a public server.',
  },
  picture_not_https: {
    explanation: 'A picture is served by http. Browsers block it, or warn, on portals that are served by https.',
    fix: 'Serve pictures by https.',
  },
  picture_repeated: {
    explanation: 'A picture occurs more than once.',
    fix: 'Remove the repeated picture.',
  },
  picture_not_an_image: {
    explanation: 'A picture is, by its name, not an image but a document, a video or a page.',
    fix: 'Remove it, or put it where it belongs: a video or a virtual tour has its own node.',
  },
  picture_name_without_extension: {
    explanation:
      "Kyero's schema accepts only pictures whose URL ends in .jpg, .jpeg, .png or .gif, without a query behind it.",
    fix: 'Give pictures such URLs, with the version in the name instead of a query.',
  },
  tour_url_invalid: {
    explanation: 'The virtual tour or the video is not a complete URL with http or https.',
    fix: 'Give the address of the tour or video itself, without HTML around it.',
  },
  no_description: {
    explanation: 'The property has no description in any language. Kyero, Trovit and others require one.',
    fix: 'Write a description.',
  },
  description_under_30_characters: {
    explanation: `Trovit rejects a description of fewer than ${limits.TROVIT_DESCRIPTION} characters.`,
    fix: 'Write a longer description.',
  },
  description_brief: {
    explanation: `A description has fewer than ${limits.BRIEF_DESCRIPTION} characters.`,
    fix: 'Describe rooms, state and surroundings.',
  },
  description_in_capitals: {
    explanation: 'A description is mostly in capital letters.',
    fix: 'Write it in lower case.',
  },
  description_with_phone: {
    explanation: 'A description contains a telephone number. Portals remove or reject contact details in texts.',
    fix: 'Remove the number: portals show the contact of the account.',
  },
  description_with_mail: {
    explanation: 'A description contains a mail address. Portals remove or reject contact details in texts.',
    fix: 'Remove the address.',
  },
  description_with_web_address: {
    explanation: 'A description contains a web address. Portals remove or reject links in texts.',
    fix: 'Remove the address.',
  },
  description_with_html: {
    explanation: 'A description contains HTML, which readers show as it is written.',
    fix: 'Write plain text with line breaks.',
  },
  description_placeholder: {
    explanation: 'A description is a placeholder.',
    fix: 'Write a description, or remove the placeholder.',
  },
  description_not_translated: {
    explanation: 'The descriptions in two languages are the same text.',
    fix: 'Translate it, or remove it from the other language.',
  },
  no_town: {
    explanation: "The town is missing. Kyero's schema requires it, and readers search by it.",
    fix: 'Give the town.',
  },
  no_province: {
    explanation: "The province is missing. Kyero's schema requires it.",
    fix: 'Give the province.',
  },
  place_name_too_long: {
    explanation: `Kyero's schema has at most ${limits.KYERO_PLACE} characters for town and province.`,
    fix: 'Shorten it to the name itself.',
  },
  province_unknown: {
    explanation: 'The province is none of Spain, though the country is Spain: portals cannot place the property.',
    fix: "Give the province's name, such as Málaga, not a region or a coast.",
  },
  coordinates_missing: {
    explanation: 'The property has no coordinates, so it is not on maps and not found by searches around a place.',
    fix: 'Give latitude and longitude, if need be those of the area.',
  },
  coordinates_zero: {
    explanation: 'Both coordinates are 0, or both the same number: the property is shown in the sea.',
    fix: 'Correct or remove the coordinates.',
  },
  coordinates_swapped: {
    explanation: 'Latitude and longitude are swapped.',
    fix: 'Swap them.',
  },
  coordinates_outside_province: {
    explanation: 'The coordinates are not in the province.',
    fix: 'Correct the coordinates or the province.',
  },
  coordinates_imprecise: {
    explanation: `The coordinates have fewer than ${limits.COORDINATE_DECIMALS} decimals, so the place may be a kilometre off.`,
    fix: `Give at least ${limits.COORDINATE_DECIMALS} decimals.`,
  },
  postcode_invalid: {
    explanation: 'The postcode does not have five digits, as those of Spain do.',
    fix: 'Correct the postcode; a leading 0 is part of it.',
  },
  postcode_outside_province: {
    explanation: 'The first two digits of the postcode are those of another province.',
    fix: 'Correct the postcode or the province.',
  },
  no_beds: {
    explanation: 'A home that is no studio has no bedrooms.',
    fix: 'Give the number of bedrooms, or the type of a studio.',
  },
  beds_implausible: {
    explanation: `There are more than ${limits.MOST_ROOMS} bedrooms, the most that Trovit accepts.`,
    fix: 'Check the number: it may be an area or a price.',
  },
  no_baths: {
    explanation: `A home has no bath. Trovit accepts 1 to ${limits.MOST_ROOMS}.`,
    fix: 'Give the number of baths.',
  },
  baths_implausible: {
    explanation: `There are more than ${limits.MOST_ROOMS} baths, or far more than bedrooms.`,
    fix: 'Check the number.',
  },
  no_built_area: {
    explanation: 'A home has no built area, which readers search and compare by.',
    fix: 'Give the built area in square metres.',
  },
  built_area_implausible: {
    explanation: `The built area is outside the ${number(limits.FLOOR[0])} to ${number(limits.FLOOR[1])} square metres that Trovit accepts.`,
    fix: 'Check the area: it is in square metres.',
  },
  area_too_small_for_beds: {
    explanation: `There are fewer than ${limits.LEAST_PER_BED} square metres per bedroom.`,
    fix: 'Check the area and the number of bedrooms.',
  },
  living_area_exceeds_built_area: {
    explanation: 'The living area is larger than the built area.',
    fix: 'Swap or correct them.',
  },
  no_plot_area: {
    explanation: 'A plot has no area.',
    fix: 'Give the area of the plot in square metres.',
  },
  detached_without_plot: {
    explanation: 'A detached house has no area of its plot.',
    fix: 'Give the area of the plot in square metres.',
  },
  built_year_implausible: {
    explanation: `The year of construction is before ${limits.OLDEST}, the earliest that Trovit accepts, or more than ${limits.YEARS_AHEAD} years ahead.`,
    fix: 'Check the year.',
  },
  energy_rating_missing: {
    explanation:
      'The energy rating is missing. In Spain every advertisement for sale or rent must state it (Real Decreto 390/2021, article 15).',
    fix: 'Give the letters of consumption and emissions from the certificate.',
  },
  energy_rating_incomplete: {
    explanation: 'Only one of the two letters of the energy rating is given.',
    fix: 'Give both: consumption and emissions.',
  },
  no_subtype: {
    explanation: 'The type has no subtype. Readers that look up both show the property under Other.',
    fix: 'Choose a more precise type, such as a ground floor apartment.',
  },
  type_unknown: {
    explanation: 'The type is none that other programs know, so they show the property under Other or not at all.',
    fix: 'Choose a type of the built-in vocabulary, or map the name with --names when importing.',
  },
  type_not_translated: {
    explanation: 'The type has no name in a language in which the property has a description.',
    fix: 'Add the name to the vocabulary.',
  },
  feature_not_translated: {
    explanation: 'Features have no name in a language in which the property has a description.',
    fix: 'Add the names to the vocabulary, or map them with --names when importing.',
  },
  no_features: {
    explanation: 'The property has no features, which readers filter by.',
    fix: 'Give its features.',
  },
  more_than_50_features: {
    explanation: `Kyero's schema accepts ${limits.MOST_FEATURES} features.`,
    fix: `Keep the ${limits.MOST_FEATURES} that matter.`,
  },
  pool_contradicts_features: {
    explanation:
      'The property has a pool among its features but is marked as having none, so searches for a pool miss it.',
    fix: 'Mark it as having a pool.',
  },
  id_too_long: {
    explanation: `Kyero's schema accepts identifiers of at most ${limits.LONGEST_ID} characters.`,
    fix: 'Give it a shorter identifier.',
  },
  reference_too_long: {
    explanation: `Property Showrooms accepts references of at most ${limits.LONGEST_REFERENCE} characters.`,
    fix: 'Give it a shorter reference.',
  },
  cadastral_reference_invalid: {
    explanation: 'The cadastral reference is not one of Spain: those have 14 or 20 letters and digits.',
    fix: 'Copy it from the tax receipt or the cadastre.',
  },
  listed_in_the_future: {
    explanation: 'The listing date is in the future.',
    fix: 'Correct the date.',
  },
  not_updated_for_a_year: {
    explanation:
      'Nothing about the property has changed for a year. Portals rank it last, and readers doubt that it is for sale.',
    fix: 'Ask the owner, then review price, text and pictures, or withdraw it.',
  },
  reserved_for_months: {
    explanation: `The property has been reserved, without a change, for more than ${limits.DAYS_RESERVED} days.`,
    fix: 'Mark it as sold or available again.',
  },
  description_missing_in_language: {
    explanation:
      'A description is missing in a language that is expected: one that was asked for, or that half of the properties have.',
    fix: 'Translate the description.',
  },
  description_repeated: {
    explanation: 'Several properties have the same description. Search engines and portals show only one of them.',
    fix: 'Write what distinguishes each.',
  },
  property_repeated: {
    explanation: 'Another property has the same type, price, rooms, areas and town: it may be the same one twice.',
    fix: 'Withdraw one of them, or correct what is different.',
  },
  reference_repeated: {
    explanation: 'Several properties have the same reference, so an enquiry does not tell which one is meant.',
    fix: 'Give each its own reference.',
  },
  first_picture_repeated: {
    explanation: 'Several properties have the same first picture.',
    fix: 'Put a picture of the property itself first.',
  },
  place_shared_by_many: {
    explanation: `More than ${limits.MOST_AT_A_PLACE} properties have the same coordinates: probably those of the office or the town.`,
    fix: 'Give each its own place.',
  },
};
