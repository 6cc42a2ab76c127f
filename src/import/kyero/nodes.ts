import type { PortfolioDocumentInput } from '../../portfolio/documents.ts';
import type { SourceKind } from '../../portfolio/field.ts';
import { IMPORTED_FIELDS, type ImportedKey } from '../../portfolio/property-fields.ts';
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
import { channelsOf, childrenByName, optionalValue, understoodValue } from '../xml/reading.ts';
import { type FeaturesRead, featuresOf, type KyeroReading, nameOf, picturesOf, type Texts, textsOf } from './lists.ts';

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

/** @param path the node's path below its record, for reports; by default its name */
export type Reader = (node: XmlNode, reading: KyeroReading, path?: string) => Part;

/** A text node that is stored unchanged; an empty one clears the field, and so does `-`, which required nodes have. */
function plain(field: keyof Input): Reader {
  return (node) => {
    const text = trimmed(node);
    return { [field]: text === '' || text === '-' ? undefined : text };
  };
}

/** A node whose interpreted value is stored; an unreadable one leaves the field open. */
function read(field: keyof Input, understand: (text: string) => Understood<unknown>): Reader {
  return (node, reading, path = node.name) => {
    const value = optionalValue(reading, path, node, understand);
    return value === undefined && trimmed(node) !== '' ? {} : { [field]: value };
  };
}

/** A URL, plain or from an HTML element that embeds it. */
function link(field: keyof Input): Reader {
  return (node, reading) => {
    const embedded = node.children.find(({ attributes }) => attributes.src ?? attributes.href);
    if (embedded === undefined) return read(field, readLink)(node, reading);
    const value = (embedded.attributes.src ?? embedded.attributes.href)!.trim();
    reading.interpreted(node.name, 'link_extracted', node.line, `<${embedded.name}>`, value);
    return { [field]: value };
  };
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
  type: (node, reading) => ({ type: englishName(node, reading) }),
  subtype: (node, reading) => ({ subtype: englishName(node, reading) }),
  built(node, reading, path) {
    const found = /\+\s*(\d{1,4})\s*(?:m2|m²|m|sqm)?\s*(?:terra[cz]|terras)/i.exec(words(trimmed(node)))?.[1];
    const area = read('built_area', readArea)(node, reading, path);
    return found === undefined ? area : { ...area, terrace: Number(found) };
  },
  date: read('source_changed_at', readTime),
  price: (node) => ({ priceNode: node }),
  price_freq(node, reading) {
    const understood = readFrequency(trimmed(node));
    const frequency = optionalValue(reading, node.name, node, () => understood);
    return frequency === undefined ? {} : { frequency, perDay: understood.perDay === true };
  },
  currency: read('currency', readCurrency),
  location(node, reading) {
    const { latitude, longitude, city } = childrenByName(node, ['latitude', 'longitude', 'city'], reading);
    const town = city === undefined ? {} : { city: words(trimmed(city)) };
    const [north, east] = [trimmed(latitude), trimmed(longitude)];
    if (north === '' && east === '') return town;
    const understood = readLocation(north, east);
    return { location: understoodValue(reading, node.name, node, understood, `${north}, ${east}`) ?? null, ...town };
  },
  beds: read('beds', (text) =>
    /^(studio|estudio)\b/i.test(text) ? { value: 0, how: 'spelling' } : readWhole(text, COUNT, Math.floor),
  ),
  baths: read('bath', readBaths),
  surface_area(node, reading) {
    if (node.children.length === 0) return { built_area: optionalValue(reading, node.name, node, readArea) ?? null };
    const areas = childrenByName(node, ['built', 'plot', 'terrace', 'living_area'], reading);
    return Object.assign(
      {},
      ...Object.entries(areas).map(([name, area]) => NODES.get(name)!(area, reading, `${node.name}/${name}`)),
    );
  },
  /** A rating of unspecified kind is the consumption rating, by which properties are advertised. */
  energy_rating(node, reading) {
    const letter = (path: string, from: XmlNode | undefined) => optionalValue(reading, path, from, readEnergyLetter);
    if (node.children.length === 0) return { consumption: letter(node.name, node), ...energyStatus(node) };
    const { consumption, emissions } = childrenByName(node, ['consumption', 'emissions'], reading);
    return {
      ...energyStatus(node),
      consumption: letter(`${node.name}/consumption`, consumption),
      emissions: letter(`${node.name}/emissions`, emissions),
    };
  },
  url: (node, reading) => ({ addresses: textsOf(node, reading) }),
  desc: (node, reading) => ({ descriptions: textsOf(node, reading) }),
  title: (node, reading) => ({ titles: textsOf(node, reading) }),
  features: featuresOf,
  images: (node, reading) => ({ pictures: picturesOf(node, reading) }),
  status: (node, reading) => optionalValue(reading, node.name, node, readStatus) ?? {},
  /** As one text, or with a share and notes: `5.0, split 50, by arrangement`. */
  commission(node, reading) {
    const { value, split, notes } = childrenByName(node, ['value', 'split', 'notes'], reading);
    const [amount, share, more] = [value, split, notes].map((child) => words(trimmed(child)));
    const parts = [ownText(node), amount, share && `split ${share}`, more];
    return { commission: parts.filter((part) => part !== '').join(', ') || null };
  },
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

/** A name, in English if the node has several languages, as in version 2. */
function englishName(node: XmlNode, reading: KyeroReading): string {
  const named = node.children.find(({ name }) => name === 'en') ?? node.children[0];
  return nameOf(trimmed(ownText(node) === '' && named !== undefined ? named : node), node.name, node, reading);
}

/** Why there is no letter; nothing if a text has neither letter nor reason, such as the X of a feed without ratings. */
function energyStatus({ children, text }: XmlNode): Part {
  const texts = [text.trim(), ...children.map(trimmed)].filter((one) => one !== '');
  if (texts.some((one) => /^[A-G]$/.test(readEnergyLetter(one).value ?? ''))) return { energy_status: null };
  const status = texts.map(readEnergyStatus).find((one) => one !== null);
  return status === undefined ? {} : { energy_status: status };
}
