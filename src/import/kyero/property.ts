import {
  DocumentError,
  type DocumentProblem,
  type PropertyDocument,
  parseDocument,
} from '../../portfolio/documents.ts';
import { IMPORTED_FIELDS } from '../../portfolio/property-fields.ts';
import { DEFAULT_TYPE, type KyeroVocabulary } from '../names/names.ts';
import type { Notes } from '../notes.ts';
import type { BadRecord, ReadingOptions, ValidRecord } from '../record.ts';
import { INTERPRETATIONS, type InterpretationKind } from '../values/interpretation.ts';
import { readPrice } from '../values/number.ts';
import { currencyBeside, withoutSuffix } from '../values/words.ts';
import { emptyAbsent, isEmpty, ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { joined, optionalValue } from '../xml/reading.ts';
import { withinBounds } from './limits.ts';
import { type KyeroReading, type Texts, withLanguageChild } from './lists.ts';
import { ALIASES, type Input, NODES, type Part } from './nodes.ts';

/**
 * Reads a `property` of a Kyero v3 feed. Fields without a node in the format are left open, and so are those of nodes
 * that only some programs write if the record lacks them. A record without an identifier is rejected; in strict mode,
 * so is one whose nodes had to be interpreted.
 */
export function kyeroProperty(
  node: XmlNode,
  vocabulary: KyeroVocabulary,
  notes: Notes,
  { strict, now }: ReadingOptions,
): ValidRecord | BadRecord {
  const { line } = node;
  const problems: DocumentProblem[] = [];
  emptyAbsent(node);
  const reading: KyeroReading = {
    vocabulary,
    type: trimmed(node.children.find(({ name }) => name === 'type')),
    ignored: (path, at) => notes.ignored(path, at),
    interpreted(path, kind, at, text, as) {
      if (strict && failsStrict(path, kind)) {
        const given = text.length > 60 ? `${text.slice(0, 60)}…` : text;
        problems.push({ field: path, detail: `${given === '' ? '' : `"${given}": `}${INTERPRETATIONS[kind]}` });
      }
      notes.interpreted(path, kind, at, text, as);
    },
  };
  const nodes = nodesByName(node, reading);
  const id = trimmed(nodes.get('id')) || trimmed(nodes.get('ref'));
  const bad = (reasons: readonly DocumentProblem[]): BadRecord => ({
    line,
    kind: 'property',
    id: id || null,
    problems: reasons,
  });
  if (id === '') return bad([{ field: 'id', detail: 'is missing' }]);
  if (trimmed(nodes.get('id')) === '') reading.interpreted('id', 'missing', line, '', id);
  const part: Part = { id };
  for (const [name, child] of nodes) Object.assign(part, NODES.get(name)!(child, reading));
  if (part.terrace !== undefined) part.terrace_area ??= part.terrace;
  // A pool, a garden and a garage follow from features, unless they are stated.
  const amenities = part.hasFeatures ? vocabulary.amenities(part.features ?? []) : {};
  Object.assign(part, { ...amenities, ...part });
  if (strict && part.province === undefined) problems.push({ field: 'province', detail: INTERPRETATIONS.missing });
  const given = propertyOf(node, nodes, part, reading, now);
  const first = attempt(given);
  const last = 'kind' in first ? first : attempt(withinBounds(given, first, node, reading));
  if (!('kind' in last)) problems.push(...last);
  if (problems.length > 0 || !('kind' in last)) return bad(problems);
  const isSaid = (name: keyof PropertyDocument) =>
    name in part || (name === 'status' && part.featureStatus !== undefined);
  const open = [...NEVER_SAID, ...SOMETIMES_SAID.filter((name) => !isSaid(name))];
  return { line, document: last, open, openTexts: part.titles === undefined ? ['title'] : [], limited: true };
}

function attempt(given: Input): PropertyDocument | readonly DocumentProblem[] {
  try {
    return parseDocument(given) as PropertyDocument;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems;
  }
}

/** The imported nodes under the names of the format; others are reported. */
function nodesByName(record: XmlNode, reading: KyeroReading): Map<string, XmlNode> {
  const nodes = new Map<string, XmlNode>();
  const add = (name: string, node: XmlNode) => nodes.set(name, joined(name, nodes.get(name), node, reading));
  for (const given of record.children) {
    const name = ALIASES.get(given.name) ?? given.name;
    const { line } = given;
    if (name === 'latitude' || name === 'longitude') {
      add('location', { ...given, name: 'location', attributes: {}, children: [given], text: '' });
    } else if (NODES.has(name)) {
      const named = { ...given, name };
      const child = ['desc', 'title', 'url'].includes(name) ? withLanguageChild(named) : named;
      for (const attribute of Object.keys(child.attributes)) reading.ignored(`${given.name}@${attribute}`, line);
      add(name, child);
    } else if (!isEmpty(given)) reading.ignored(given.name, line);
  }
  return nodes;
}

/** The fields of a document, with missing ones derived from others. */
function propertyOf(
  node: XmlNode,
  nodes: ReadonlyMap<string, XmlNode>,
  part: Part,
  reading: KyeroReading,
  now: string,
): Input {
  const { frequency: category = 'sale', priceNode, perDay, subtype: own, city, terrace: _, ...others } = part;
  const { descriptions, titles, addresses, hasFeatures: __, featureStatus, featureSubtype, ...fields } = others;
  const subtype = own || featureSubtype;
  const missing = (path: string, as: unknown) =>
    reading.interpreted(path, 'missing', nodes.get(path)?.line ?? node.line, '', as);
  const changed = part.source_changed_at ?? null;
  const id = withoutSuffix(part.id!, category);
  if (part.ref === undefined) missing('ref', id);
  if (part.town === undefined && city === undefined) missing('town', '');
  if (!part.type) missing('type', subtype || DEFAULT_TYPE);
  if (trimmed(nodes.get('price_freq')) === '') missing('price_freq', 'sale');
  if (!perDay && trimmed(priceNode) === '') missing('price', null);
  const price = perDay
    ? null
    : (optionalValue(reading, 'price', priceNode, (text) => readPrice(text, category)) ?? null);
  const sign = priceNode === undefined ? undefined : currencyBeside(ownText(priceNode));
  return {
    kind: 'property',
    status: featureStatus ?? 'Available',
    listed_at: changed ?? now,
    ...(category === 'sale' ? { sale_updated_at: changed } : { rental_updated_at: changed }),
    ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Input>),
    id,
    // A record whose id has the suffix of its offer may have it in its reference too.
    ref: part.ref === undefined || part.id === id ? (part.ref ?? id) : withoutSuffix(part.ref, category),
    town: part.town ?? city ?? '',
    province: part.province ?? '',
    type: reading.vocabulary.type(part.type || subtype || DEFAULT_TYPE, part.type ? subtype : undefined),
    ...(part.currency === undefined && sign !== undefined ? { currency: sign } : {}),
    texts: textsOf({ title: titles, description: descriptions, url: addresses }),
    offers: {
      sale: category === 'sale' ? { price } : null,
      long_term: category === 'month' ? { rent: price } : null,
      short_term: category === 'week' ? { low: price, high: null } : null,
    },
  };
}

function textsOf(parts: Readonly<Record<'title' | 'description' | 'url', Texts | undefined>>): Input['texts'] {
  const { title, description, url } = parts;
  const languages = new Set([description, title, url].flatMap((texts) => [...(texts?.keys() ?? [])]));
  return Object.fromEntries(
    [...languages].map((language) => [
      language,
      Object.fromEntries(Object.entries(parts).map(([part, texts]) => [part, trimmed(texts?.get(language)) || null])),
    ]),
  );
}

/** Fields without a node. Many programs write the time of the file as the date of every record. */
const NEVER_SAID: readonly (keyof PropertyDocument)[] = [
  ...(['unit', 'on_own_website', 'on_other_websites', 'restrictions', 'listed_at'] as const),
  ...(['sale_updated_at', 'rental_updated_at'] as const),
];

/** Fields of nodes that some programs add to the format, and fields that follow from features. */
const SOMETIMES_SAID: readonly (keyof PropertyDocument)[] = [
  ...(['status', 'rented', 'has_garden', 'has_garage', 'commission', 'energy_status'] as const),
  ...IMPORTED_FIELDS.filter(({ extension }) => extension).map(({ key }) => key),
];

/** Nodes whose values `--strict` checks: those of the format's schema, and those that many programs add. */
const CHECKED: ReadonlySet<string> = new Set([
  ...['id', 'ref', 'date', 'price', 'currency', 'price_freq', 'new_build', 'type', 'town', 'province', 'country'],
  ...['location', 'location_detail', 'beds', 'baths', 'pool', 'surface_area', 'energy_rating', 'url', 'desc'],
  ...['features', 'images', 'status', 'postcode', 'catastral', 'virtual_tour_url', 'video_url', 'community_fees'],
  ...['garbage_tax', 'ibi_fees', 'living_area', 'built_year', 'texts', 'pictures', 'area'],
]);

/** Interpretations that `--strict` allows. */
const ALLOWED: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  ...(['no_date', 'no_coordinates', 'coordinates_swapped', 'link_extracted', 'text_split', 'language'] as const),
]);

/** Whether a record is rejected with `--strict` because a node was interpreted. */
function failsStrict(path: string, kind: InterpretationKind): boolean {
  const isPicture = path === 'images/image' && (kind === 'spelling' || kind === 'repeated');
  return CHECKED.has(path.split(/[/.]/)[0]!) && !ALLOWED.has(kind) && !isPicture;
}
