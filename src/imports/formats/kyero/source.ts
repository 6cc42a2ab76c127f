import { message } from '../../../messages/messages.ts';
import type { PropertyDocument } from '../../../properties/documents.ts';
import { ImportError } from '../../pipeline/error.ts';
import { Vocabulary } from '../../pipeline/names.ts';
import type { Notes } from '../../pipeline/notes.ts';
import {
  EMPTY_SUMMARY,
  isBad,
  listingOf,
  type ReadingOptions,
  type Source,
  type ValidRecord,
} from '../../pipeline/record.ts';
import { spelling } from '../../values/interpretation.ts';
import { isEmpty, trimmed, type XmlNode } from '../../xml/node.ts';
import type { ImportFormat } from '../format.ts';
import { KYERO } from './format.ts';
import { FurtherOffers } from './further-offers.ts';
import { kyeroProperty } from './property.ts';

/** Kyero's format, in which most programs of agencies write feeds. */
export const KYERO_FORMAT: ImportFormat = {
  name: 'kyero',
  title: message('kyero'),
  mayRepeat: true,
  content: {
    kind: 'xml',
    element: 'kyero',
    isWrapper: true,
    record: 'property',
    ownNodes: [
      'date',
      'desc',
      'pool',
      'features',
      'new_build',
      'part_ownership',
      'leasehold',
      'location_detail',
    ],
    nodes: KYERO,
    records: kyeroRecords,
  },
};

const LANGUAGES = ['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv'];

const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/**
 * A Kyero feed of version 2 or 3: the version and one `property` per record. A record has one
 * price, so feeds have a record for each offer of a property: they become one.
 */
async function* kyeroRecords(
  elements: AsyncIterable<XmlNode>,
  options: ReadingOptions,
  notes: Notes,
): Source['records'] {
  const vocabulary = new Vocabulary(options.names);
  const provinces = new Provinces();
  const offers = new FurtherOffers(notes);
  let version: string | undefined;
  let hasRecords = false;
  const others: XmlNode[] = [];
  for await (const element of elements) {
    const { name } = element;
    if (name === 'feed_version') version = supported(trimmed(element));
    else if (name === 'property') {
      hasRecords = true;
      const record = kyeroProperty(element, vocabulary, notes, options);
      notes.belongTo(listingOf(record));
      if (!isBad(record)) {
        vocabulary.use(record.document as PropertyDocument);
        provinces.add(record);
      }
      if (isBad(record) || !offers.add(record)) yield record;
    } else if (!ABOUT_THE_FEED.has(name) && !isEmpty(element)) {
      notes.ignored(name, element.line);
      if (!hasRecords && others.length < MAX_OTHERS) others.push(element);
    }
  }
  if (!hasRecords) reportLikeRecords(others, notes);
  if (version === undefined) notes.interpreted('kyero/feed_version', 'missing', 1, '', '3');
  return {
    ...EMPTY_SUMMARY,
    vocabulary: vocabulary.entries(),
    unknownNames: vocabulary.unknownNames(),
    languages: LANGUAGES,
    completion: { provinces: provinces.found(notes), offers: offers.byId() },
  };
}

/** Of a file without records, the first elements that are kept, to say which of them looks like one. */
const MAX_OTHERS = 20;

/** Minimum number of nodes of records by which an element looks like one. */
const MIN_NODES = 4;

/** Reports the first element of each path that looks like a record, but is no `property`. */
function reportLikeRecords(elements: readonly XmlNode[], notes: Notes, parents = ''): void {
  for (const { name, line, children } of elements) {
    const path = parents + name;
    const known = children.filter((child) => KYERO.nodes.has(child.name));
    if (known.length >= MIN_NODES) notes.interpreted(path, 'misplaced', line, '', undefined);
    else reportLikeRecords(children, notes, `${path}/`);
  }
}

/** The provinces that records state for their towns, by the town's spelling. */
class Provinces {
  /** How many records state each. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #missing: { readonly town: string; readonly line: number }[] = [];

  add({ line, document }: ValidRecord): void {
    const { town, province } = document as PropertyDocument;
    const counts = this.#counts.get(spelling(town)) ?? new Map<string, number>();
    if (province === '') this.#missing.push({ town, line });
    else this.#counts.set(spelling(town), counts.set(province, (counts.get(province) ?? 0) + 1));
  }

  /**
   * For towns of records without a province, the one that most others state; each of these records
   * is reported.
   */
  found(notes: Notes): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { town, line } of this.#missing) {
      const counts = town === '' ? undefined : this.#counts.get(spelling(town));
      const [most] = [...(counts ?? [])].sort(([, a], [, b]) => b - a);
      if (most !== undefined) found[spelling(town)] = most[0];
      notes.interpreted(
        'province',
        most ? 'from_other_records' : 'missing',
        line,
        most ? town : '',
        most?.[0] ?? '',
      );
    }
    return found;
  }
}

/** A version 2 or 3 of the format, or an empty version. */
function supported(version: string): string | undefined {
  if (version === '' || /^v?[23](\.\d+)?$/i.test(version)) return version || undefined;
  throw new ImportError('unsupported_format', message('kyero_version', { version }));
}
