import { LANGUAGES } from '../../../lib/languages.ts';
import { message } from '../../../messages/messages.ts';
import {
  type DocumentProblem,
  type PropertyDocument,
  parseDocument,
  type UnitDocument,
} from '../../../properties/documents.ts';
import { COMPASS } from '../../../vocabulary/orientation.ts';
import { storableProperty } from '../../pipeline/bounds.ts';
import type { Notes } from '../../pipeline/notes.ts';
import {
  attempt,
  EMPTY_SUMMARY,
  mergedOffers,
  OFFERS,
  type Offers,
  type ReadingOptions,
  type Source,
  type SourceRecord,
  type ValidRecord,
} from '../../pipeline/record.ts';
import { strictReporting } from '../../pipeline/strict.ts';
import { DOUBTFUL, type InterpretationKind, type Understood } from '../../values/interpretation.ts';
import { childText, isEmpty, type XmlNode } from '../../xml/node.ts';
import type { ImportFormat } from '../format.ts';
import { RESALES, readFeedProperty } from './property.ts';
import { FeedVocabulary, type Labels, mainLabel } from './vocabulary.ts';

/** The format of the feed of ReSales-Online, which this service's own feed has. */
export const RESALES_FORMAT: ImportFormat = {
  name: 'resales',
  title: message('resales'),
  mayRepeat: true,
  content: {
    kind: 'xml',
    element: 'resalesonline',
    isWrapper: false,
    record: 'property',
    ownNodes: [
      'last_updated',
      'characteristics',
      'has_pool',
      'has_garden',
      'has_garage',
      'Bath',
      'availability',
    ],
    nodes: RESALES,
    records: resalesRecords,
  },
};

const DIRECTION = 'characteristics/category/value';

/**
 * The XML feed of ReSales-Online in versions 1 to 3, as this service and others write it: a root with a `resalesonline`
 * that contains the version, and one `property` per record. Rental records of a property, whose identifiers end in -LT
 * or -ST, are merged into it; types, categories and features get the labels in the feed.
 */
async function* resalesRecords(
  elements: AsyncIterable<XmlNode>,
  { now, names, strict }: ReadingOptions,
  notes: Notes,
): Source['records'] {
  const units = new Set<string>();
  let vocabulary = new FeedVocabulary(1, names);
  /** Identifiers of records by the identifiers of their properties. */
  const recordsOf = new Map<string, Set<string>>();
  const laterOffers = new Map<string, Offers>();
  const offered = new Set<keyof Offers>();
  const languages = new Set<string>();
  let newestFirst = false;

  /** The record of a property; `undefined` if it adds an offer to an earlier one. */
  function recordOf(node: XmlNode): SourceRecord | undefined {
    const { line } = node;
    const bad = { line, kind: 'property' } as const;
    const problems: DocumentProblem[] = [];
    const fails = (_: string, kind: InterpretationKind) => DOUBTFUL.has(kind);
    const reporting = strict ? strictReporting(notes, problems, fails) : notes;
    const read = readFeedProperty(node, vocabulary, reporting, now);
    const { recordId, given } = read;
    notes.belongTo(recordId === '' ? null : given.id);
    if (recordId === '')
      return { ...bad, id: null, problems: [{ field: 'id', message: message('missing') }] };
    if (problems.length > 0) return { ...bad, id: given.id, problems };
    newestFirst ||= !read.open.includes('listed_at');
    const offers = given.offers as Offers;
    for (const name of OFFERS) if (offers[name] !== null) offered.add(name);
    for (const language of Object.keys(given.texts ?? {})) languages.add(language);
    const others = recordsOf.get(given.id);
    if (others !== undefined && !others.has(recordId)) {
      others.add(recordId);
      const before = laterOffers.get(given.id);
      laterOffers.set(given.id, before === undefined ? offers : mergedOffers(before, offers));
      return undefined;
    }
    recordsOf.set(given.id, new Set([recordId]));
    const made = attempt(() => recordWith(node, read));
    notes.belongTo(given.id);
    return 'problems' in made ? { ...bad, id: given.id, ...made } : made;
  }

  /**
   * The identifier of a development, since a feed contains only its name: that name, with a number appended if two
   * developments of one name have a unit of the same name.
   */
  function idOf(development: string, unit: string): string {
    const letters = [...development.trim()].slice(0, MAX_IDENTIFIER_LENGTH).join('');
    const first = /^\.{0,2}$/.test(letters) ? `development ${letters}` : letters;
    let id = first;
    for (let number = 2; units.has(JSON.stringify([id, unit])); number++)
      id = `${first} (${number})`;
    units.add(JSON.stringify([id, unit]));
    return id;
  }

  function recordWith(
    node: XmlNode,
    {
      given,
      open,
      keepsStatus,
      development,
      unit,
      categories,
      statesMinimum,
    }: ReturnType<typeof readFeedProperty>,
  ): ValidRecord {
    const { line } = node;
    const isUnit = development.trim() !== '';
    const { directions = [], others = [] } = Object.groupBy(categories, (category) =>
      isUnit && vocabulary.isOrientation(category) ? 'directions' : 'others',
    );
    const features = vocabulary.featuresOf(others);
    const codes = directions.flatMap(({ values }) =>
      values.map((labels) => {
        const { value, how } = directionOf(labels);
        if (how !== undefined) notes.interpreted(DIRECTION, how, line, mainLabel(labels), value);
        return value;
      }),
    );
    const price = given.offers?.sale?.price ?? 0;
    const name = unit.normalize('NFC');
    const id = isUnit ? idOf(development, name) : '';
    const shown = {
      development: id,
      name,
      status: STATUSES[given.status] ?? 1,
      price,
      directions: codes,
    };
    const documents = [
      { kind: 'development', id, name: development },
      { kind: 'unit', ...shown },
    ];
    const needs = isUnit ? documents.map(parseDocument) : [];
    const place = isUnit ? { development: id, name } : null;
    const input = { ...given, unit: place, features };
    const document = strict
      ? (parseDocument(input) as PropertyDocument)
      : storableProperty(input, node, notes);
    vocabulary.use(document);
    const openTexts = ['title', 'url'] as const;
    return { line, document, open, openTexts, keepsStatus, statesMinimum, needs };
  }

  for await (const node of elements) {
    if (node.name === 'property') {
      const record = recordOf(node);
      if (record !== undefined) yield record;
    } else if (node.name === 'resalesonline') {
      vocabulary = new FeedVocabulary(
        Number.parseInt(childText(node, 'feed_version'), 10) || 1,
        names,
      );
    } else if (!isEmpty(node)) notes.ignored(node.name, node.line);
  }
  return {
    ...EMPTY_SUMMARY,
    vocabulary: vocabulary.entries(),
    // A feed in the order of listing dates begins with the property that came last.
    newestFirst,
    languages: [...languages],
    completion: {
      offers: Object.fromEntries(laterOffers),
      openOffers: OFFERS.filter((name) => !offered.has(name)),
    },
  };
}

const STATUSES: Readonly<Partial<Record<PropertyDocument['status'], UnitDocument['status']>>> = {
  Available: 1,
  'Under Offer': 2,
  Sold: 4,
  'Sale Agreed': 8,
};

/** Maximum length of a development's identifier, without an appended number. */
const MAX_IDENTIFIER_LENGTH = 90;

const MAX_DIRECTION_LENGTH = 16;

/**
 * The code of a direction: one of the eight compass points, else the text, which all languages show, with spaces instead of
 * control characters.
 */
function directionOf(labels: Labels): Understood<string> & { readonly value: string } {
  const shown = LANGUAGES.filter(({ element }) => labels[element] !== undefined);
  const point = Object.entries(COMPASS).find(([, words]) =>
    shown.every(({ code, element }) => words[code - 1] === labels[element]),
  );
  if (point !== undefined) return { value: point[0] };
  const given = mainLabel(labels);
  const text = given.replaceAll(/\p{Cc}+/gu, ' ');
  const value = [...text].slice(0, MAX_DIRECTION_LENGTH).join('');
  if (text !== given) return { value, how: 'control_characters' };
  return value === text ? { value } : { value, how: 'cut' };
}
