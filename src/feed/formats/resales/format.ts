import { element, requiredElement, withTags, XML_DECLARATION } from '../../../lib/bytes/xml.ts';
import { isoTime } from '../../../lib/time/time.ts';
import { COMPASS, directionsIn, ORIENTATION_NAMES } from '../../../vocabulary/orientation.ts';
import type { FeedField, FeedProperty } from '../../build/feed-properties.ts';
import type { FeedFormat } from '../format.ts';
import { dateTime, flagElement, images, parent } from '../nodes.ts';
import { isSelected, type Offer, offersOf } from '../offers.ts';
import { type Dictionary, inLanguages, renderDictionary, unknownType } from './dictionary.ts';
import { EXAMPLES } from './examples.ts';
import { nodesByVersion, PLAIN_FIELDS, type PlainField, type PlainNode } from './nodes.ts';
import { PAGING_PARAMETERS, RESALES_PARAMETERS, type ResalesParameters } from './parameters.ts';

const FIELDS = [
  'ref',
  'listed_at',
  'status',
  'currency',
  'offers',
  'type',
  'features',
  'location',
  'beds',
  'bath',
  'built_area',
  'plot_area',
  'emissions',
  'consumption',
  'virtual_tour_url',
  'video_url',
  ...PLAIN_FIELDS,
] as const satisfies readonly FeedField[];

type ResalesField = (typeof FIELDS)[number];
type ResalesProperty = FeedProperty<ResalesField>;

export const RESALES: FeedFormat<ResalesParameters, Dictionary, ResalesField> = {
  name: 'resales',
  title: (preset) => ['ReSales-Online XML', Number(preset.get('FV') ?? 1)],
  file: 'CreateXMLFeedV3.asp',
  about: {
    operationId: 'getFeed',
    summary: 'The properties of an account',
    description:
      'All properties of the account that the parameters select, as one XML document: the feed ' +
      'type `OWNPROPERTIES@`. The path may be in any directory except `/v1/`, and in any letter ' +
      'case. Names of parameters and their values may be in any letter case; a parameter ' +
      'without a value counts as absent, and unknown ones are ignored.\n\nSend ' +
      '`Accept-Encoding: gzip`: a feed is about five times smaller then. With `If-None-Match` ' +
      'and the `ETag` of the last response, a feed that has not changed costs nothing.',
    errors: [
      [
        'bad_parameter',
        'a value is not allowed, or a parameter is repeated.',
        "FV is '4'; allowed: 1, 2, 3.",
      ],
      [
        'unsupported_parameter',
        '`Ref`, or `N` and the feed has at least N records.',
        'The feed has 1 record, and N is 1. A feed is always complete: omit N or set it above 1.',
      ],
    ],
    examples: EXAMPLES,
  },
  furtherParameters: Object.values(PAGING_PARAMETERS),
  documentFormat: 7,
  ...RESALES_PARAMETERS,
  head: ({ version }) =>
    `${XML_DECLARATION}<root>\n<resalesonline><feed_version>${version}</feed_version></resalesonline>\n`,
  tail: '</root>\n',
  fields: FIELDS,
  withAddresses: false,
  renderDictionary,
  /** The records of properties, in their order, node by node in the order of the feed's format. */
  writeProperties(rows, parameters, dictionary) {
    const records: string[] = [];
    for (const row of rows) {
      const common = commonNodes(row, parameters, dictionary);
      const offers = offersOf(row).filter((offer) => isSelected(offer, parameters.category));
      const separate = offers.map((offer) => ({ id: row.id + offer.suffix, offers: [offer] }));
      for (const record of parameters.separateRentals ? separate : [{ id: row.id, offers }]) {
        const own =
          identifyingNodes(row, record.id, parameters) + offerNodes(row, record.offers, parameters);
        records.push(`<property>${own}${common}</property>\n`);
      }
    }
    return { text: records.join(''), records: records.length };
  },
  schemas: ['feed-v1.xsd', 'feed-v2.xsd', 'feed-v3.xsd'],
};

function identifyingNodes(
  row: ResalesProperty,
  id: string,
  { version, listingDate }: ResalesParameters,
): string {
  return (
    requiredElement('id', id) +
    requiredElement('ref', row.ref) +
    element('last_updated', dateTime(isoTime(row.updated_at))) +
    (listingDate ? element('listing_date', dateTime(row.listed_at)) : '') +
    (version === 3 ? element('status', row.status) + element('availability', row.status) : '') +
    element('currency', row.currency)
  );
}

/** The headline price is that of the first offer with one; the other nodes show that a record has an offer. */
function offerNodes(
  row: ResalesProperty,
  offers: readonly Offer[],
  parameters: ResalesParameters,
): string {
  const { version, seasonalPrices, rentalLicense } = parameters;
  const { price, frequency } = offers.find((offer) => offer.price !== null) ?? offers[0]!;
  const sale = offers.some(({ kind }) => kind === 'sale') ? row.offers.sale : null;
  const longTerm = offers.some(({ kind }) => kind === 'long-term') ? row.offers.long_term : null;
  const shortTerm = offers.some(({ kind }) => kind === 'short-term') ? row.offers.short_term : null;
  return (
    // An update may set any number; a reader would show a negative price, or fail.
    element('price', Math.max(0, price ?? 0)) +
    element('price_freq', frequency) +
    (version === 3 ? element('price_minimum', sale?.minimum_price ?? 0) : '') +
    (longTerm ? element('longterm', longTerm.rent) : '') +
    (shortTerm && seasonalPrices
      ? element('shortterm_low', shortTerm.low) + element('shortterm_high', shortTerm.high)
      : '') +
    (shortTerm && rentalLicense ? element('rental_license', shortTerm.license) : '')
  );
}

function commonNodes(
  row: ResalesProperty,
  parameters: ResalesParameters,
  dictionary: Dictionary,
): string {
  const { version } = parameters;
  const description = inLanguages(parameters.languages, (_, index) => row.descriptions[index]);
  const baths = Math.floor(row.bath);
  return (
    typeNodes(row.type, parameters, dictionary) +
    element('development_name', row.unit?.developmentName ?? null) +
    element('unit_name', row.unit?.name ?? null) +
    plainNodes(row, PLACE[version]) +
    (parameters.municipality
      ? element('municipality', row.town) + element('location', row.area)
      : '') +
    (version === 3 ? locationNode(row) : '') +
    element('beds', row.beds) +
    element('baths', baths) +
    element('Bath', version === 1 ? baths : row.bath) +
    parent(
      'surface_area',
      element('built', row.built_area) +
        element('plot', row.plot_area) +
        (parameters.terrace ? element('terrace', row.terrace_area) : ''),
    ) +
    plainNodes(row, FACTS[version]) +
    (parameters.annualCosts ? annualCosts(row) : '') +
    plainNodes(row, AMENITIES[version]) +
    energyRating(row, parameters) +
    (parameters.tours >= 1 ? element('virtual_tour_url', row.virtual_tour_url) : '') +
    (parameters.tours === 2 ? element('video_url', row.video_url) : '') +
    parent('description', description) +
    characteristics(row, dictionary) +
    parent('images', images(row.pictures, parameters.pictures))
  );
}

const PLACE = nodesByVersion('place');
const FACTS = nodesByVersion('facts');
const AMENITIES = nodesByVersion('amenities');

function plainNodes(row: ResalesProperty, nodes: readonly PlainNode<PlainField>[]): string {
  let xml = '';
  for (const { field, name = field, isRequired } of nodes) {
    const value = row[field];
    if (typeof value === 'boolean') xml += flagElement(name, value);
    else xml += isRequired ? requiredElement(name, value ?? '') : element(name, value);
  }
  return xml;
}

function typeNodes(code: string, parameters: ResalesParameters, dictionary: Dictionary): string {
  const { currentTypes, olderTypes, languages } = dictionary;
  return (
    (parameters.currentTypes ? currentTypes : olderTypes).get(code) ?? unknownType(code, languages)
  );
}

function locationNode({ location }: ResalesProperty): string {
  if (location === null) return '';
  return parent(
    'location',
    element('latitude', location.latitude) + element('longitude', location.longitude),
  );
}

function energyRating(row: ResalesProperty, { emissions, consumption }: ResalesParameters): string {
  return parent(
    'energy_rating',
    (emissions ? element('emissions', row.emissions) : '') +
      (consumption ? element('consumption', row.consumption) : ''),
  );
}

/** The costs of a year; community fees are stored by month. */
function annualCosts({ ibi_fees, garbage_tax, community_fees }: ResalesProperty): string {
  const community = community_fees === null ? null : Number((community_fees * 12).toFixed(2));
  return parent(
    'annual_costs',
    element('ibi_fees', ibi_fees) +
      element('basura_tax', garbage_tax) +
      element('community_fees', Number.isFinite(community) ? community : null),
  );
}

function characteristics({ features, unit }: ResalesProperty, dictionary: Dictionary): string {
  const { categories, languages } = dictionary;
  const values: string[] = [];
  for (const code of features) {
    const feature = dictionary.features.get(code);
    if (feature !== undefined)
      values[feature.category] = (values[feature.category] ?? '') + feature.value;
  }
  let xml = unit === null ? '' : orientationOf(unit.directions, languages);
  for (const [place, { isOrientation, name }] of categories.entries()) {
    const value = values[place];
    if (value && !(isOrientation && unit !== null)) xml += withTags('category', name + value);
  }
  return parent('characteristics', xml);
}

/** The category of a unit's directions: the points of the compass in each language, any other code as it stands. */
function orientationOf(directions: string, languages: readonly number[]): string {
  const values = directionsIn(directions).map((code) => {
    const point = inLanguages(languages, (language) => COMPASS[code]?.[language - 1] ?? code);
    return withTags('value', point);
  });
  if (values.length === 0) return '';
  const name = inLanguages(languages, (language) => ORIENTATION_NAMES[language - 1]);
  return withTags('category', withTags('name', name) + values.join(''));
}
