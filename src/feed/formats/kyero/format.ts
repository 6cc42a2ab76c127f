import { element, plainDecimal, requiredElement, XML_DECLARATION } from '../../../lib/bytes/xml.ts';
import { SERVED_LANGUAGES } from '../../../lib/languages.ts';
import { type EpochSeconds, isoTime } from '../../../lib/time/time.ts';
import { message } from '../../../messages/messages.ts';
import type { PictureEntry } from '../../../properties/pictures.ts';
import { DEFAULT_COUNTRY, featureName } from '../../../vocabulary/kyero.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../../../vocabulary/orientation.ts';
import type { FeedField, FeedProperty } from '../../build/feed-properties.ts';
import type { FeedFormat } from '../format.ts';
import { dateTime, flagElement, images, parent } from '../nodes.ts';
import { isSelected, type Offer, offersOf, shortId } from '../offers.ts';
import {
  CATEGORY,
  declareParameters,
  FILTERS,
  LANGUAGE,
  list,
  PICTURES,
  parametersOf,
} from '../parameters.ts';
import { type KyeroDictionary, renderDictionary, typeNodes } from './dictionary.ts';
import WORDS from './parameters.json' with { type: 'json' };

const { parameter, flag } = parametersOf(WORDS);

/** Kyero has no node for it. Requests may have it, as in ReSales-Online's format. */
const POLISH = 9;

/** The elements of Kyero's languages by our codes, in the order of these: codes of ISO 639-1. */
const ELEMENTS: ReadonlyMap<number, string> = new Map(
  SERVED_LANGUAGES.filter(({ code }) => code !== POLISH).map(({ code, element }) => [
    code,
    element === 'uk' ? 'en' : element,
  ]),
);

const CODES = [...ELEMENTS.keys()];

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
const TABLE = {
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(LANGUAGE, list(CODES, [POLISH]), CODES),
  pictures: parameter('IC', PICTURES, 50),
  ...FILTERS,
  shortTerm: flag('ShortTerm'),
  extended: flag('Extended'),
} as const;

export const KYERO_PARAMETERS = declareParameters(TABLE, {
  refused: [
    'FV',
    'VT',
    'DisplayListingDate',
    'AR',
    'ARP',
    'ShowRTA',
    'ST',
    'NPT',
    'ER_Show',
    'ER_ShowAll',
    'N',
    'P_PageNo',
    'p1',
    'Ref',
    'LocationVersion',
    'CS',
  ],
  refusal: message('not_in_kyero'),
});

type KyeroParameters = ReturnType<typeof KYERO_PARAMETERS.parse>['parameters'];

const FIELDS = [
  'ref',
  'type',
  'status',
  'currency',
  'offers',
  'part_ownership',
  'leasehold',
  'new_build',
  'town',
  'area',
  'province',
  'country',
  'postcode',
  'location',
  'beds',
  'bath',
  'has_pool',
  'built_area',
  'plot_area',
  'terrace_area',
  'living_area',
  'built_year',
  'community_fees',
  'garbage_tax',
  'ibi_fees',
  'cadastral_ref',
  'consumption',
  'emissions',
  'virtual_tour_url',
  'video_url',
  'notes',
  'features',
] as const satisfies readonly FeedField[];

type Field = (typeof FIELDS)[number];

/** A property with what this format shows of it. */
type KyeroProperty = FeedProperty<Field>;

export const KYERO: FeedFormat<KyeroParameters, KyeroDictionary, Field> = {
  name: 'kyero',
  title: () => ['Kyero XML', 3],
  file: 'kyero.xml',
  about: {
    operationId: 'getKyeroFeed',
    summary: "The properties of an account in Kyero's format",
    description:
      'The same feed as a Kyero v3 document, in any directory and in any letter case, with a ' +
      'record for each offer of a ' +
      "property. A parameter that only ReSales-Online's format has is an error. The schemas are " +
      'at `/schemas/kyero.xsd` and, with ' +
      '`Extended=TRUE`, `/schemas/kyero-extended.xsd`.',
    errors: [
      [
        'bad_parameter',
        'a value is not allowed, or a parameter is repeated.',
        "IC is 'all'; allowed: 0 to 999.",
      ],
      [
        'unsupported_parameter',
        "a parameter that only ReSales-Online's format has.",
        'FV is not supported in kyero.xml.',
      ],
    ],
  },
  documentFormat: 5,
  ...KYERO_PARAMETERS,
  head: () => `${XML_DECLARATION}<root>\n<kyero><feed_version>3</feed_version></kyero>\n`,
  tail: '</root>\n',
  fields: FIELDS,
  withAddresses: true,
  renderDictionary,
  /** The records of properties, in their order, node by node in the order of Kyero's own example. */
  writeProperties(properties, parameters, dictionary) {
    const records: string[] = [];
    for (const property of properties) {
      const date = element('date', dateTime(isoTime(Math.min(property.updated_at, LAST_TIME))));
      const reference = element('ref', property.ref) === '' ? property.id : property.ref;
      const common = commonNodes(property, parameters, dictionary);
      for (const [place, offer] of offersOf(property).entries()) {
        if (
          !isSelected(offer, parameters.category) ||
          (offer.kind === 'short-term' && !parameters.shortTerm)
        )
          continue;
        // Identifiers and references do not depend on the parameters, and each record has its own.
        const suffix = place === 0 ? '' : offer.suffix;
        const id = element('id', shortId(property.id, suffix));
        const ref = element('ref', cut(reference, LIMITS.ref - suffix.length) + suffix);
        records.push(
          `<property>${id}${date}${ref}${priceNodes(property, offer)}${common}</property>\n`,
        );
      }
    }
    return { text: records.join(''), records: records.length };
  },
  schemas: ['kyero.xsd', 'kyero-extended.xsd'],
};

/** Maximum numbers of Kyero's schema, in characters or entries. */
const LIMITS = { ref: 255, country: 50, location_detail: 50, features: 50, url: 255 };

/** Kyero's currencies: a price in another is on request. */
const CURRENCIES = ['EUR', 'GBP', 'USD'];

/** Whole amounts above zero; all others are on request, which is 0, because many readers fail at Kyero's own x. */
function priceNodes({ currency }: KyeroProperty, { price, frequency }: Offer): string {
  const isKnown = CURRENCIES.includes(currency);
  const amount = price === null || !isKnown ? 0 : Math.round(price);
  return (
    `<price>${amount > 0 ? plainDecimal(amount) : 0}</price>` +
    `<currency>${isKnown ? currency : CURRENCIES[0]}</currency>` +
    `<price_freq>${frequency}</price_freq>`
  );
}

function commonNodes(
  property: KyeroProperty,
  parameters: KyeroParameters,
  dictionary: KyeroDictionary,
): string {
  // A type that the vocabulary lacks is shown by its code.
  const type =
    dictionary.types.get(property.type) ??
    typeNodes({ kind: 'type', code: property.type, labels: {} });
  const { country, location, area, consumption, emissions } = property;
  const { descriptions, addresses } = textNodes(property, parameters);
  return (
    flagElement('part_ownership', property.part_ownership) +
    flagElement('leasehold', property.leasehold) +
    flagElement('new_build', property.new_build) +
    type.type +
    place('town', property.town) +
    place('province', property.province) +
    (element('country', cut(country ?? '', LIMITS.country)) ||
      element('country', DEFAULT_COUNTRY)) +
    (location === null
      ? ''
      : parent(
          'location',
          element('latitude', degrees(location.latitude)) +
            element('longitude', degrees(location.longitude)),
        )) +
    element('location_detail', cut(area ?? '', LIMITS.location_detail)) +
    element('beds', property.beds) +
    element('baths', Math.floor(property.bath)) +
    flagElement('pool', property.has_pool) +
    parent(
      'surface_area',
      element('built', property.built_area) + element('plot', property.plot_area),
    ) +
    `<energy_rating>${element('consumption', consumption)}${element('emissions', emissions)}</energy_rating>` +
    parent('url', addresses) +
    `<desc>${descriptions}</desc>` +
    parent('features', features(property, type.feature, dictionary)) +
    `<images>${images(property.pictures.map(asToken), parameters.pictures, pictureUrl, parameters.extended ? FLOOR_PLAN : '')}</images>` +
    element('notes', property.notes) +
    (parameters.extended ? type.subtype + extensions(property) : '')
  );
}

/** Kyero's import reads it (https://feeds.kyero.com/assets/kyero_v3_import_spec.txt), but its schema has no such node. */
const FLOOR_PLAN = '<tags><tag>floorplan</tag></tags>';

function asToken(picture: PictureEntry): PictureEntry {
  return typeof picture === 'string' ? token(picture) : { ...picture, url: token(picture.url) };
}

/** A place that the format requires: `-`, which the import reads as unknown, if XML can represent none of it. */
function place(name: string, text: string): string {
  return element(name, text) || requiredElement(name, '-');
}

/** Descriptions and addresses of web pages by language, each where there is one. */
function textNodes({ descriptions: texts, urls }: KyeroProperty, { languages }: KyeroParameters) {
  let descriptions = '';
  let addresses = '';
  languages.forEach((language, index) => {
    const name = ELEMENTS.get(language)!;
    descriptions += element(name, texts[index] ?? null);
    addresses += element(name, schemaUrl(urls[index] ?? ''));
  });
  return { descriptions, addresses };
}

/** What keeps a property from being available, what its type says more, directions, and features, each once. */
function features(property: KyeroProperty, detail: string, dictionary: KyeroDictionary): string {
  const { status, unit } = property;
  const nodes = new Set<string>();
  if (status !== 'Available') nodes.add(element('feature', status));
  if (detail !== '') nodes.add(detail);
  for (const direction of unit === null ? [] : directionsIn(unit.directions)) {
    if (token(direction) === '') continue;
    nodes.add(
      element('feature', featureName(ORIENTATION, token(COMPASS[direction]?.[0] ?? direction))),
    );
  }
  for (const code of property.features) {
    const feature = dictionary.features.get(code);
    if (feature !== undefined && !(feature.isOrientation && unit !== null)) nodes.add(feature.node);
  }
  return [...nodes].slice(0, LIMITS.features).join('');
}

/**
 * The escaped URL of a picture, which Kyero's schema requires to end like the name of an image: any other gets the fragment
 * `#.jpg`, which is not part of a request, and which the import removes.
 */
function pictureUrl(url: string): string | null {
  if (!/^(https?|ftp):\/\//.test(url)) return null;
  return IMAGE_SUFFIXES.has(url.slice(url.lastIndexOf('.') + 1)) ? url : `${url}#.jpg`;
}

const IMAGE_SUFFIXES: ReadonlySet<string> = new Set([
  'gif',
  'jpg',
  'jpeg',
  'png',
  'GIF',
  'JPG',
  'JPEG',
  'PNG',
]);

/** Nodes that programs add to the format, by the names that most of them use, with the field that each shows as it is. */
const EXTENSIONS = [
  ['status', 'status'],
  ['postcode', 'postcode'],
  ['terrace', 'terrace_area'],
  ['living_area', 'living_area'],
  ['built_year', 'built_year'],
  ['community_fees', 'community_fees'],
  ['garbage_tax', 'garbage_tax'],
  ['ibi_fees', 'ibi_fees'],
  ['catastral', 'cadastral_ref'],
  ['virtual_tour_url', 'virtual_tour_url'],
  ['video_url', 'video_url'],
] as const satisfies readonly (readonly [node: string, field: Field])[];

function extensions(property: KyeroProperty): string {
  return EXTENSIONS.map(([node, field]) => element(node, property[field])).join('');
}

/** Validators limit the digits of a decimal: these are a thousandth of a millimetre. */
function degrees(value: number): number {
  return Number(value.toFixed(12));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('');
}

/** The last time that Kyero's schema can express. */
const LAST_TIME: EpochSeconds = Date.UTC(2099, 11, 31, 23, 59, 59) / 1000;

/** A text with its white space collapsed, as XML Schema compares tokens. */
function token(text: string): string {
  return text.replaceAll(/[\t\n\r ]+/g, ' ').trim();
}

/** The URL of a web page, if Kyero's schema allows it, and if it is a single line. */
function schemaUrl(given: string): string | null {
  if (given.includes('\n')) return null;
  const url = token(given);
  return /^https?:\/\//.test(url) && [...url].length <= LIMITS.url ? url : null;
}
