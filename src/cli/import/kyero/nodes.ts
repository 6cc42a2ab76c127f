import type { PortfolioDocumentInput } from '../../../portfolio/documents.ts';
import { readLocation } from '../values/coordinates.ts';
import { readTime } from '../values/date.ts';
import { readEnergyLetter } from '../values/energy.ts';
import { readFlag, readPresence } from '../values/flag.ts';
import { isPlaceholder, type Understood } from '../values/interpretation.ts';
import { readLink } from '../values/link.ts';
import { AMOUNT, COUNT, readArea, readBaths, readNumber, readWhole } from '../values/number.ts';
import { type Frequency, readCurrency, readFrequency } from '../values/price.ts';
import { readStatus } from '../values/status.ts';
import { isEmpty, ownText, trimmed, words, type XmlNode } from '../xml/node.ts';
import { optionalValue, understoodValue } from '../xml/reporting.ts';
import { childrenByName } from './children.ts';
import { featuresOf } from './features.ts';
import { picturesOf } from './pictures.ts';
import type { KyeroReading } from './reading.ts';
import { type Texts, textsOf } from './texts.ts';

export type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** The values of a record: fields of the document, and values from which several fields are derived. */
export interface Part extends Partial<Input> {
  /** What the price is for, and the price itself, which is read by it. */
  frequency?: Frequency | undefined;
  priceNode?: XmlNode;
  /** The price is that of a day or a year: there is no offer like that. */
  perDay?: true;
  subtype?: string;
  descriptions?: Texts;
  titles?: Texts;
  addresses?: Texts;
  /** Whether features were given, which tell of a pool, a garden and a garage. */
  hasFeatures?: boolean;
}

export type Reader = (node: XmlNode, reading: KyeroReading) => Part;

/** A text node that is stored unchanged; an empty one clears the field. */
function plain(field: keyof Input): Reader {
  return (node) => ({ [field]: trimmed(node) === '' ? undefined : trimmed(node) });
}

/** A node whose interpreted value is stored; an unreadable one leaves the field open. */
function read(field: keyof Input, understand: (text: string) => Understood<unknown>): Reader {
  return (node, reading) => fieldOf(field, node.name, node, understand, reading);
}

function fieldOf(
  field: keyof Input,
  path: string,
  node: XmlNode | undefined,
  understand: (text: string) => Understood<unknown>,
  reading: KyeroReading,
): Part {
  if (node === undefined) return {};
  const value = optionalValue(reading, path, node, understand);
  return value === undefined && trimmed(node) !== '' ? {} : { [field]: value };
}

/** The imported nodes, by name. */
export const NODES: ReadonlyMap<string, Reader> = tableOf<Reader>({
  id: (node) => ({ id: trimmed(node) }),
  ref: plain('ref'),
  town: plain('town'),
  province: plain('province'),
  type: (node) => ({ type: words(trimmed(node)) }),
  subtype: (node) => ({ subtype: words(trimmed(node)) }),
  date: read('source_changed_at', readTime),
  price: (node) => ({ priceNode: node }),
  price_freq: (node, reading) => frequency(node, reading),
  currency: read('currency', readCurrency),
  part_ownership: flag('part_ownership'),
  leasehold: flag('leasehold'),
  new_build: flag('new_build'),
  prime: flag('prime'),
  pool: read('has_pool', readPresence),
  country: plain('country'),
  location: (node, reading) => location(node, reading),
  location_detail: plain('area'),
  beds: read('beds', (text) =>
    /^(studio|estudio)\b/i.test(text) ? { value: 0, how: 'spelling' } : readWhole(text, COUNT, Math.floor),
  ),
  baths: read('bath', readBaths),
  surface_area: (node, reading) => surface(node, reading),
  energy_rating: (node, reading) => energy(node, reading),
  url: (node, reading) => ({ addresses: textsOf(node, reading) }),
  desc: (node, reading) => ({ descriptions: textsOf(node, reading) }),
  title: (node, reading) => ({ titles: textsOf(node, reading) }),
  features: (node, reading) => ({ features: featuresOf(node, reading), hasFeatures: !isEmpty(node) }),
  images: (node, reading) => ({ pictures: picturesOf(node, reading) }),
  notes: plain('notes'),
  status: (node, reading) => status(node, reading),
  postcode: plain('postcode'),
  address: plain('address'),
  floor: plain('floor'),
  email: plain('email'),
  commission: (node, reading) => commission(node, reading),
  catastral: plain('cadastral_ref'),
  virtual_tour_url: link('virtual_tour_url'),
  video_url: link('video_url'),
  community_fees: read('community_fees', (text) => readNumber(text, AMOUNT)),
  garbage_tax: read('garbage_tax', (text) => readNumber(text, AMOUNT)),
  ibi_fees: read('ibi_fees', (text) => readNumber(text, AMOUNT)),
  built: read('built_area', readArea),
  plot: read('plot_area', readArea),
  terrace: read('terrace_area', readArea),
  living_area: read('living_area', readArea),
  built_year: read('built_year', (text) => readWhole(text, COUNT, Math.floor)),
});

/** Other names that programs use for nodes of the format, and nodes that they add to it. */
export const ALIASES: ReadonlyMap<string, string> = tableOf({
  cadastralRef: 'catastral',
  cadastral_ref: 'catastral',
  cadastral_reference: 'catastral',
  description: 'desc',
  descriptions: 'desc',
  bedrooms: 'beds',
  bathrooms: 'baths',
  built_area: 'built',
  plot_area: 'plot',
  terrace_area: 'terrace',
  full_address: 'address',
  sub_type: 'subtype',
  postal_code: 'postcode',
});

/** A map for lookups with words of a file, which may be `constructor`. */
function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}

function flag(field: 'part_ownership' | 'leasehold' | 'new_build' | 'prime'): Reader {
  return read(field, readFlag);
}

function frequency(node: XmlNode, reading: KyeroReading): Part {
  const understood = readFrequency(trimmed(node));
  const value = optionalValue(reading, node.name, node, () => understood);
  return value === undefined ? {} : { frequency: value, ...(understood.perDay ? { perDay: true as const } : {}) };
}

function status(node: XmlNode, reading: KyeroReading): Part {
  return optionalValue(reading, node.name, node, readStatus) ?? {};
}

function location(node: XmlNode, reading: KyeroReading): Part {
  const { latitude, longitude } = childrenByName(node, ['latitude', 'longitude'], reading);
  const [north, east] = [latitude, longitude].map((child) => (child === undefined ? '' : trimmed(child)));
  if (!north && !east) return {};
  const text = [north, east].join(', ');
  const isPlaceless = [north, east].every((part) => isPlaceholder(part ?? ''));
  const understood = isPlaceless ? ({ value: undefined, how: 'unreadable' } as const) : readLocation(north!, east!);
  return { location: understoodValue(reading, node.name, node, understood, text) ?? null };
}

function surface(node: XmlNode, reading: KyeroReading): Part {
  if (node.children.length === 0) return { built_area: optionalValue(reading, node.name, node, readArea) ?? null };
  const parts = childrenByName(node, ['built', 'plot', 'terrace', 'living_area'], reading);
  const area = (field: keyof Input, name: keyof typeof parts) =>
    fieldOf(field, `${node.name}/${name}`, parts[name], readArea, reading);
  return {
    ...area('built_area', 'built'),
    ...area('plot_area', 'plot'),
    ...area('terrace_area', 'terrace'),
    ...area('living_area', 'living_area'),
  };
}

/** A rating of unspecified kind is the consumption rating, by which properties are advertised. */
function energy(node: XmlNode, reading: KyeroReading): Part {
  if (node.children.length === 0) return { consumption: optionalValue(reading, node.name, node, readEnergyLetter) };
  const { consumption, emissions } = childrenByName(node, ['consumption', 'emissions'], reading);
  return {
    consumption: optionalValue(reading, `${node.name}/consumption`, consumption, readEnergyLetter),
    emissions: optionalValue(reading, `${node.name}/emissions`, emissions, readEnergyLetter),
  };
}

/** A commission as one text, or with a share and notes: `5.0, split 50, by arrangement`. */
function commission(node: XmlNode, reading: KyeroReading): Part {
  const { value, split, notes } = childrenByName(node, ['value', 'split', 'notes'], reading);
  const parts = [ownText(node), text(value), text(split) && `split ${text(split)}`, text(notes)];
  return { commission: parts.filter((part) => part !== '').join(', ') || null };
}

function text(node: XmlNode | undefined): string {
  return node === undefined ? '' : words(trimmed(node));
}

/** A URL, plain or from an HTML element that embeds it. */
function link(field: 'virtual_tour_url' | 'video_url'): Reader {
  return (node, reading) => {
    const embedded = node.children.find(({ attributes }) => attributes.src ?? attributes.href);
    const address = (embedded?.attributes.src ?? embedded?.attributes.href)?.trim();
    if (address !== undefined) {
      return {
        [field]: understoodValue(
          reading,
          node.name,
          node,
          { value: address, how: 'link_extracted' },
          `<${embedded!.name}>`,
        ),
      };
    }
    return fieldOf(field, node.name, node, readLink, reading);
  };
}
