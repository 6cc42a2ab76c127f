import type { PropertyDocument } from '../../properties/documents.ts';
import { propertySchema } from '../../properties/documents.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { areaUnit, COUNT, readBaths, readWhole } from '../values/number.ts';
import { readStatus } from '../values/status.ts';
import { readCurrency, readEnergyLetter, readEnergyStatus } from '../values/words.ts';
import { trimmed, words, type XmlNode } from '../xml/node.ts';
import { channelsOf, childrenByName, optionalValue } from '../xml/reading.ts';
import { decided, hasValue, isMeasureName, measureOf } from '../xml/value.ts';
import { type FieldName, type FieldNodes, fieldsOf } from './fields.ts';
import { picturesOf } from './pictures.ts';
import { area, type Input, KINDS, number, type Part, type Reader, read } from './readers.ts';

/**
 * A record's imported nodes, by the names of its format; the name of each is its path in the file,
 * below the record.
 */
export type Nodes = ReadonlyMap<string, XmlNode>;

export interface RecordFormat {
  /** The fields that have a node of their own. */
  readonly fields: readonly FieldName[];
  /** The imported nodes, by name. */
  readonly nodes: ReadonlyMap<string, Reader>;
  /** Other names that programs use for nodes, and the names of the format. */
  readonly aliases: ReadonlyMap<string, string>;
  /**
   * Fields that have no value if a record lacks their nodes; all others then keep their stored
   * values.
   */
  readonly required: ReadonlySet<string>;
}

/** Other names of areas, in feeds of new developments. */
const AREAS: Readonly<Record<string, string>> = {
  built_m2: 'built',
  plot_m2: 'plot',
  terrace_m2: 'terrace',
  usable_living_area_m2: 'living_area',
  useful: 'living_area',
};

/** The fields of areas by the nodes in which they are. */
const AREA_FIELDS = {
  built: 'built_area',
  plot: 'plot_area',
  terrace: 'terrace_area',
  living_area: 'living_area',
} as const satisfies Readonly<Record<string, keyof Input>>;

const BUILT_AND_TERRACE = /\+\s*(\d{1,4})\s*(?:m2|m²|m|sqm)?\s*(?:terra[cz]|terras)/i;

/** @param unit the unit of the element around it */
function builtArea(unit = ''): Reader {
  return (node, reporting, path) => {
    const found = BUILT_AND_TERRACE.exec(words(trimmed(node)))?.[1];
    const part = area('built_area', unit)(node, reporting, path);
    return found === undefined ? part : { ...part, terrace: Number(found) };
  };
}

/** Nodes that are read in the same way in every format. */
const COMMON: Readonly<Record<string, Reader>> = {
  id: () => ({}),
  currency: read('currency', readCurrency, decided(readCurrency)),
  beds: number('beds', (text) =>
    /^(studio|estudio)\b/i.test(text)
      ? { value: 0, how: 'spelling' }
      : readWhole(text, COUNT, Math.floor),
  ),
  baths: number('bath', readBaths),
  built: builtArea(),
  plot: area('plot_area'),
  terrace: area('terrace_area'),
  living_area: area('living_area'),
  surface_area(node, reporting) {
    const unit =
      measureOf(node) ||
      (Object.values(node.attributes).find((text) => areaUnit(text) !== undefined) ?? '');
    const children = node.children.filter((child) => !isMeasureName(child.name));
    if (children.length === 0) return area('built_area')(node, reporting);
    const names = Object.keys(AREA_FIELDS) as (keyof typeof AREA_FIELDS)[];
    const areas = childrenByName({ ...node, children }, names, reporting, AREAS);
    return merged(
      names.flatMap((name) => {
        const child = areas[name];
        if (child === undefined) return [];
        const reader = name === 'built' ? builtArea(unit) : area(AREA_FIELDS[name], unit);
        return reader(child, reporting, `${node.name}/${child.name}`);
      }),
    );
  },
  /**
   * A rating of unspecified kind is the consumption rating, which is the one that advertisements
   * show.
   */
  energy_rating(node, reporting) {
    const consumption = read('consumption', readEnergyLetter);
    if (node.children.length === 0)
      return merged([consumption(node, reporting), energyStatus(node)]);
    const found = childrenByName(node, ['consumption', 'emissions'], reporting);
    const letters = (['consumption', 'emissions'] as const).map((name) => {
      const child = found[name];
      const letter = read(name, readEnergyLetter);
      return child === undefined
        ? { [name]: undefined }
        : letter(child, reporting, `${node.name}/${name}`);
    });
    return merged([energyStatus(node), ...letters]);
  },
  status,
  channels: (node, reporting) => ({ channels: channelsOf(node, reporting) }),
  images: (node, reporting) => ({ pictures: picturesOf(node, reporting) }),
};

/**
 * A status. While it is unreadable, a property is not put on the market: that is reported as such.
 */
function status(node: XmlNode, reporting: Reporting): Part {
  if (!hasValue(node)) return {};
  const holdingBack: Reporting = {
    ignored: (path, line) => reporting.ignored(path, line),
    interpreted: (path, kind, ...more) =>
      reporting.interpreted(path, kind === 'unreadable' ? 'held_back' : kind, ...more),
  };
  const value = optionalValue(holdingBack, node.name, node, readStatus, decided(readStatus));
  return value ?? { unknown: ['status', 'rented'] };
}

/** What several nodes give together: the first value of each field. */
export function merged(parts: readonly Part[]): Part {
  const all: Part & Record<string, unknown> = {};
  const unknown: (keyof Input)[] = [];
  for (const part of parts as readonly (Part & Record<string, unknown>)[]) {
    if (part.unknown !== undefined) unknown.push(...part.unknown);
    for (const field in part) if (field !== 'unknown') all[field] ??= part[field];
  }
  if (unknown.length > 0) all.unknown = unknown.filter((field) => all[field] === undefined);
  return all;
}

/**
 * Why there is no letter; nothing if a text has neither letter nor reason, such as the X of a feed
 * without ratings.
 */
function energyStatus({ children, text }: XmlNode): Part {
  const texts = [text.trim(), ...children.map(trimmed)].filter((one) => one !== '');
  if (texts.some((one) => /^[A-G]$/.test(readEnergyLetter(one).value ?? '')))
    return { energy_status: null };
  const reason = texts.map(readEnergyStatus).find((one) => one !== null);
  return reason === undefined ? {} : { energy_status: reason };
}

/** Fields that have no value if a record lacks their nodes, in every format. */
const REQUIRED: readonly (keyof PropertyDocument)[] = [
  'kind',
  'id',
  'ref',
  'type',
  'source_changed_at',
  'currency',
  'beds',
  'bath',
  'built_area',
  'plot_area',
  'offers',
  'texts',
  'pictures',
  'features',
  'channels',
];

/**
 * Describes a format: nodes that every format has, those that are one value
 * of one field, and its own.
 *
 * @param text how texts are read
 * @param own the nodes that only this format has, or reads in another way
 * @param together the names of nodes that are read together with others
 */
export function recordFormat(
  fields: FieldNodes,
  text: (field: keyof Input) => Reader,
  own: Readonly<Record<string, Reader>>,
  together: readonly string[],
  aliases: Readonly<Record<string, string>>,
  required: readonly (keyof PropertyDocument)[],
): RecordFormat {
  const nodes = new Map(Object.entries(COMMON));
  const names = new Map(Object.entries({ ...AREAS, ...aliases }));
  const all = fieldsOf(fields);
  const always = new Set<string>([...REQUIRED, ...required]);
  for (const { field, as, node } of all) {
    const { name, others, isRequired } = node;
    if (!nodes.has(name)) nodes.set(name, as === 'text' ? text(field) : KINDS[as](field));
    for (const other of others) names.set(other, name);
    if (isRequired) always.add(field);
  }
  for (const [name, reader] of Object.entries(own)) nodes.set(name, reader);
  for (const name of together) nodes.set(name, () => ({}));
  return { fields: all.map(({ field }) => field), nodes, aliases: names, required: always };
}

/**
 * The fields that a record leaves unspecified, or that are unreadable: their stored values remain.
 */
export function openFields(given: Part, { required }: RecordFormat): (keyof PropertyDocument)[] {
  const all = Object.keys(propertySchema.shape) as (keyof PropertyDocument)[];
  return all.filter(
    (field) => given.unknown?.includes(field) || (!required.has(field) && !(field in given)),
  );
}
