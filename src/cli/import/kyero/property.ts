import {
  DocumentError,
  type DocumentProblem,
  type PropertyDocument,
  parseDocument,
} from '../../../portfolio/documents.ts';
import type { SourceRecord } from '../record.ts';
import { isEmpty, type XmlNode } from './element.ts';
import { type KyeroReading, NODES, NodeProblem, type Part, type Texts } from './nodes.ts';

/**
 * A `property` of a Kyero v3 feed. Fields that the format has no node for are left open; so are those of nodes that some
 * programs add, where the record does not have them.
 */
export function kyeroProperty(node: XmlNode, reading: KyeroReading): SourceRecord {
  const problems: DocumentProblem[] = [];
  const found: Part = {};
  const met = new Set<string>();
  const attempt = (node: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (error instanceof DocumentError) problems.push({ field: node, detail: error.message });
      else if (error instanceof NodeProblem) problems.push({ field: error.field, detail: error.message });
      else throw error;
    }
  };
  for (const child of node.children) {
    const read = NODES.get(child.name);
    for (const name of Object.keys(child.attributes)) reading.ignored(`${child.name}@${name}`, child.line);
    attempt(child.name, () => {
      if (read === undefined) {
        if (!isEmpty(child)) reading.ignored(child.name, child.line);
      } else if (met.has(child.name)) {
        throw new NodeProblem(child.name, 'is given twice');
      } else {
        met.add(child.name);
        Object.assign(found, read(child, reading));
      }
    });
  }
  for (const name of REQUIRED) {
    if (!met.has(name)) problems.push({ field: name, detail: 'is missing' });
  }
  if (problems.length > 0) return { line: node.line, id: found.id ?? null, problems };
  return completed(node.line, found, reading);
}

/** Nodes without which a record says too little to be taken. */
const REQUIRED = ['id', 'ref', 'price', 'price_freq', 'type', 'town', 'province'];

function completed(line: number, part: Part, { now }: KyeroReading): SourceRecord {
  const { frequency, price = null, descriptions = NONE, addresses = NONE, ...found } = part;
  const given = {
    kind: 'property',
    status: 'Available',
    listed_at: found.source_changed_at ?? now,
    ...found,
    texts: Object.fromEntries(
      [...new Set([...descriptions.keys(), ...addresses.keys()])].map((language) => [
        language,
        { description: descriptions.get(language) ?? null, url: addresses.get(language) ?? null },
      ]),
    ),
    offers:
      frequency === 'sale'
        ? { sale: { price } }
        : frequency === 'month'
          ? { long_term: { rent: price } }
          : { short_term: { low: price, high: null } },
  };
  try {
    return {
      line,
      document: parseDocument(given),
      open: [...NEVER_SAID, ...SOMETIMES_SAID.filter((name) => !(name in found))],
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { line, id: found.id ?? null, problems: error.problems };
  }
}

const NONE: Texts = new Map();

const NEVER_SAID: readonly (keyof PropertyDocument)[] = [
  'unit',
  'rented',
  'on_own_website',
  'on_other_websites',
  'listed_at',
  'has_garden',
  'has_garage',
];

/** What some programs add to the format. */
const SOMETIMES_SAID: readonly (keyof PropertyDocument)[] = [
  'status',
  'postcode',
  'terrace_area',
  'living_area',
  'built_year',
  'community_fees',
  'garbage_tax',
  'ibi_fees',
  'cadastral_ref',
  'virtual_tour_url',
  'video_url',
];
