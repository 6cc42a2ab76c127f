import { FEED_COLUMNS, type FeedProperty } from '../../../db/feed/feed-properties.ts';
import type { FieldRow } from '../../../db/schema.ts';
import { labelsById, type VocabularyRead } from '../../../db/vocabulary.ts';
import { element, escapeXml, plainDecimal, requiredElement, XML_DECLARATION } from '../../../lib/bytes/xml.ts';
import { SERVED_LANGUAGES } from '../../../lib/languages.ts';
import type { EpochSeconds } from '../../../lib/time/time.ts';
import { NODES_FORMAT, PROPERTY_FIELDS } from '../../../portfolio/property-fields.ts';
import type { FeedFormat } from '../format.ts';
import { dateTime, images, parent } from '../nodes.ts';
import { isSelected, type Offer, offersOf, shortId } from '../offers.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../orientation.ts';
import { CATEGORY, declareParameters, FILTERS, LANGUAGE, list, PICTURES, parametersOf } from '../parameters.ts';
import { DEFAULT_COUNTRY, featureName, kyeroType } from './names.ts';
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
    ...['FV', 'VT', 'DisplayListingDate', 'AR', 'ARP', 'ShowRTA', 'ST', 'NPT', 'ER_Show', 'ER_ShowAll'],
    ...['N', 'P_PageNo', 'p1', 'Ref', 'LocationVersion', 'CS'],
  ],
  refusal: 'is not supported in kyero.xml',
});

type KyeroParameters = ReturnType<typeof KYERO_PARAMETERS.parse>['parameters'];

/** The columns that this format shows and the others do not. */
const FURTHER_FIELDS = ['new_build', 'leasehold', 'part_ownership', 'notes'] as const;

/** A property with them; each of its texts is the address of its page, a line feed, and its description. */
interface KyeroProperty extends FeedProperty, FieldRow<(typeof FURTHER_FIELDS)[number]> {}

export const KYERO: FeedFormat<KyeroParameters, KyeroDictionary, KyeroProperty> = {
  name: 'kyero',
  title: () => ['Kyero XML', 3],
  file: 'kyero.xml',
  documentFormat: 4 + NODES_FORMAT,
  ...KYERO_PARAMETERS,
  head: () => `${XML_DECLARATION}<root>\n<kyero><feed_version>3</feed_version></kyero>\n`,
  tail: '</root>\n',
  furtherFields: FURTHER_FIELDS,
  withAddresses: true,
  renderDictionary,
  /** The records of properties, in their order, node by node in the order of Kyero's own example. */
  writeProperties(rows, parameters, dictionary) {
    const records: string[] = [];
    for (const row of rows) {
      const date = element('date', dateTime(Math.min(row.updated_at, LAST_TIME)));
      const reference = element('ref', row.reference) === '' ? row.identifier : row.reference;
      const common = commonNodes(row, parameters, dictionary);
      for (const [place, offer] of offersOf(row).entries()) {
        if (!isSelected(offer, parameters.category) || (offer.kind === 'short-term' && !parameters.shortTerm)) continue;
        // Identifiers and references do not depend on the parameters, and each record has its own.
        const suffix = place === 0 ? '' : offer.suffix;
        const id = element('id', shortId(row.identifier, suffix));
        const ref = element('ref', cut(reference, LIMITS.ref - suffix.length) + suffix);
        records.push(`<property>${id}${date}${ref}${priceNodes(row, offer)}${common}</property>\n`);
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
function priceNodes({ currency }: FeedProperty, { price, frequency }: Offer): string {
  const isKnown = CURRENCIES.includes(currency);
  const amount = price === null || !isKnown ? 0 : Math.round(price);
  return (
    `<price>${amount > 0 ? plainDecimal(amount) : 0}</price>` +
    `<currency>${isKnown ? currency : CURRENCIES[0]}</currency>` +
    `<price_freq>${frequency}</price_freq>`
  );
}

function commonNodes(row: KyeroProperty, parameters: KyeroParameters, dictionary: KyeroDictionary): string {
  const type = dictionary.types.get(row.type_id);
  if (type === undefined) throw new Error(`The vocabulary has no type ${row.type_id}`);
  const hasLocation = row.latitude !== null && row.longitude !== null;
  const { descriptions, addresses } = textNodes(row, parameters);
  return (
    element('part_ownership', row.part_ownership) +
    element('leasehold', row.leasehold) +
    element('new_build', row.new_build) +
    type.type +
    place('town', row.town) +
    place('province', row.province) +
    (element('country', cut(row.country ?? '', LIMITS.country)) || element('country', DEFAULT_COUNTRY)) +
    (hasLocation
      ? `<location>${element('latitude', degrees(row.latitude!))}${element('longitude', degrees(row.longitude!))}</location>`
      : '') +
    element('location_detail', cut(row.area ?? '', LIMITS.location_detail)) +
    element('beds', row.beds) +
    element('baths', Math.floor(row.bath)) +
    element('pool', row.has_pool) +
    parent('surface_area', element('built', row.built_area) + element('plot', row.plot_area)) +
    `<energy_rating>${element('consumption', row.consumption)}${element('emissions', row.emissions)}</energy_rating>` +
    parent('url', addresses) +
    `<desc>${descriptions}</desc>` +
    parent('features', features(row, type.feature, dictionary)) +
    `<images>${images(pictureLines(row.pictures), parameters.pictures, pictureUrl)}</images>` +
    element('notes', row.notes) +
    (parameters.extended ? type.subtype + extensions(row) : '')
  );
}

/** A place that the format requires: `-`, which the import reads as unknown, if XML can represent none of it. */
function place(name: string, text: string): string {
  return element(name, text) || requiredElement(name, '-');
}

/** Descriptions and addresses of web pages by language, each where there is one. */
function textNodes(row: KyeroProperty, { languages }: KyeroParameters) {
  let descriptions = '';
  let addresses = '';
  languages.forEach((language, index) => {
    const text = row.descriptions[index] ?? null;
    if (text === null) return;
    const lineEnd = text.indexOf('\n');
    const name = ELEMENTS.get(language)!;
    descriptions += element(name, text.slice(lineEnd + 1));
    addresses += element(name, schemaUrl(text.slice(0, lineEnd)));
  });
  return { descriptions, addresses };
}

/** What keeps a property from being available, what its type says more, directions, and features, each once. */
function features(row: FeedProperty, detail: string, { features }: KyeroDictionary): string {
  const { status, directions } = row;
  const nodes = new Set<string>();
  if (status !== 'Available') nodes.add(element('feature', status));
  if (detail !== '') nodes.add(detail);
  for (const direction of directions === null ? [] : directionsIn(directions)) {
    if (token(direction) === '') continue;
    nodes.add(element('feature', featureName(ORIENTATION, token(COMPASS[direction]?.[0] ?? direction))));
  }
  for (const id of row.features?.split(',') ?? []) {
    const feature = features.get(Number(id));
    if (feature !== undefined && !(feature.isOrientation && directions !== null)) nodes.add(feature.node);
  }
  return [...nodes].slice(0, LIMITS.features).join('');
}

/** The pictures as one text, without white space at the ends of their addresses and with single spaces in them. */
function pictureLines(pictures: string | null): string | null {
  return pictures !== null && /[^\S\n]/.test(pictures) ? pictures.split('\n').map(token).join('\n') : pictures;
}

/**
 * The escaped URL of a picture, which Kyero's schema requires to end like the name of an image: any other gets the fragment
 * `#.jpg`, which is not part of a request, and which the import removes.
 */
function pictureUrl(url: string): string | null {
  if (!/^(https?|ftp):\/\//.test(url)) return null;
  return IMAGE_SUFFIXES.has(url.slice(url.lastIndexOf('.') + 1)) ? url : `${url}#.jpg`;
}

const IMAGE_SUFFIXES: ReadonlySet<string> = new Set('gif jpg jpeg png GIF JPG JPEG PNG'.split(' '));

/** Nodes that programs add to the format, by the first of their names that the import reads. */
const EXTENSIONS = FEED_COLUMNS.flatMap((column) => {
  const { source } = PROPERTY_FIELDS[column];
  return source?.extension ? [{ name: source.kyero?.[0] ?? column, column }] : [];
});

function extensions(row: KyeroProperty): string {
  return element('status', row.status) + EXTENSIONS.map(({ name, column }) => element(name, row[column])).join('');
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

/** The URL of a web page, if Kyero's schema allows it. */
function schemaUrl(given: string): string | null {
  const url = token(given);
  return /^https?:\/\//.test(url) && [...url].length <= LIMITS.url ? url : null;
}

/** An account's vocabulary as Kyero's records name it: in English, or else in the first language that has a label. */
type KyeroDictionary = ReturnType<typeof renderDictionary>;

function renderDictionary(vocabulary: VocabularyRead) {
  const types = labelsById(vocabulary.types, (rows) => {
    const { code } = rows[0]!;
    const labelled = rows.find(({ type }) => isReadable(type));
    const { name, detail, isBuiltIn } = kyeroType(code, labelled?.subtype ?? labelled?.type ?? code);
    // What the type says more, unless the import would not find it; in the extended form, it is the subtype.
    const feature = isBuiltIn ? element('feature', detail) : '';
    return { type: element('type', name), feature, subtype: element('subtype', detail) };
  });
  const categories = new Map(vocabulary.categories.map(({ id, code }) => [id, code]));
  const labels = [...Map.groupBy(vocabulary.features, ({ id }) => id)].flatMap(([id, rows]) => {
    const labelled = rows.find(({ label }) => isReadable(label));
    return labelled === undefined
      ? []
      : [{ id, category: categories.get(labelled.categoryId)!, label: labelled.label!.replaceAll(/\s+/g, ' ').trim() }];
  });
  const byLabel = Map.groupBy(labels, ({ category, label }) => featureName(category, label));
  const features = labels.map(({ id, category, label }) => {
    const name = featureName(category, label);
    const isUnique = byLabel.get(name)!.every((other) => other.category === category);
    const node = `<feature>${escapeXml(isUnique ? name : `${category} - ${label}`)}</feature>`;
    // The directions of a unit replace those of the property.
    return [id, { node, isOrientation: category === ORIENTATION }] as const;
  });
  return { revision: vocabulary.revision, types, features: new Map(features) };
}

function isReadable(text: string | null): boolean {
  return text !== null && escapeXml(text.trim()) !== '';
}
