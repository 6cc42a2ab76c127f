import type { PortfolioDocumentInput, PropertyDocument } from '../../portfolio/documents.ts';
import type { SourceKind } from '../../portfolio/field.ts';
import { IMPORTED_FIELDS, type ImportedKey } from '../../portfolio/property-fields.ts';
import { channelsOf } from '../channels.ts';
import { optionalValue, type Reporting } from '../results/notes.ts';
import { readLocation } from '../values/coordinates.ts';
import { readTime } from '../values/date.ts';
import { readEnergyLetter } from '../values/energy.ts';
import { readFlag, readPresence } from '../values/flag.ts';
import type { Understood } from '../values/interpretation.ts';
import { readLink } from '../values/link.ts';
import { AREA, readArea, readBaths } from '../values/number.ts';
import { readCurrency } from '../values/price.ts';
import { readStatus } from '../values/status.ts';
import { childrenNamed, childText, isEmpty, ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { labelsOf, rawText } from './labels.ts';
import { identifierOf, numberOf, offersOf } from './offers.ts';
import type { FeedVocabulary, RecordCategory } from './vocabulary.ts';

export type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** A record of the feed, before values are added that depend on the complete file. */
export interface FeedProperty {
  readonly given: Input;
  /** Fields that the record leaves open. */
  readonly open: readonly (keyof PropertyDocument)[];
  readonly development: string;
  readonly unit: string;
  readonly categories: readonly RecordCategory[];
}

/** Reads a record. */
export function readFeedProperty(
  record: XmlNode,
  vocabulary: FeedVocabulary,
  reporting: Reporting & { readonly now: string },
): FeedProperty {
  for (const child of record.children) {
    if (!NODES.has(child.name) && !isEmpty(child)) reporting.ignored(child.name, child.line);
  }
  const node = (name: string) => record.children.find((child) => child.name === name);
  const value = <Value>(name: string, read: (text: string) => Understood<Value>, from = node(name)) =>
    optionalValue(reporting, name, from, read);
  const text = (name: string) => rawText(node(name)) || null;
  const number = (name: string) => numberOf(childText(record, name));
  const area = (name: string, parent = record) => {
    const child = parent.children.find((one) => one.name === name);
    const exact = child === undefined ? null : numberOf(trimmed(child), AREA);
    return exact !== null && Number.isInteger(exact) ? exact : (value(name, readArea, child) ?? null);
  };
  const id = identifierOf(record);
  const status = value('status', readStatus) ?? value('availability', readStatus);
  const updated = value('last_updated', readTime);
  const listed = value('listing_date', readTime) ?? value('listed_date', readTime);
  const surface = node('surface_area');
  const channels = node('channels');
  const categories = categoriesOf(node('characteristics'));
  const energy = node('energy_rating');
  const letter = (name: 'emissions' | 'consumption') =>
    value(
      `energy_rating/${name}`,
      readEnergyLetter,
      energy?.children.find((child) => child.name === name),
    );
  const terrace = area('terrace') ?? (surface === undefined ? null : area('terrace', surface));
  const readers: Readonly<Record<SourceKind, (name: string) => unknown>> = {
    text,
    flag: (name) => value(name, readFlag) ?? null,
    presence: (name) => value(name, readPresence) ?? null,
    amount: number,
    year: number,
    area,
    link: (name) => value(name, readLink) ?? null,
  };
  const given: Input = {
    kind: 'property',
    ...fieldsOf(readers),
    id,
    ref: text('ref') ?? id,
    type: vocabulary.type(labelsOf(node('type')), labelsOf(node('subtype'))),
    ...{ status: 'Available', ...status },
    listed_at: listed ?? updated ?? reporting.now,
    source_changed_at: updated ?? null,
    sale_updated_at: updated ?? null,
    rental_updated_at: updated ?? null,
    currency: value('currency', readCurrency) ?? 'EUR',
    location: locationOf(node('location') ?? record, value),
    beds: Math.floor(number('beds') ?? 0),
    bath: bathOf(record, value),
    built_area: surface === undefined ? null : area('built', surface),
    plot_area: surface === undefined ? null : area('plot', surface),
    terrace_area: terrace,
    emissions: letter('emissions') ?? 'X',
    consumption: letter('consumption') ?? 'X',
    offers: offersOf(record),
    texts: textsOf(node('description') ?? node('desc')),
    pictures: picturesOf(node('images')),
    features: [],
    channels: channels === undefined ? null : channelsOf(channels, reporting),
  };
  return {
    given,
    open: [...NEVER_SAID, ...SOMETIMES_SAID.filter(([, ...nodes]) => !nodes.some(node)).map(([field]) => field)],
    development: rawText(node('development_name')),
    unit: rawText(node('unit_name')),
    categories,
  };
}

/** The fields that are one value of one node, as the table of fields states; one without a value has its default. */
function fieldsOf(readers: Readonly<Record<SourceKind, (name: string) => unknown>>): Pick<Input, ImportedKey> {
  const fields: Partial<Record<ImportedKey, unknown>> = {};
  for (const { key, as, nullable, resales } of IMPORTED_FIELDS) {
    if (resales !== undefined) fields[key] = readers[as](resales) ?? (nullable ? null : as === 'text' ? '' : false);
  }
  return fields as Pick<Input, ImportedKey>;
}

type Value = <Read>(name: string, read: (text: string) => Understood<Read>, from?: XmlNode) => Read | undefined;

/** Coordinates in the feed's form without plausibility checks, or in another form. */
function locationOf(node: XmlNode, value: Value): Input['location'] {
  const [north, east] = [childText(node, 'latitude'), childText(node, 'longitude')];
  if (north === '' && east === '') return null;
  const [latitude, longitude] = [Number(north), Number(east)];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && north !== '' && east !== '') {
    return { latitude, longitude };
  }
  return (
    value('location', () => readLocation(north, east), { ...node, text: `${north}, ${east}`, children: [] }) ?? null
  );
}

/** Baths and toilets as one number if the version of the feed has it, else only baths. */
function bathOf(record: XmlNode, value: Value): number {
  const exact = Number(childText(record, 'Bath') || Number.NaN);
  return Number.isFinite(exact) ? exact : (value('baths', readBaths) ?? 0);
}

function categoriesOf(characteristics: XmlNode | undefined): RecordCategory[] {
  if (characteristics === undefined) return [];
  return childrenNamed(characteristics, 'category').map((category) => ({
    name: labelsOf(category.children.find((child) => child.name === 'name')),
    values: childrenNamed(category, 'value').map(labelsOf),
  }));
}

function textsOf(description: XmlNode | undefined): Input['texts'] {
  if (description === undefined) return {};
  if (description.children.length === 0) {
    const text = ownText(description);
    return text === '' ? {} : { uk: { description: text } };
  }
  return Object.fromEntries(
    description.children
      .filter((child) => rawText(child).trim() !== '')
      .map((child) => [child.name === 'en' ? 'uk' : child.name, { description: rawText(child) }]),
  );
}

/** URLs in the order of their ids. */
function picturesOf(images: XmlNode | undefined): string[] {
  if (images === undefined) return [];
  return childrenNamed(images, 'image')
    .map((image, index) => {
      const url = image.children.find((child) => child.name === 'url') ?? image;
      return { url: rawText(url).replaceAll(/\s*\n\s*/g, ''), number: Number(image.attributes.id) || index + 1 };
    })
    .sort((a, b) => a.number - b.number)
    .flatMap(({ url }) => (url === '' ? [] : [url]));
}

/** Fields that are read from more than one node. */
const READ_APART: ReadonlySet<ImportedKey> = new Set(['ref', 'built_area', 'plot_area', 'terrace_area']);

/** Fields that are in no version of the feed. */
const NEVER_SAID: readonly (keyof PropertyDocument)[] = [
  ...([
    'unit',
    'rented',
    'on_own_website',
    'on_other_websites',
    'restrictions',
    'commission',
    'energy_status',
  ] as const),
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
