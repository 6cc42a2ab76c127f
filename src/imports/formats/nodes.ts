import { fitsInto } from '../../properties/checks.ts';
import {
  type PortfolioDocumentInput,
  type PropertyDocument,
  propertySchema,
} from '../../properties/documents.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { readLocation } from '../values/coordinates.ts';
import type { Understood } from '../values/interpretation.ts';
import { AMOUNT, COUNT, readArea, readBaths, readNumber, readWhole } from '../values/number.ts';
import {
  readCurrency,
  readEnergyLetter,
  readEnergyStatus,
  readFlag,
  readPresence,
  readStatus,
} from '../values/words.ts';
import {
  emptyAbsent,
  inEnglish,
  isEmpty,
  ownText,
  trimmed,
  words,
  type XmlNode,
} from '../xml/node.ts';
import {
  channelsOf,
  childrenByName,
  childrenWithNames,
  joined,
  optionalValue,
  understoodValue,
} from '../xml/reading.ts';
import { fieldsOf, type NodeKind } from './fields.ts';

export type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** The fields that nodes of a record give; `undefined` means an empty node: the field has no value. */
export type Part = { [Key in keyof Input]?: Input[Key] | undefined } & {
  /** The terrace that the built area names: `50 + 75 terrace`. */
  terrace?: number;
};

/** @param path the node's path below its record, for reports; by default its name */
export type Reader = (node: XmlNode, reporting: Reporting, path?: string) => Part;

interface RecordFormat {
  /** The imported nodes, by name. */
  readonly nodes: ReadonlyMap<string, Reader>;
  /** Other names that programs use for nodes, and the names of the format. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Fields that have no value if a record lacks their nodes; all others then keep their stored values. */
  readonly required: ReadonlySet<string>;
}

/** A node whose interpreted value is stored; an unreadable one leaves the field open. */
export function read(
  field: keyof Input,
  understand: (text: string) => Understood<unknown>,
): Reader {
  return (node, reading, path = node.name) => {
    const value = optionalValue(reading, path, node, understand);
    return value === undefined && trimmed(node) !== '' ? {} : { [field]: value };
  };
}

/** A URL, plain or from an HTML element that embeds it. */
function link(field: keyof Input): Reader {
  return (node, reading) => {
    const embedded = node.children.find(({ attributes }) => attributes.src ?? attributes.href);
    const texts = [ownText(node), ...node.children.map(trimmed)].filter((text) => text !== '');
    const text = embedded
      ? `<iframe src="${embedded.attributes.src ?? embedded.attributes.href}">`
      : texts.join(' ');
    return read(field, readLink)({ ...node, children: [], text }, reading);
  };
}

const BETWEEN_URLS = /(?<![\s,;|])[\s,;|]+(?=(?:https?:)?\/\/)/i;

/** A URL, plain or extracted from markup that embeds it. */
function readLink(text: string): Understood<string> {
  const embedded =
    /<(?:iframe|a|embed|video|source)\b[^>]*?\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(
      text,
    );
  const found = embedded?.slice(1).find((part) => part !== undefined);
  if (found !== undefined) return { value: loadable(found.trim()), how: 'link_extracted' };
  const [first, ...others] = text.split(BETWEEN_URLS);
  if (others.length > 0) return { value: loadable(first!), how: 'first_of_several' };
  const value = loadable(text);
  return value === text ? { value } : { value, how: 'spelling' };
}

/** A URL with its scheme, and without the second escape of ampersands that are escaped twice: WordPress writes `&#038;`. */
function loadable(address: string): string {
  return address.replace(/^(\/\/|(?=www\.))/i, 'https://').replaceAll(/&(amp|#0*38);/g, '&');
}

/** @param isOwn whether coordinates in the form of this service's feed are stored as they are, plausible or not */
export function location(isOwn: boolean): Reader {
  return (node, reporting) => {
    const { latitude, longitude } = childrenByName(node, ['latitude', 'longitude'], reporting);
    const [north, east] = [trimmed(latitude), trimmed(longitude)];
    if (north === '' && east === '') return { location: null };
    const given = { latitude: Number(north), longitude: Number(east) };
    const isComplete =
      north !== '' &&
      east !== '' &&
      Math.abs(given.latitude) <= 90 &&
      Math.abs(given.longitude) <= 180;
    const understood = isOwn && isComplete ? { value: given } : readLocation(north, east);
    return {
      location:
        understoodValue(reporting, node.name, node, understood, `${north}, ${east}`) ?? null,
    };
  };
}

const KINDS: Readonly<Record<Exclude<NodeKind, 'text'>, (field: keyof Input) => Reader>> = {
  flag: (field) => read(field, readFlag),
  presence: (field) => (node, reading) => read(field, readPresence)(inEnglish(node), reading),
  amount: (field) => read(field, (text) => readNumber(text, AMOUNT)),
  area: (field) => read(field, readArea),
  year: (field) => read(field, (text) => readWhole(text, COUNT, Math.floor)),
  link,
};

/** Other names of areas, in feeds of new developments. */
const AREAS: Readonly<Record<string, string>> = {
  built_m2: 'built',
  plot_m2: 'plot',
  terrace_m2: 'terrace',
  usable_living_area_m2: 'living_area',
  useful: 'living_area',
};

/** Nodes that are read in the same way in every format. */
const COMMON: Readonly<Record<string, Reader>> = {
  id: () => ({}),
  currency: read('currency', readCurrency),
  beds: read('beds', (text) =>
    /^(studio|estudio)\b/i.test(text)
      ? { value: 0, how: 'spelling' }
      : readWhole(text, COUNT, Math.floor),
  ),
  baths: read('bath', readBaths),
  built(node, reading, path) {
    const found = /\+\s*(\d{1,4})\s*(?:m2|m²|m|sqm)?\s*(?:terra[cz]|terras)/i.exec(
      words(trimmed(node)),
    )?.[1];
    const area = read('built_area', readArea)(node, reading, path);
    return found === undefined ? area : { ...area, terrace: Number(found) };
  },
  plot: read('plot_area', readArea),
  terrace: read('terrace_area', readArea),
  living_area: read('living_area', readArea),
  surface_area(node, reading) {
    if (node.children.length === 0)
      return { built_area: optionalValue(reading, node.name, node, readArea) ?? null };
    const children = node.children.map((child) => ({
      ...child,
      name: AREAS[child.name] ?? child.name,
    }));
    const areas = childrenByName(
      { ...node, children },
      ['built', 'plot', 'terrace', 'living_area'],
      reading,
    );
    const parts = Object.entries(areas).map(([name, area]) =>
      COMMON[name]!(area, reading, `${node.name}/${name}`),
    );
    return Object.assign({}, ...parts);
  },
  /** A rating of unspecified kind is the consumption rating, which is the one that advertisements show. */
  energy_rating(node, reading) {
    const letter = (path: string, from: XmlNode | undefined) =>
      optionalValue(reading, path, from, readEnergyLetter);
    if (node.children.length === 0)
      return { consumption: letter(node.name, node), ...energyStatus(node) };
    const { consumption, emissions } = childrenByName(node, ['consumption', 'emissions'], reading);
    return {
      ...energyStatus(node),
      consumption: letter(`${node.name}/consumption`, consumption),
      emissions: letter(`${node.name}/emissions`, emissions),
    };
  },
  status: (node, reading) => optionalValue(reading, node.name, node, readStatus) ?? {},
  channels: (node, reading) => ({ channels: channelsOf(node, reading) }),
  images: (node, reading) => ({ pictures: picturesOf(node, reading) }),
};

/** Maximum length of a URL in bytes, maximum number of pictures of a property, and the place of a floor plan among them. */
const MAX_ADDRESS_BYTES = 1024;
const MAX_PICTURES = 1000;
const FLOOR_PLAN = Number.MAX_VALUE;

/** URLs in the order of their ids, then those without, and floor plans at the end; otherwise in the order of the file. */
function picturesOf(node: XmlNode, reporting: Reporting): string[] {
  const addresses = new Set<string>();
  const isList = node.children.length === 0 && node.text.includes('//');
  const images = isList
    ? [node]
    : childrenWithNames(node, ['image', 'url', 'photo', 'picture'], reporting);
  const numbered = images.map((image) => ({ image, number: numberOf(image) }));
  for (const { image, number } of numbered.sort((a, b) => a.number - b.number)) {
    if (number === FLOOR_PLAN)
      reporting.interpreted('images/image', 'floor_plan', image.line, '', '');
    for (const address of addressesOf(image, reporting)) {
      if (addresses.has(address))
        reporting.interpreted('images/image', 'repeated', image.line, address, address);
      addresses.add(address);
    }
  }
  const { size } = addresses;
  if (size > MAX_PICTURES)
    reporting.interpreted(node.name, 'too_many', node.line, `${size}`, MAX_PICTURES);
  return [...addresses].slice(0, MAX_PICTURES);
}

function numberOf({ attributes, children }: XmlNode): number {
  if (children.some((child) => child.name === 'tags' && /floor[ _-]?plan/i.test(trimmed(child))))
    return FLOOR_PLAN;
  const number = Number.parseInt(attributes.id ?? '', 10);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}

/** A URL that needs no interpretation, as nearly all pictures have: a file has more of them than of anything else. */
const PLAIN_ADDRESS = /^https?:\/\/[^\s,;|#]{1,240}$/;

/** The URL of a picture: in an element of its own, as text, or in an attribute; or several, separated by commas or spaces. */
function addressesOf(image: XmlNode, reporting: Reporting): string[] {
  const only =
    image.children.length === 1 && image.children[0]!.name === 'url'
      ? trimmed(image.children[0])
      : '';
  if (PLAIN_ADDRESS.test(only)) return [only];
  const names = numberOf(image) === FLOOR_PLAN ? (['url', 'tags'] as const) : (['url'] as const);
  const { url } = childrenByName({ ...image, name: 'images/image', text: '' }, names, reporting);
  const text = trimmed(url);
  const { attributes } = image;
  const given =
    text || ownText(image) || (attributes.url ?? attributes.src ?? attributes.href ?? '').trim();
  const all = given.split(BETWEEN_URLS).map(loadable);
  if (all.join() !== text)
    reporting.interpreted('images/image', 'spelling', image.line, given, all.join(' '));
  return all.flatMap((complete) => {
    // Feeds of this service append the fragment to the URL of a picture without the name of an image.
    const lines = complete.split('\n').map((line) => line.trim());
    const address = lines.join('').replace(/#\.jpg$/, '');
    if (fitsInto(address, MAX_ADDRESS_BYTES)) return address || [];
    reporting.interpreted('images/image', 'out_of_bounds', image.line, address, undefined);
    return [];
  });
}

/** Why there is no letter; nothing if a text has neither letter nor reason, such as the X of a feed without ratings. */
function energyStatus({ children, text }: XmlNode): Part {
  const texts = [text.trim(), ...children.map(trimmed)].filter((one) => one !== '');
  if (texts.some((one) => /^[A-G]$/.test(readEnergyLetter(one).value ?? '')))
    return { energy_status: null };
  const status = texts.map(readEnergyStatus).find((one) => one !== null);
  return status === undefined ? {} : { energy_status: status };
}

/** Fields that have no value if a record lacks their nodes, in every format. */
const REQUIRED: readonly (keyof PropertyDocument)[] = [
  ...([
    'kind',
    'id',
    'ref',
    'type',
    'source_changed_at',
    'currency',
    'beds',
    'bath',
    'built_area',
  ] as const),
  ...(['plot_area', 'offers', 'texts', 'pictures', 'features', 'channels'] as const),
];

/**
 * Describes a format: nodes that every format has, those of the table of fields, which are one value of one field, and its own.
 *
 * @param together the names of nodes that are read together with others
 */
export function recordFormat(
  format: 'kyero' | 'resales',
  text: (field: keyof Input) => Reader,
  own: Readonly<Record<string, Reader>>,
  together: readonly string[],
  aliases: Readonly<Record<string, string>>,
  required: readonly (keyof PropertyDocument)[],
): RecordFormat {
  const [nodes, names] = [
    new Map(Object.entries(COMMON)),
    new Map(Object.entries({ ...AREAS, ...aliases })),
  ];
  const always = new Set<string>([...REQUIRED, ...required]);
  for (const { field, as, node } of fieldsOf(format)) {
    const { name, others, isRequired } = node;
    if (!nodes.has(name)) nodes.set(name, as === 'text' ? text(field) : KINDS[as](field));
    for (const other of others) names.set(other, name);
    if (isRequired) always.add(field);
  }
  for (const [name, reader] of Object.entries(own)) nodes.set(name, reader);
  for (const name of together) nodes.set(name, () => ({}));
  return { nodes, aliases: names, required: always };
}

/** A record's imported nodes, by the names of its format. */
export type Nodes = ReadonlyMap<string, XmlNode>;

/**
 * Reads a record: its identifier, else its reference, or nothing; its imported nodes; and the fields that they give. Other nodes
 * are reported.
 */
export function readRecord(record: XmlNode, format: RecordFormat, reporting: Reporting) {
  const nodes = nodesOf(record, format, reporting);
  const [id, ref] = [trimmed(nodes.get('id')), trimmed(nodes.get('ref'))];
  if (id === '' && ref !== '') reporting.interpreted('id', 'missing', record.line, '', ref);
  const part: Record<string, unknown> = {};
  // Of several nodes that give a field, the first one with a value.
  for (const [name, node] of nodes) {
    for (const [key, value] of Object.entries(format.nodes.get(name)!(node, reporting)))
      part[key] ??= value;
  }
  const { terrace, ...fields } = part as Part;
  if (terrace !== undefined) fields.terrace_area ??= terrace;
  return { id: id || ref, nodes, fields };
}

/** Nodes that some programs write outside the node they belong in, with the name of that node. */
const CONTAINERS = new Map([
  ...['latitude', 'longitude'].map((name) => [name, 'location'] as const),
  ...['communal_pool', 'private_pool'].map((name) => [name, 'features'] as const),
  ['image', 'images'],
]);

/** Nodes that some programs put inside another one: the parts of a place, and whether there is a pool. */
const GROUPED =
  /^((address|location)\/(town|city)|location\/(address|postcode|postal_code|zip)|pools\/pool)$/;

function nodesOf(
  record: XmlNode,
  { nodes: readers, aliases }: RecordFormat,
  reporting: Reporting,
): Nodes {
  const nodes = new Map<string, XmlNode>();
  const add = (name: string, node: XmlNode) =>
    nodes.set(name, joined(name, nodes.get(name), node, reporting));
  emptyAbsent(record);
  const isGroup = ({ name, children }: XmlNode) =>
    children.some((child) => GROUPED.test(`${name}/${child.name}`));
  const [groups, others] = [
    record.children.filter(isGroup),
    record.children.filter((child) => !isGroup(child)),
  ];
  for (const given of [...others, ...groups.flatMap(({ children }) => children)]) {
    const isMoreFeatures = /^(extra_features|views)$/.test(given.name) && given.children.length > 0;
    const name = isMoreFeatures ? 'features' : (aliases.get(given.name) ?? given.name);
    const container = CONTAINERS.get(name);
    if (container !== undefined && readers.has(container)) {
      add(container, { ...given, name: container, attributes: {}, children: [given], text: '' });
    } else if (readers.has(name)) {
      const child = withLanguageChild({ ...given, name });
      for (const attribute of Object.keys(child.attributes))
        reporting.ignored(`${given.name}@${attribute}`, given.line);
      add(name, child);
    } else if (!isEmpty(given)) reporting.ignored(given.name, given.line);
  }
  return nodes;
}

/** Converts an element of texts with its language in an attribute to one with a child for the language. */
function withLanguageChild(node: XmlNode): XmlNode {
  if (!['desc', 'title', 'url'].includes(node.name)) return node;
  const { language, lang, 'xml:lang': xmlLang, ...attributes } = node.attributes;
  const name = language ?? lang ?? xmlLang;
  if (name === undefined || node.children.some((child) => child.name === name)) return node;
  return { ...node, attributes, text: '', children: [{ ...node, name, attributes: {}, at: 0 }] };
}

/** The fields that a record leaves unspecified: their stored values remain. */
export function openFields(given: Part, { required }: RecordFormat): (keyof PropertyDocument)[] {
  const all = Object.keys(propertySchema.shape) as (keyof PropertyDocument)[];
  return all.filter((field) => !required.has(field) && !(field in given));
}
