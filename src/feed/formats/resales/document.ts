import { FEED_COLUMNS, type FeedProperty } from '../../../db/feed/feed-properties.ts';
import { Utf8Writer } from '../../../lib/bytes/utf8.ts';
import { element, requiredElement, withTags, XML_DECLARATION } from '../../../lib/bytes/xml.ts';
import type { EpochSeconds } from '../../../lib/time/time.ts';
import type { NodeGroup } from '../../../portfolio/field.ts';
import { type FeedColumn, NODES_FORMAT, PROPERTY_FIELDS } from '../../../portfolio/property-fields.ts';
import type { WrittenRecords } from '../format.ts';
import { images } from '../images.ts';
import type { Dictionary } from './dictionary.ts';
import { inLanguages, orientationOf } from './orientation.ts';
import type { FeedVersion, ResalesParameters } from './parameters.ts';
import { type FeedRecord, recordsOf } from './record.ts';

/**
 * The version of the document's form. It stands in the name of every snapshot and in every ETag: move it with any change
 * of the bytes that the same data and parameters give, compressed or not. A reader that asks by date alone gets the new form
 * with the next change of the data.
 */
export const DOCUMENT_FORMAT = 6 + NODES_FORMAT;

/** The document before the first record. */
export function documentHead(version: FeedVersion): string {
  return `${XML_DECLARATION}<root>\n<resalesonline><feed_version>${version}</feed_version></resalesonline>\n`;
}

/** The document after the last record. */
export const DOCUMENT_TAIL = '</root>\n';

/** The records of properties, in their order, node by node in the order of the feed's format. */
export function writeProperties(
  rows: readonly FeedProperty[],
  parameters: ResalesParameters,
  dictionary: Dictionary,
): WrittenRecords {
  const written = new Utf8Writer();
  let records = 0;
  for (const row of rows) {
    const common = commonNodes(row, parameters, dictionary);
    for (const record of recordsOf(row, parameters)) {
      const own = identifyingNodes(row, record, parameters) + offerNodes(record, parameters);
      written.write(`<property>${own}${common}</property>\n`);
      records++;
    }
  }
  return { chunks: written.chunks(), records };
}

function identifyingNodes(row: FeedProperty, record: FeedRecord, { version, listingDate }: ResalesParameters): string {
  return (
    requiredElement('id', record.id) +
    requiredElement('ref', row.reference) +
    element('last_updated', dateTime(row.updated_at)) +
    (listingDate ? element('listing_date', dateTime(row.listed_at)) : '') +
    (version === 3 ? element('status', row.status) + element('availability', row.status) : '') +
    element('currency', row.currency)
  );
}

function offerNodes(record: FeedRecord, { version, seasonalPrices, rentalLicense }: ResalesParameters): string {
  return (
    element('price', record.price) +
    element('price_freq', record.frequency) +
    (version === 3 ? element('price_minimum', record.minimumPrice) : '') +
    element('longterm', record.rent) +
    (seasonalPrices ? element('shortterm_low', record.low) + element('shortterm_high', record.high) : '') +
    (rentalLicense ? element('rental_license', record.license) : '')
  );
}

function commonNodes(row: FeedProperty, parameters: ResalesParameters, dictionary: Dictionary): string {
  const v3 = parameters.version === 3;
  const { descriptions } = row;
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
    parent(
      'description',
      inLanguages(parameters.languages, (_, index) => descriptions[index]),
    ) +
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
      const { node } = PROPERTY_FIELDS[column];
      if (node?.group !== group || !node.versions.includes(version)) return [];
      return [{ name: node.name, column, required: node.required }];
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
  const unitSays = row.directions !== null;
  let xml = row.directions === null ? '' : orientationOf(row.directions, languages);
  for (const [place, { isOrientation, name }] of categories.entries()) {
    const value = values[place];
    if (value && !(isOrientation && unitSays)) xml += withTags('category', name + value);
  }
  return parent('characteristics', xml);
}

function parent(name: string, children: string): string {
  return children === '' ? '' : withTags(name, children);
}

/** `YYYY-MM-DD hh:mm:ss` in UTC. */
function dateTime(seconds: EpochSeconds): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
