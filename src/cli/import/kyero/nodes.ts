import { isoTime } from '../../../lib/iso-time.ts';
import { LANGUAGES, type LanguageElement } from '../../../lib/languages.ts';
import type { PortfolioDocumentInput } from '../../../portfolio/documents.ts';
import { isEmpty, ownText, trimmed, words, type XmlNode } from './element.ts';
import type { FeatureName, KyeroVocabulary } from './names.ts';

type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** What reading a record needs beside it. */
export interface KyeroReading {
  readonly vocabulary: KyeroVocabulary;
  /** When a property without a date counts as listed: ISO 8601, whole seconds of UTC. */
  readonly now: string;
  /** Told of every node that is not taken, by its path. */
  ignored(path: string, line: number): void;
}

/** What is wrong with a node of a record. */
export class NodeProblem extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** What a record says: fields of the document, and what several of them are made of. */
export interface Part extends Partial<Input> {
  frequency?: Frequency;
  price?: number | null;
  descriptions?: Texts;
  addresses?: Texts;
}

export type Texts = ReadonlyMap<LanguageElement, string>;

type Frequency = 'sale' | 'month' | 'week';

type Reader = (node: XmlNode, reading: KyeroReading) => Part;

/** A node of text that a field takes as it is; an empty one says that there is nothing to take. */
function plain(field: keyof Input): Reader {
  return (node) => ({ [field]: trimmed(node) === '' ? undefined : trimmed(node) });
}

function numeric(field: keyof Input, read: (node: XmlNode) => number): Reader {
  return (node) => ({ [field]: trimmed(node) === '' ? undefined : read(node) });
}

/** By name, the nodes that are taken. */
export const NODES: ReadonlyMap<string, Reader> = tableOf<Reader>({
  id: (node) => ({ id: required(node) }),
  ref: (node) => ({ ref: required(node) }),
  town: (node) => ({ town: required(node) }),
  province: (node) => ({ province: required(node) }),
  type: (node, { vocabulary }) => ({ type: vocabulary.type(required(node)) }),
  date: (node, reading) => date(node, reading),
  price: (node) => ({ price: price(node) }),
  price_freq: (node) => ({ frequency: frequency(node) }),
  currency: (node) => (trimmed(node) === '' ? {} : { currency: trimmed(node).toUpperCase() }),
  new_build: flag('new_build'),
  pool: flag('has_pool'),
  country: plain('country'),
  location: (node, reading) => location(node, reading),
  location_detail: plain('area'),
  beds: numeric('beds', whole),
  baths: numeric('bath', whole),
  surface_area: (node, reading) => surface(node, reading),
  energy_rating: (node, reading) => energy(node, reading),
  url: (node, reading) => ({ addresses: perLanguage(node, reading) }),
  desc: (node, reading) => ({ descriptions: perLanguage(node, reading) }),
  features: (node, reading) => ({ features: features(node, reading) }),
  images: (node, reading) => ({ pictures: pictures(node, reading) }),
  status: (node) => (trimmed(node) === '' ? {} : status(node)),
  postcode: plain('postcode'),
  cadastralRef: plain('cadastral_ref'),
  cadastral_ref: plain('cadastral_ref'),
  virtual_tour_url: plain('virtual_tour_url'),
  video_url: plain('video_url'),
  community_fees: numeric('community_fees', amount),
  garbage_tax: numeric('garbage_tax', amount),
  ibi_fees: numeric('ibi_fees', amount),
  living_area: numeric('living_area', squareMetres),
  built_year: numeric('built_year', whole),
});

/** What is looked up by words of a file, which may say `constructor`. */
function tableOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}

function required(node: XmlNode): string {
  const text = trimmed(node);
  if (text === '') throw new NodeProblem(node.name, 'is empty');
  return text;
}

function decimal(node: XmlNode): number {
  const text = trimmed(node);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new NodeProblem(node.name, `must be a number, not ${quote(text)}`);
  return Number(text);
}

function whole(node: XmlNode): number {
  const value = decimal(node);
  if (!Number.isInteger(value)) throw new NodeProblem(node.name, `must be a whole number, not ${quote(trimmed(node))}`);
  return value;
}

/** A number of euros or square metres: 250.000 is 250 to some programs and 250000 to others. */
function amount(node: XmlNode): number {
  const value = decimal(node);
  const text = trimmed(node);
  if (/\.\d{3}$/.test(text)) throw new NodeProblem(node.name, `must not have three decimals, as ${quote(text)} has`);
  return value;
}

function squareMetres(node: XmlNode): number {
  return Math.round(amount(node));
}

function price(node: XmlNode): number | null {
  return required(node).toLowerCase() === 'x' ? null : amount(node);
}

function frequency(node: XmlNode): Frequency {
  const text = required(node).toLowerCase();
  const known = FREQUENCIES.get(text);
  if (known === undefined) throw new NodeProblem(node.name, `must be sale, month or week, not ${quote(text)}`);
  return known;
}

const FREQUENCIES = tableOf<Frequency>({
  sale: 'sale',
  month: 'month',
  rent: 'month',
  rentlong: 'month',
  week: 'week',
  rentshort: 'week',
});

function status(node: XmlNode): Part {
  const text = words(trimmed(node)).toLowerCase();
  const known = STATUSES.get(text);
  if (known === undefined) {
    throw new NodeProblem(node.name, `must be one of ${[...STATUSES.keys()].join(', ')}, not ${quote(text)}`);
  }
  return { status: known };
}

const STATUSES = tableOf<NonNullable<Input['status']>>({
  available: 'Available',
  'for sale': 'Available',
  'for rent': 'Available',
  'under offer': 'Under Offer',
  reserved: 'Sale Agreed',
  'sale agreed': 'Sale Agreed',
  sold: 'Sold',
  withdrawn: 'Withdrawn',
});

function flag(field: 'new_build' | 'has_pool'): Reader {
  return (node) => {
    const text = trimmed(node);
    if (text !== '' && text !== '0' && text !== '1')
      throw new NodeProblem(node.name, `must be 0 or 1, not ${quote(text)}`);
    return { [field]: text === '1' };
  };
}

/** A date before 1970 is the zero of some program, for one that it does not know: 0000-00-00, 0001-01-01, 1900-01-01. */
function date(node: XmlNode, reading: KyeroReading): Part {
  const text = trimmed(node);
  if (text === '') return {};
  if (/^\d{4}-\d\d-\d\d/.test(text) && text < '1970') {
    reading.ignored(node.name, node.line);
    return {};
  }
  return { source_changed_at: time(node) };
}

/** `YYYY-MM-DD hh:mm:ss`, taken as UTC. */
function time(node: XmlNode): string {
  const text = trimmed(node);
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(text);
  const parsed = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}Z`);
  // A day that its month does not have is counted on into the next one.
  if (Number.isNaN(parsed) || (match?.[2] !== '24:00:00' && !isoTime(parsed / 1000).startsWith(String(match?.[1])))) {
    throw new NodeProblem(node.name, `must be a time as 2026-05-01 09:30:00, not ${quote(text)}`);
  }
  if (parsed >= YEAR_10000) {
    throw new NodeProblem(node.name, `must lie before the year 10000, not ${quote(text)}`);
  }
  return isoTime(parsed / 1000);
}

const YEAR_10000 = Date.UTC(10_000, 0);

/** Children with one of these names; others are told of, and so is text beside them. */
function childrenNamed(node: XmlNode, names: readonly string[], reading: KyeroReading): XmlNode[] {
  if (ownText(node) !== '') reading.ignored(node.name, node.line);
  return node.children.filter((child) => {
    if (names.includes(child.name)) return true;
    if (!isEmpty(child)) reading.ignored(`${node.name}/${child.name}`, child.line);
    return false;
  });
}

/** Such children by name, where each may stand once. */
function childrenOf<Name extends string>(
  node: XmlNode,
  names: readonly Name[],
  reading: KyeroReading,
): Partial<Record<Name, XmlNode>> {
  const found: Partial<Record<string, XmlNode>> = {};
  for (const child of childrenNamed(node, names, reading)) {
    if (found[child.name] !== undefined) {
      throw new NodeProblem(`${node.name}/${child.name}`, 'is given twice');
    } else if (trimmed(child) !== '') {
      found[child.name] = child;
    }
  }
  return found as Partial<Record<Name, XmlNode>>;
}

function location(node: XmlNode, reading: KyeroReading): Part {
  const { latitude, longitude } = childrenOf(node, ['latitude', 'longitude'], reading);
  if (latitude === undefined && longitude === undefined) return {};
  if (latitude === undefined || longitude === undefined) {
    throw new NodeProblem(node.name, 'must have a latitude and a longitude');
  }
  return { location: { latitude: decimal(latitude), longitude: decimal(longitude) } };
}

function surface(node: XmlNode, reading: KyeroReading): Part {
  const { built, plot, terrace } = childrenOf(node, ['built', 'plot', 'terrace'], reading);
  return {
    ...(built ? { built_area: squareMetres(built) } : {}),
    ...(plot ? { plot_area: squareMetres(plot) } : {}),
    ...(node.children.some(({ name }) => name === 'terrace') ? { terrace_area: terrace && squareMetres(terrace) } : {}),
  };
}

function energy(node: XmlNode, reading: KyeroReading): Part {
  const { consumption, emissions } = childrenOf(node, ['consumption', 'emissions'], reading);
  return {
    ...(consumption ? { consumption: letter(consumption) } : {}),
    ...(emissions ? { emissions: letter(emissions) } : {}),
  };
}

function letter(node: XmlNode): NonNullable<Input['emissions']> {
  const text = trimmed(node).toUpperCase();
  if (!/^[A-GX]$/.test(text))
    throw new NodeProblem(`energy_rating/${node.name}`, `must be A to G or X, not ${quote(text)}`);
  return text as NonNullable<Input['emissions']>;
}

/** Kyero's languages that a feed has: its `en` is the feed's `uk`. */
const LANGUAGE_OF: ReadonlyMap<string, LanguageElement> = new Map(
  LANGUAGES.map(({ element }) => [element === 'uk' ? 'en' : element, element]),
);

/** The texts of a node that has one child a language. */
function perLanguage(node: XmlNode, reading: KyeroReading): Texts {
  if (ownText(node) !== '') throw new NodeProblem(node.name, 'must hold one child per language, not text');
  const found = new Map<LanguageElement, string>();
  for (const child of node.children) {
    const language = LANGUAGE_OF.get(child.name);
    if (trimmed(child) === '') continue;
    if (language === undefined) reading.ignored(`${node.name}/${child.name}`, child.line);
    else if (found.has(language)) throw new NodeProblem(`${node.name}/${child.name}`, 'is given twice');
    else found.set(language, trimmed(child));
  }
  return found;
}

function features(node: XmlNode, reading: KyeroReading): string[] {
  const list = childrenNamed(node, ['feature'], reading).flatMap((child): FeatureName[] => {
    const text = ownText(child);
    if (text !== '') return [{ name: text }];
    const labels = [...perLanguage(child, reading)].map(([language, label]) => [language, words(label)] as const);
    const [name] = labels.toSorted(([a], [b]) => Number(b === 'uk') - Number(a === 'uk'));
    return name === undefined ? [] : [{ name: name[1], labels: Object.fromEntries(labels) }];
  });
  return reading.vocabulary.features(list);
}

/** Addresses in the order of their numbers; those with equal numbers, and without, as they stand. */
function pictures(node: XmlNode, reading: KyeroReading): string[] {
  const numbered = childrenNamed(node, ['image'], reading).flatMap((child) => {
    const { url } = childrenOf(child, ['url'], reading);
    const address = url === undefined ? '' : trimmed(url);
    const number = Number.parseInt(child.attributes.id ?? '', 10);
    return address === '' ? [] : [{ address, number: Number.isNaN(number) ? Number.POSITIVE_INFINITY : number }];
  });
  return numbered.sort((a, b) => (a.number === b.number ? 0 : a.number - b.number)).map(({ address }) => address);
}

function quote(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}
