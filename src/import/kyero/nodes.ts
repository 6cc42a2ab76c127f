import type { PortfolioDocumentInput } from '../../portfolio/documents.ts';
import type { SourceKind } from '../../portfolio/field.ts';
import { IMPORTED_FIELDS, type ImportedKey } from '../../portfolio/property-fields.ts';
import { channelsOf } from '../channels.ts';
import { optionalValue, understoodValue } from '../results/notes.ts';
import { readLocation } from '../values/coordinates.ts';
import { readTime } from '../values/date.ts';
import type { Understood } from '../values/interpretation.ts';
import { readLink } from '../values/link.ts';
import { AMOUNT, COUNT, readArea, readBaths, readNumber, readWhole } from '../values/number.ts';
import {
  type Frequency,
  readCurrency,
  readEnergyLetter,
  readEnergyStatus,
  readFlag,
  readFrequency,
  readPresence,
  readStatus,
} from '../values/words.ts';
import { ownText, trimmed, words, type XmlNode } from '../xml/node.ts';
import { type FeaturesRead, featuresOf } from './features.ts';
import { picturesOf } from './pictures.ts';
import { childrenByName, type KyeroReading } from './reading.ts';
import { type Texts, textsOf } from './texts.ts';

export type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** The values of a record: fields of the document, and values from which several fields are derived. */
export interface Part extends Partial<Omit<Input, 'features'>>, Partial<FeaturesRead> {
  /** What the price is for, and the price itself, which is read by it. */
  frequency?: Frequency | undefined;
  priceNode?: XmlNode;
  /** The price is that of a day or a year: there is no offer like that. */
  perDay?: boolean;
  subtype?: string;
  descriptions?: Texts;
  titles?: Texts;
  addresses?: Texts;
  /** The terrace that the built area names: `50 + 75 terrace`. */
  terrace?: number;
  /** The town, in feeds of programs that state it with the coordinates. */
  city?: string;
}

export type Reader = (node: XmlNode, reading: KyeroReading) => Part;

/** Texts that stand for none: required nodes have `-`. */
const NO_TEXT: ReadonlySet<string> = new Set(['', '-']);

/** A text node that is stored unchanged; an empty one clears the field. */
function plain(field: keyof Input): Reader {
  return (node) => ({ [field]: NO_TEXT.has(trimmed(node)) ? undefined : trimmed(node) });
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

const READERS: Readonly<Record<SourceKind, (field: ImportedKey) => Reader>> = {
  text: plain,
  flag: (field) => read(field, readFlag),
  presence: (field) => read(field, readPresence),
  amount: (field) => read(field, (text) => readNumber(text, AMOUNT)),
  area: (field) => read(field, readArea),
  year: (field) => read(field, (text) => readWhole(text, COUNT, Math.floor)),
  link,
};

/** The imported nodes, by name. Those that are one value of one field come from the table of fields. */
export const NODES: ReadonlyMap<string, Reader> = tableOf<Reader>({
  ...Object.fromEntries(IMPORTED_FIELDS.flatMap(({ key, as, kyero }) => (kyero ? [[kyero[0], READERS[as](key)]] : []))),
  id: () => ({}),
  type: (node) => ({ type: nameIn(node) }),
  subtype: (node) => ({ subtype: nameIn(node) }),
  built: (node, reading) => ({ ...fieldOf('built_area', node.name, node, readArea, reading), ...terraceIn(node) }),
  date: read('source_changed_at', readTime),
  price: (node) => ({ priceNode: node }),
  price_freq: frequency,
  currency: read('currency', readCurrency),
  location,
  beds: read('beds', (text) =>
    /^(studio|estudio)\b/i.test(text) ? { value: 0, how: 'spelling' } : readWhole(text, COUNT, Math.floor),
  ),
  baths: read('bath', readBaths),
  surface_area: surface,
  energy_rating: energy,
  url: (node, reading) => ({ addresses: textsOf(node, reading) }),
  desc: (node, reading) => ({ descriptions: textsOf(node, reading) }),
  title: (node, reading) => ({ titles: textsOf(node, reading) }),
  features: featuresOf,
  images: (node, reading) => ({ pictures: picturesOf(node, reading) }),
  status: (node, reading) => optionalValue(reading, node.name, node, readStatus) ?? {},
  commission,
  channels: (node, reading) => ({ channels: channelsOf(node, reading) }),
});

/** Other names that programs use for nodes of the format, and nodes that they add to it. */
export const ALIASES: ReadonlyMap<string, string> = tableOf<string>({
  ...Object.fromEntries(
    IMPORTED_FIELDS.flatMap(({ kyero }) => kyero?.slice(1).map((other) => [other, kyero[0]]) ?? []),
  ),
  description: 'desc',
  descriptions: 'desc',
  bedrooms: 'beds',
  bathrooms: 'baths',
  sub_type: 'subtype',
  year_built: 'built_year',
});

/** A map for lookups with words of a file, which may be `constructor`. */
function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}

function frequency(node: XmlNode, reading: KyeroReading): Part {
  const understood = readFrequency(trimmed(node));
  const value = optionalValue(reading, node.name, node, () => understood);
  return value === undefined ? {} : { frequency: value, perDay: understood.perDay === true };
}

function location(node: XmlNode, reading: KyeroReading): Part {
  const { latitude, longitude, city } = childrenByName(node, ['latitude', 'longitude', 'city'], reading);
  const town = city === undefined ? {} : { city: words(trimmed(city)) };
  const [north, east] = [latitude, longitude].map((child) => (child === undefined ? '' : trimmed(child)));
  if (!north && !east) return town;
  const text = [north, east].join(', ');
  const understood = readLocation(north!, east!);
  return { location: understoodValue(reading, node.name, node, understood, text) ?? null, ...town };
}

function surface(node: XmlNode, reading: KyeroReading): Part {
  if (node.children.length === 0) return { built_area: optionalValue(reading, node.name, node, readArea) ?? null };
  const parts = childrenByName(node, ['built', 'plot', 'terrace', 'living_area'], reading);
  const area = (field: keyof Input, name: keyof typeof parts) =>
    fieldOf(field, `${node.name}/${name}`, parts[name], readArea, reading);
  return {
    ...area('built_area', 'built'),
    ...terraceIn(parts.built),
    ...area('plot_area', 'plot'),
    ...area('terrace_area', 'terrace'),
    ...area('living_area', 'living_area'),
  };
}

/** The terrace in a built area such as `50 + 75 terrace`. */
function terraceIn(node: XmlNode | undefined): Part {
  const found = /\+\s*(\d{1,4})\s*(?:m2|m²|m|sqm)?\s*(?:terra[cz]|terras)/i.exec(text(node))?.[1];
  return found === undefined ? {} : { terrace: Number(found) };
}

/** A name, in English if the node has several languages, as in version 2. */
function nameIn(node: XmlNode): string {
  const named = node.children.find(({ name }) => name === 'en') ?? node.children[0];
  return words(trimmed(ownText(node) === '' && named !== undefined ? named : node));
}

/** A rating of unspecified kind is the consumption rating, by which properties are advertised. */
function energy(node: XmlNode, reading: KyeroReading): Part {
  const status = energyStatus(node);
  if (node.children.length === 0) {
    return { consumption: optionalValue(reading, node.name, node, readEnergyLetter), ...status };
  }
  const { consumption, emissions } = childrenByName(node, ['consumption', 'emissions'], reading);
  return {
    ...status,
    consumption: optionalValue(reading, `${node.name}/consumption`, consumption, readEnergyLetter),
    emissions: optionalValue(reading, `${node.name}/emissions`, emissions, readEnergyLetter),
  };
}

/** Why there is no letter; nothing if a text has neither letter nor reason, such as the X of a feed without ratings. */
function energyStatus({ children, text }: XmlNode): Part {
  const texts = [text, ...children.map(trimmed)].map((one) => one.trim()).filter((one) => one !== '');
  if (texts.some((one) => /^[A-G]$/.test(readEnergyLetter(one).value ?? ''))) return { energy_status: null };
  const status = texts.map(readEnergyStatus).find((one) => one !== null);
  return status === undefined ? {} : { energy_status: status };
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
function link(field: keyof Input): Reader {
  return (node, reading) => {
    const embedded = node.children.find(({ attributes }) => attributes.src ?? attributes.href);
    const address = (embedded?.attributes.src ?? embedded?.attributes.href)?.trim();
    if (address !== undefined) {
      const understood = { value: address, how: 'link_extracted' } as const;
      return { [field]: understoodValue(reading, node.name, node, understood, `<${embedded!.name}>`) };
    }
    return fieldOf(field, node.name, node, readLink, reading);
  };
}
