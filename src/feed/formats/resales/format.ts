import { FEED_COLUMNS, type FeedProperty } from '../../../db/feed/feed-properties.ts';
import { element, requiredElement, withTags, XML_DECLARATION } from '../../../lib/bytes/xml.ts';
import { type FeedColumn, NODES_FORMAT, type NodeGroup, PROPERTY_FIELDS } from '../../../portfolio/property-fields.ts';
import type { FeedFormat } from '../format.ts';
import { dateTime, images, parent } from '../nodes.ts';
import { isSelected, type Offer, offersOf } from '../offers.ts';
import { COMPASS, directionsIn, ORIENTATION_NAMES } from '../orientation.ts';
import { type Dictionary, inLanguages, renderDictionary } from './dictionary.ts';
import { type FeedVersion, RESALES_PARAMETERS, type ResalesParameters } from './parameters.ts';

export const RESALES: FeedFormat<ResalesParameters, Dictionary> = {
  name: 'resales',
  title: (preset) => ['ReSales-Online XML', Number(preset.get('FV') ?? 1)],
  file: 'CreateXMLFeedV3.asp',
  documentFormat: 6 + NODES_FORMAT,
  ...RESALES_PARAMETERS,
  head: ({ version }) =>
    `${XML_DECLARATION}<root>\n<resalesonline><feed_version>${version}</feed_version></resalesonline>\n`,
  tail: '</root>\n',
  furtherFields: [],
  withAddresses: false,
  renderDictionary,
  /** The records of properties, in their order, node by node in the order of the feed's format. */
  writeProperties(rows, parameters, dictionary) {
    const records: string[] = [];
    for (const row of rows) {
      const common = commonNodes(row, parameters, dictionary);
      const offers = offersOf(row).filter((offer) => isSelected(offer, parameters.category));
      const separate = offers.map((offer) => ({ id: row.identifier + offer.suffix, offers: [offer] }));
      for (const record of parameters.separateRentals ? separate : [{ id: row.identifier, offers }]) {
        const own = identifyingNodes(row, record.id, parameters) + offerNodes(row, record.offers, parameters);
        records.push(`<property>${own}${common}</property>\n`);
      }
    }
    return { text: records.join(''), records: records.length };
  },
  schemas: ['feed-v1.xsd', 'feed-v2.xsd', 'feed-v3.xsd'],
};

function identifyingNodes(row: FeedProperty, id: string, { version, listingDate }: ResalesParameters): string {
  return (
    requiredElement('id', id) +
    requiredElement('ref', row.reference) +
    element('last_updated', dateTime(row.updated_at)) +
    (listingDate ? element('listing_date', dateTime(row.listed_at)) : '') +
    (version === 3 ? element('status', row.status) + element('availability', row.status) : '') +
    element('currency', row.currency)
  );
}

/** The headline price is that of the first offer with one; the other nodes show that a record has an offer. */
function offerNodes(row: FeedProperty, offers: readonly Offer[], parameters: ResalesParameters): string {
  const { version, seasonalPrices, rentalLicense } = parameters;
  const { price, frequency } = offers.find((offer) => offer.price !== null) ?? offers[0]!;
  const [forSale, longTerm, shortTerm] = KINDS.map((kind) => offers.some((offer) => offer.kind === kind));
  return (
    // An update may set any number; a reader would show a negative price, or fail.
    element('price', Math.max(0, price ?? 0)) +
    element('price_freq', frequency) +
    (version === 3 ? element('price_minimum', forSale ? row.minimum_price : 0) : '') +
    (longTerm ? element('longterm', row.monthly_rent) : '') +
    (shortTerm && seasonalPrices
      ? element('shortterm_low', row.low_season_rent) + element('shortterm_high', row.high_season_rent)
      : '') +
    (shortTerm && rentalLicense ? element('rental_license', row.rental_license) : '')
  );
}

const KINDS = ['sale', 'long-term', 'short-term'] as const;

function commonNodes(row: FeedProperty, parameters: ResalesParameters, dictionary: Dictionary): string {
  const v3 = parameters.version === 3;
  const description = inLanguages(parameters.languages, (_, index) => row.descriptions[index]);
  const baths = Math.floor(row.bath);
  return (
    typeNodes(row.type_id, parameters, dictionary) +
    element('development_name', row.development_name) +
    element('unit_name', row.unit_name) +
    plainNodes(row, PLACE[parameters.version]) +
    (parameters.municipality ? element('municipality', row.town) + element('location', row.area) : '') +
    (v3 ? parent('location', element('latitude', row.latitude) + element('longitude', row.longitude)) : '') +
    element('beds', row.beds) +
    element('baths', baths) +
    element('Bath', parameters.version === 1 ? baths : row.bath) +
    parent(
      'surface_area',
      element('built', row.built_area) +
        element('plot', row.plot_area) +
        (parameters.terrace ? element('terrace', row.terrace_area) : ''),
    ) +
    plainNodes(row, FACTS[parameters.version]) +
    (parameters.annualCosts ? annualCosts(row) : '') +
    plainNodes(row, AMENITIES[parameters.version]) +
    energyRating(row, parameters) +
    (parameters.tours >= 1 ? element('virtual_tour_url', row.virtual_tour_url) : '') +
    (parameters.tours === 2 ? element('video_url', row.video_url) : '') +
    parent('description', description) +
    characteristics(row, dictionary) +
    parent('images', images(row.pictures, parameters.pictures))
  );
}

interface PlainNode {
  readonly name: string;
  readonly column: FeedColumn;
  readonly required: boolean;
}

const PLACE = plainNodesOf('place');
const FACTS = plainNodesOf('facts');
const AMENITIES = plainNodesOf('amenities');

/** The nodes of a group that show the unchanged value of a field, by version and in the order of the fields. */
function plainNodesOf(group: NodeGroup): Readonly<Record<FeedVersion, readonly PlainNode[]>> {
  const inVersion = (version: FeedVersion) =>
    FEED_COLUMNS.flatMap((column): PlainNode[] => {
      const { node, type, nullable } = PROPERTY_FIELDS[column];
      if (node?.group !== group || !node.versions.includes(version)) return [];
      // A required text is present even if XML can represent no character of it.
      return [{ name: node.name ?? column, column, required: type === 'text' && !nullable }];
    });
  return { 1: inVersion(1), 2: inVersion(2), 3: inVersion(3) };
}

function plainNodes(row: FeedProperty, nodes: readonly PlainNode[]): string {
  let xml = '';
  for (const { name, column, required } of nodes) {
    const value = row[column];
    xml += required ? requiredElement(name, value ?? '') : element(name, value);
  }
  return xml;
}

function typeNodes(typeId: number, parameters: ResalesParameters, { currentTypes, olderTypes }: Dictionary): string {
  const nodes = (parameters.currentTypes ? currentTypes : olderTypes).get(typeId);
  if (nodes === undefined) throw new Error(`The vocabulary has no type ${typeId}`);
  return nodes;
}

function energyRating(row: FeedProperty, { emissions, consumption }: ResalesParameters): string {
  return parent(
    'energy_rating',
    (emissions ? element('emissions', row.emissions) : '') +
      (consumption ? element('consumption', row.consumption) : ''),
  );
}

/** The costs of a year; community fees are stored by month. */
function annualCosts({ ibi_fees, garbage_tax, community_fees }: FeedProperty): string {
  const community = community_fees === null ? null : Number((community_fees * 12).toFixed(2));
  return parent(
    'annual_costs',
    element('ibi_fees', ibi_fees) +
      element('basura_tax', garbage_tax) +
      element('community_fees', Number.isFinite(community) ? community : null),
  );
}

function characteristics(row: FeedProperty, { features, categories, languages }: Dictionary): string {
  const values: string[] = [];
  for (const id of row.features?.split(',') ?? []) {
    const feature = features.get(Number(id));
    if (feature !== undefined) values[feature.category] = (values[feature.category] ?? '') + feature.value;
  }
  let xml = row.directions === null ? '' : orientationOf(row.directions, languages);
  for (const [place, { isOrientation, name }] of categories.entries()) {
    const value = values[place];
    if (value && !(isOrientation && row.directions !== null)) xml += withTags('category', name + value);
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
