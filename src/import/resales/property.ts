import type { PortfolioDocumentInput, PropertyDocument } from '../../portfolio/documents.ts';
import type { SourceKind } from '../../portfolio/field.ts';
import { IMPORTED_FIELDS, type ImportedKey } from '../../portfolio/property-fields.ts';
import type { Reporting } from '../notes.ts';
import { readLocation } from '../values/coordinates.ts';
import { readTime } from '../values/date.ts';
import type { Understood } from '../values/interpretation.ts';
import { readLink } from '../values/link.ts';
import { AMOUNT, AREA, readArea, readBaths, readNumber, SALE_PRICE } from '../values/number.ts';
import {
  type Frequency,
  readCurrency,
  readEnergyLetter,
  readFlag,
  readFrequency,
  readPresence,
  readStatus,
  withoutSuffix,
} from '../values/words.ts';
import { childNamed, childrenNamed, childText, isEmpty, ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { channelsOf, optionalValue } from '../xml/reading.ts';
import { type FeedVocabulary, labelsOf, type RecordCategory, rawText } from './vocabulary.ts';

type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** A record of the feed, before values are added that depend on the complete file. */
export interface FeedProperty {
  readonly given: Input;
  readonly open: readonly (keyof PropertyDocument)[];
  readonly development: string;
  readonly unit: string;
  readonly categories: readonly RecordCategory[];
}

export function readFeedProperty(
  record: XmlNode,
  vocabulary: FeedVocabulary,
  reporting: Reporting,
  now: string,
): FeedProperty {
  for (const child of record.children) {
    if (!NODES.has(child.name) && !isEmpty(child)) reporting.ignored(child.name, child.line);
  }
  const node = (name: string) => childNamed(record, name);
  const value: Value = (name, read, from = node(name)) => optionalValue(reporting, name, from, read);
  const number = (name: string) => numberOf(childText(record, name), AMOUNT);
  const area = (parent: XmlNode | undefined, name: string) => {
    const child = childNamed(parent, name);
    const exact = numberOf(trimmed(child), AREA);
    return exact !== null && Number.isInteger(exact) ? exact : (value(name, readArea, child) ?? null);
  };
  const readers: Readonly<Record<SourceKind, (name: string) => unknown>> = {
    text: (name) => rawText(node(name)) || null,
    flag: (name) => value(name, readFlag) ?? null,
    presence: (name) => value(name, readPresence) ?? null,
    amount: number,
    year: number,
    area: (name) => area(record, name),
    link: (name) => value(name, readLink) ?? null,
  };
  // The fields that are one value of one node, as the table of fields states; one without a value has its default.
  const fields: Partial<Record<ImportedKey, unknown>> = {};
  for (const { key, as, nullable, resales } of IMPORTED_FIELDS) {
    if (resales !== undefined) fields[key] = readers[as](resales) ?? (nullable ? null : as === 'text' ? '' : false);
  }
  const frequency = frequencyOf(record);
  const id = withoutSuffix(childText(record, 'id'), frequency);
  const updated = value('last_updated', readTime) ?? null;
  const surface = node('surface_area');
  const channels = node('channels');
  const letter = (name: string) =>
    value(`energy_rating/${name}`, readEnergyLetter, childNamed(node('energy_rating'), name)) ?? 'X';
  // Baths and toilets as one number if the version of the feed has it, else only baths.
  const bath = Number(childText(record, 'Bath') || Number.NaN);
  const given: Input = {
    kind: 'property',
    ...(fields as Pick<Input, ImportedKey>),
    id,
    ref: rawText(node('ref')) || id,
    type: vocabulary.type(labelsOf(node('type')), labelsOf(node('subtype'))),
    ...{ status: 'Available', ...(value('status', readStatus) ?? value('availability', readStatus)) },
    listed_at: value('listing_date', readTime) ?? value('listed_date', readTime) ?? updated ?? now,
    ...{ source_changed_at: updated, sale_updated_at: updated, rental_updated_at: updated },
    currency: value('currency', readCurrency) ?? 'EUR',
    location: locationOf(node('location') ?? record, value),
    beds: Math.floor(number('beds') ?? 0),
    bath: Number.isFinite(bath) ? bath : (value('baths', readBaths) ?? 0),
    built_area: area(surface, 'built'),
    plot_area: area(surface, 'plot'),
    terrace_area: area(record, 'terrace') ?? area(surface, 'terrace'),
    emissions: letter('emissions'),
    consumption: letter('consumption'),
    offers: offersOf(record, frequency),
    texts: textsOf(node('description') ?? node('desc')),
    pictures: picturesOf(node('images')),
    features: [],
    channels: channels === undefined ? null : channelsOf(channels, reporting),
  };
  const open = SOMETIMES_SAID.filter(([, ...nodes]) => !nodes.some(node)).map(([field]) => field);
  return {
    given,
    open: [...NEVER_SAID, ...open],
    development: rawText(node('development_name')),
    unit: rawText(node('unit_name')),
    categories: childrenNamed(node('characteristics'), 'category').map((category) => ({
      name: labelsOf(childNamed(category, 'name')),
      values: childrenNamed(category, 'value').map(labelsOf),
    })),
  };
}

type Value = <Read>(name: string, read: (text: string) => Understood<Read>, from?: XmlNode) => Read | undefined;

/** A number in the feed's plain decimals, else in other spellings. */
function numberOf(text: string, quantity: typeof AMOUNT): number | null {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === '' ? null : (readNumber(text, quantity).value ?? null);
}

function frequencyOf(record: XmlNode): Frequency {
  const read = readFrequency(childText(record, 'price_freq')).value;
  if (read !== undefined) return read;
  if (childText(record, 'longterm') !== '') return 'month';
  return childText(record, 'shortterm_low') === '' ? 'sale' : 'week';
}

/**
 * The offers of a record. If its price is a rent, the property may also be for sale at a price on request, which only a
 * minimum price reveals.
 */
function offersOf(record: XmlNode, frequency: Frequency): Input['offers'] {
  const amount = (name: string, quantity = AMOUNT) => numberOf(childText(record, name), quantity);
  const price = amount('price', frequency === 'sale' ? SALE_PRICE : AMOUNT) || null;
  const priceOf = (kind: Frequency) => (frequency === kind ? price : null);
  const minimum_price = amount('price_minimum', SALE_PRICE) ?? 0;
  const [rent, low, high] = [amount('longterm'), amount('shortterm_low'), amount('shortterm_high')];
  const license = childText(record, 'rental_license') || null;
  const isShortTerm = frequency === 'week' || low !== null || high !== null || license !== null;
  return {
    sale: frequency === 'sale' || minimum_price !== 0 ? { price: priceOf('sale'), minimum_price } : null,
    long_term: frequency === 'month' || rent !== null ? { rent: rent ?? priceOf('month') } : null,
    short_term: isShortTerm ? { low: low ?? priceOf('week'), high, license } : null,
  };
}

/** Coordinates in the feed's form without plausibility checks, or in another form. */
function locationOf(node: XmlNode, value: Value): Input['location'] {
  const [north, east] = [childText(node, 'latitude'), childText(node, 'longitude')];
  if (north === '' && east === '') return null;
  const [latitude, longitude] = [Number(north), Number(east)];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && north !== '' && east !== '') {
    return { latitude, longitude };
  }
  const both = { ...node, text: `${north}, ${east}`, children: [] };
  return value('location', () => readLocation(north, east), both) ?? null;
}

function textsOf(description: XmlNode | undefined): Input['texts'] {
  if (description === undefined) return {};
  const text = ownText(description);
  if (description.children.length === 0) return text === '' ? {} : { uk: { description: text } };
  return Object.fromEntries(
    description.children
      .filter((child) => rawText(child).trim() !== '')
      .map((child) => [child.name === 'en' ? 'uk' : child.name, { description: rawText(child) }]),
  );
}

function picturesOf(images: XmlNode | undefined): string[] {
  return childrenNamed(images, 'image')
    .map((image, index) => {
      const url = rawText(childNamed(image, 'url') ?? image).replaceAll(/\s*\n\s*/g, '');
      return { url, number: Number(image.attributes.id) || index + 1 };
    })
    .sort((a, b) => a.number - b.number)
    .flatMap(({ url }) => (url === '' ? [] : [url]));
}

/** Fields that are read from more than one node. */
const READ_APART: ReadonlySet<ImportedKey> = new Set(['ref', 'built_area', 'plot_area', 'terrace_area']);

/** Fields that are in no version of the feed. */
const NEVER_SAID: readonly (keyof PropertyDocument)[] = [
  ...(['unit', 'rented', 'on_own_website', 'on_other_websites', 'restrictions', 'commission'] as const),
  'energy_status',
  ...IMPORTED_FIELDS.filter(({ key, resales }) => resales === undefined && !READ_APART.has(key)).map(({ key }) => key),
];

/** Fields that some versions or parameters of the feed omit, with their nodes. */
const SOMETIMES_SAID: readonly (readonly [keyof PropertyDocument, ...string[]])[] = [
  ['status', 'status', 'availability'],
  ['listed_at', 'listing_date', 'listed_date'],
  ['location', 'location', 'latitude'],
  ['terrace_area', 'terrace', 'surface_area'],
  ['emissions', 'energy_rating'],
  ['consumption', 'energy_rating'],
  ...IMPORTED_FIELDS.flatMap(({ key, resales, inEveryVersion }) =>
    resales === undefined || inEveryVersion ? [] : [[key, resales] as const],
  ),
];

/** Nodes of a record that are imported. */
export const NODES: ReadonlySet<string> = new Set([
  ...['id', 'ref', 'last_updated', 'listing_date', 'listed_date', 'status', 'availability', 'currency', 'price'],
  ...['price_freq', 'price_minimum', 'longterm', 'shortterm_low', 'shortterm_high', 'rental_license', 'type'],
  ...['subtype', 'development_name', 'unit_name', 'location', 'latitude', 'longitude', 'beds', 'baths', 'Bath'],
  ...['surface_area', 'terrace', 'energy_rating', 'description', 'desc', 'characteristics', 'images'],
  'channels',
  ...IMPORTED_FIELDS.flatMap(({ resales }) => resales ?? []),
]);
