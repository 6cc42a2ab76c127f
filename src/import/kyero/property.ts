import {
  DocumentError,
  type DocumentProblem,
  type PropertyDocument,
  parseDocument,
} from '../../portfolio/documents.ts';
import { IMPORTED_FIELDS } from '../../portfolio/property-fields.ts';
import { DEFAULT_TYPE } from '../names/names.ts';
import type { BadRecord, ValidRecord } from '../record.ts';
import { optionalValue } from '../results/notes.ts';
import { withoutSuffix } from '../values/identifier.ts';
import { INTERPRETATIONS } from '../values/interpretation.ts';
import { currencyBeside, readPrice } from '../values/price.ts';
import { emptyAbsent, isEmpty, ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { withinBounds } from './bounds.ts';
import { joined } from './children.ts';
import { ALIASES, type Input, NODES, type Part } from './nodes.ts';
import type { KyeroReading } from './reading.ts';
import { failsStrict, strictDetail } from './strict.ts';
import { type Texts, withLanguageChild } from './texts.ts';

/**
 * Reads a `property` of a Kyero v3 feed. Fields without a node in the format are left open, and so are those of nodes
 * that only some programs write if the record lacks them. A record without an identifier is rejected; in strict mode,
 * so is one whose nodes had to be interpreted.
 */
export function kyeroProperty(node: XmlNode, reading: KyeroReading, strict: boolean): ValidRecord | BadRecord {
  const problems: DocumentProblem[] = [];
  emptyAbsent(node);
  const type = node.children.find(({ name }) => name === 'type');
  const watched: KyeroReading = {
    ...reading,
    type: trimmedOf(type),
    interpreted(path, kind, line, text, as) {
      if (strict && failsStrict(path, kind)) problems.push({ field: path, detail: strictDetail(kind, text) });
      reading.interpreted(path, kind, line, text, as);
    },
  };
  const nodes = nodesByName(node, watched);
  const [own, ref] = [trimmedOf(nodes.get('id')), trimmedOf(nodes.get('ref'))];
  const id = own || ref;
  if (id === '') return bad(node, null, [{ field: 'id', detail: 'is missing' }]);
  if (own === '') watched.interpreted('id', 'missing', node.line, '', id);
  const part: Part = { id };
  for (const [name, child] of nodes) Object.assign(part, NODES.get(name)!(child, watched));
  if (part.terrace !== undefined) part.terrace_area ??= part.terrace;
  if (part.hasFeatures) addAmenities(part, reading);
  if (strict && part.province === undefined) problems.push({ field: 'province', detail: INTERPRETATIONS.missing });
  const given = propertyOf(node, nodes, part, watched);
  const { document, problems: lasting } = parsed(given, node, watched);
  problems.push(...lasting);
  if (problems.length > 0 || document === null) return bad(node, id, problems);
  const said = (name: keyof PropertyDocument) =>
    name in part || (name === 'status' && part.featureStatus !== undefined);
  const open = [...NEVER_SAID, ...SOMETIMES_SAID.filter((name) => !said(name))];
  return { line: node.line, document, open, openTexts: part.titles === undefined ? ['title'] : [], limited: true };
}

/** Adds fields that follow from features. */
function addAmenities(part: Part, { vocabulary }: KyeroReading): void {
  const { pool, garden, garage } = vocabulary.amenities(part.features ?? []);
  if (!('has_pool' in part)) part.has_pool = pool;
  if (!('has_garden' in part)) part.has_garden = garden;
  if (!('has_garage' in part)) part.has_garage = garage;
}

/** The document without values that cannot be stored, or the problems that reject the record. */
function parsed(given: Input, node: XmlNode, reading: KyeroReading): Parsed {
  const first = attempt(given);
  return first.document === null ? attempt(withinBounds(given, first.problems, node, reading)) : first;
}

interface Parsed {
  readonly document: PropertyDocument | null;
  readonly problems: readonly DocumentProblem[];
}

function attempt(given: Input): Parsed {
  try {
    return { document: parseDocument(given) as PropertyDocument, problems: [] };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { document: null, problems: error.problems };
  }
}

function bad({ line }: XmlNode, id: string | null, problems: readonly DocumentProblem[]): BadRecord {
  return { line, kind: 'property', id, problems };
}

/** The imported nodes under the names of the format; others are reported. */
function nodesByName(record: XmlNode, reading: KyeroReading): Map<string, XmlNode> {
  const nodes = new Map<string, XmlNode>();
  for (const given of record.children) {
    const name = ALIASES.get(given.name) ?? given.name;
    if (!NODES.has(name)) {
      if (COORDINATES.has(name)) addNode(nodes, 'location', within('location', given), reading);
      else if (!isEmpty(given)) reading.ignored(given.name, given.line);
      continue;
    }
    const child = TEXTS.has(name)
      ? withLanguageChild({ ...given, name })
      : name === given.name
        ? given
        : { ...given, name };
    for (const attribute of Object.keys(child.attributes)) reading.ignored(`${given.name}@${attribute}`, given.line);
    addNode(nodes, name, child, reading);
  }
  return nodes;
}

const TEXTS: ReadonlySet<string> = new Set(['desc', 'title', 'url']);
const COORDINATES: ReadonlySet<string> = new Set(['latitude', 'longitude']);

function addNode(nodes: Map<string, XmlNode>, name: string, node: XmlNode, reading: KyeroReading): void {
  const before = nodes.get(name);
  nodes.set(name, before === undefined ? node : joined(name, before, node, reading));
}

/** Coordinates directly in the record. */
function within(name: string, child: XmlNode): XmlNode {
  return { name, attributes: {}, line: child.line, at: 0, children: [child], text: '' };
}

function trimmedOf(node: XmlNode | undefined): string {
  return node === undefined ? '' : trimmed(node);
}

/** The fields of a document, with missing ones derived from others. */
function propertyOf(node: XmlNode, nodes: ReadonlyMap<string, XmlNode>, part: Part, reading: KyeroReading): Input {
  const { frequency, priceNode, perDay, descriptions, titles, addresses } = part;
  const subtype = part.subtype || part.featureSubtype;
  const missing = (path: string, as: unknown) =>
    reading.interpreted(path, 'missing', nodes.get(path)?.line ?? node.line, '', as);
  const category = frequency ?? 'sale';
  const changed = part.source_changed_at ?? null;
  const id = withoutSuffix(part.id!, category);
  if (part.ref === undefined) missing('ref', id);
  if (part.town === undefined && part.city === undefined) missing('town', '');
  if (!part.type) missing('type', subtype || DEFAULT_TYPE);
  if (trimmedOf(nodes.get('price_freq')) === '') missing('price_freq', 'sale');
  const price = perDay ? null : priceOf(priceNode, category, missing, reading);
  const sign = priceNode === undefined ? undefined : currencyBeside(ownText(priceNode));
  return {
    kind: 'property',
    status: part.featureStatus ?? 'Available',
    listed_at: changed ?? reading.now,
    ...(category === 'sale' ? { sale_updated_at: changed } : { rental_updated_at: changed }),
    ...fieldsIn(part),
    id,
    ref: refOf(part, id, category),
    town: part.town ?? part.city ?? '',
    province: part.province ?? '',
    type: reading.vocabulary.type(part.type || subtype || DEFAULT_TYPE, part.type ? subtype : undefined),
    ...(part.currency === undefined && sign !== undefined ? { currency: sign } : {}),
    texts: textsOf(descriptions, titles, addresses),
    offers:
      category === 'sale'
        ? { sale: { price } }
        : category === 'month'
          ? { long_term: { rent: price } }
          : { short_term: { low: price, high: null } },
  };
}

/** The reference of the property: a record whose id has the suffix of its offer may have it in its reference too. */
function refOf({ id: given, ref }: Part, id: string, frequency: 'sale' | 'month' | 'week'): string {
  if (ref === undefined) return id;
  return given === id ? ref : withoutSuffix(ref, frequency);
}

function priceOf(
  node: XmlNode | undefined,
  frequency: 'sale' | 'month' | 'week',
  missing: (path: string, as: unknown) => void,
  reading: KyeroReading,
): number | null {
  if (node === undefined || trimmed(node) === '') {
    missing('price', null);
    return null;
  }
  return optionalValue(reading, node.name, node, (text) => readPrice(text, frequency)) ?? null;
}

/** The fields of the document that a record has. */
function fieldsIn(part: Part): Partial<Input> {
  const fields: Record<string, unknown> = {};
  for (const name in part) {
    const value = part[name as keyof Part];
    if (value !== undefined && !DERIVED.has(name)) fields[name] = value;
  }
  return fields;
}

/** Values from which fields are derived. */
const DERIVED: ReadonlySet<string> = new Set<Exclude<keyof Part, keyof Input>>([
  ...(['frequency', 'priceNode', 'perDay', 'subtype', 'descriptions', 'titles', 'addresses', 'hasFeatures'] as const),
  ...(['featureStatus', 'featureSubtype', 'terrace', 'city'] as const),
]);

function textsOf(descriptions: Texts = NONE, titles: Texts = NONE, addresses: Texts = NONE): Input['texts'] {
  const languages = new Set([...descriptions.keys(), ...titles.keys(), ...addresses.keys()]);
  return Object.fromEntries(
    [...languages].map((language) => [
      language,
      {
        title: trimmedOf(titles.get(language)) || null,
        description: trimmedOf(descriptions.get(language)) || null,
        url: trimmedOf(addresses.get(language)) || null,
      },
    ]),
  );
}

const NONE: Texts = new Map();

/** Fields without a node. */
const NEVER_SAID: readonly (keyof PropertyDocument)[] = [
  ...(['unit', 'on_own_website', 'on_other_websites', 'restrictions', 'listed_at'] as const),
  // Many programs write the time of the file as the date of every record.
  ...(['sale_updated_at', 'rental_updated_at'] as const),
];

/** Fields of nodes that some programs add to the format, and fields that follow from features. */
const SOMETIMES_SAID: readonly (keyof PropertyDocument)[] = [
  ...(['status', 'rented', 'has_garden', 'has_garage', 'commission', 'energy_status'] as const),
  ...IMPORTED_FIELDS.filter(({ extension }) => extension).map(({ key }) => key),
];
