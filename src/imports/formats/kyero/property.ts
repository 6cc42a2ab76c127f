import type { DocumentProblem } from '../../../properties/documents.ts';
import { storableProperty } from '../../pipeline/bounds.ts';
import { amenitiesOf, DEFAULT_TYPE, type Vocabulary } from '../../pipeline/names.ts';
import type { Notes, Reporting } from '../../pipeline/notes.ts';
import {
  attempt,
  type BadRecord,
  type ReadingOptions,
  type ValidRecord,
} from '../../pipeline/record.ts';
import { readTime } from '../../values/date.ts';
import { INTERPRETATIONS, type InterpretationKind } from '../../values/interpretation.ts';
import { readPrice } from '../../values/number.ts';
import { currencyIn, readFrequency, withoutSuffix } from '../../values/words.ts';
import { inEnglish, ownText, trimmed, words, type XmlNode } from '../../xml/node.ts';
import { childrenByName, optionalValue } from '../../xml/reading.ts';
import {
  type Input,
  location,
  type Nodes,
  openFields,
  type Reader,
  read,
  readRecord,
  recordFormat,
} from '../nodes.ts';
import { featuresOf, nameOf, textsOf } from './lists.ts';

/**
 * A text that is stored unchanged; an empty one clears the field, and so do `-`, which required nodes have, and the `0` that
 * programs print for no text, except as the floor.
 */
function plain(field: keyof Input): Reader {
  return (node) => {
    const text = trimmed(node);
    return {
      [field]:
        text === '' || text === '-' || (text === '0' && field !== 'floor') ? undefined : text,
    };
  };
}

/** Nodes that Kyero's format has, and that programs add to it. */
export const KYERO = recordFormat(
  'kyero',
  plain,
  {
    date: read('source_changed_at', readTime),
    location: location(false),
    /** The commission as one text, which may have a share and notes: `5.0, split 50, by arrangement`. */
    commission(node, reporting) {
      const { value, split, notes } = childrenByName(node, ['value', 'split', 'notes'], reporting);
      const [amount, share, more] = [value, split, notes].map((child) => words(trimmed(child)));
      const parts = [ownText(node), amount, share && `split ${share}`, more];
      return { commission: parts.filter((part) => part !== '').join(', ') || null };
    },
  },
  ['type', 'subtype', 'price', 'price_freq', 'url', 'desc', 'title', 'features'],
  {
    ...{
      description: 'desc',
      descriptions: 'desc',
      bedrooms: 'beds',
      bathrooms: 'baths',
      sub_type: 'subtype',
    },
    ...{ year_built: 'built_year', year_build: 'built_year', location_detail_1: 'location_detail' },
    ...{
      address_detail: 'address',
      city: 'town',
      zip: 'postcode',
      photos: 'images',
      pictures: 'images',
    },
    ...{
      videos: 'video_url',
      views360: 'virtual_tour_url',
      virtual_tour: 'virtual_tour_url',
      energy: 'energy_rating',
    },
  },
  ['location', 'emissions', 'consumption'],
);

/**
 * Reads a `property` of a Kyero v3 feed. Fields without a node in the format are left open, and so are those of nodes
 * that only some programs write if the record lacks them. A record without an identifier is rejected; in strict mode,
 * so is one whose nodes had to be interpreted.
 */
export function kyeroProperty(
  record: XmlNode,
  vocabulary: Vocabulary,
  notes: Notes,
  { strict, now }: ReadingOptions,
): ValidRecord | BadRecord {
  const { line } = record;
  const problems: DocumentProblem[] = [];
  const reporting: Reporting = {
    ignored: (path, at) => notes.ignored(path, at),
    interpreted(path, kind, at, text, as) {
      if (strict && failsStrict(path, kind)) {
        const given = text.length > 60 ? `${text.slice(0, 60)}…` : text;
        problems.push({
          field: path,
          detail: `${given === '' ? '' : `"${given}": `}${INTERPRETATIONS[kind]}`,
        });
      }
      notes.interpreted(path, kind, at, text, as);
    },
  };
  const read = readRecord(record, KYERO, reporting);
  const bad = (reasons: readonly DocumentProblem[]) =>
    ({ line, kind: 'property', id: read.id || null, problems: reasons }) as const;
  if (read.id === '') return bad([{ field: 'id', detail: 'is missing' }]);
  const given = propertyOf(read, vocabulary, reporting, now, line);
  if (strict && read.fields.province === undefined)
    problems.push({ field: 'province', detail: INTERPRETATIONS.missing });
  const document = attempt(() => storableProperty(given, record, reporting));
  if ('problems' in document) problems.push(...document.problems);
  if (problems.length > 0 || 'problems' in document) return bad(problems);
  const openTexts = read.nodes.has('title') ? [] : (['title'] as const);
  return { line, document, open: openFields(read.fields, KYERO), openTexts, limited: true };
}

/** A record's property; fields that follow from its features are added to those that its nodes give. */
function propertyOf(
  { id: recordId, nodes, fields }: ReturnType<typeof readRecord>,
  vocabulary: Vocabulary,
  reporting: Reporting,
  now: string,
  line: number,
): Input {
  const missing = (path: string, as: unknown) =>
    reporting.interpreted(path, 'missing', nodes.get(path)?.line ?? line, '', as);
  const [typeNode, subtypeNode, priceNode] = ['type', 'subtype', 'price'].map((name) =>
    nodes.get(name),
  );
  const given = nodes.get('features');
  const list = given && featuresOf(given, trimmed(typeNode), vocabulary, reporting);
  // A pool, a garden and a garage follow from features, unless they are stated.
  if (list?.isGiven) Object.assign(fields, { ...amenitiesOf(list.codes), ...fields });
  if (list?.status !== undefined) fields.status ??= list.status;
  const [type, subtype = list?.subtype] = [
    englishName(typeNode, reporting),
    englishName(subtypeNode, reporting),
  ];
  const period = readFrequency(trimmed(nodes.get('price_freq')));
  const category =
    optionalValue(reporting, 'price_freq', nodes.get('price_freq'), () => period) ?? 'sale';
  const town = fields.town ?? '';
  const id = withoutSuffix(recordId, category);
  if (fields.ref === undefined) missing('ref', id);
  if (town === '') missing('town', '');
  if (type === undefined) missing('type', subtype ?? DEFAULT_TYPE);
  if (trimmed(nodes.get('price_freq')) === '') missing('price_freq', 'sale');
  if (!period.perDay && trimmed(priceNode) === '') missing('price', null);
  const amount = period.perDay
    ? null
    : optionalValue(reporting, 'price', priceNode, (text) => readPrice(text, category));
  const price = amount ?? null;
  const changed = fields.source_changed_at ?? null;
  return {
    ...fields,
    kind: 'property',
    id,
    // A record whose id has the suffix of its offer may have it in its reference too.
    ref:
      fields.ref === undefined || recordId === id
        ? (fields.ref ?? id)
        : withoutSuffix(fields.ref, category),
    status: fields.status ?? 'Available',
    listed_at: changed ?? now,
    updated_at: changed,
    currency: fields.currency ?? currencyIn(ownText(priceNode)),
    town,
    province: fields.province ?? '',
    type: vocabulary.type(type ?? subtype ?? DEFAULT_TYPE, type && subtype),
    features: list?.codes,
    texts: textsByLanguage(nodes, reporting),
    offers: {
      sale: category === 'sale' ? { price } : null,
      long_term: category === 'month' ? { rent: price } : null,
      short_term: category === 'week' ? { low: price, high: null } : null,
    },
  };
}

/** A name, in English if the node has several languages, as in version 2. */
function englishName(node: XmlNode | undefined, reporting: Reporting): string | undefined {
  if (node === undefined) return undefined;
  return nameOf(trimmed(inEnglish(node)), node.name, node, reporting) || undefined;
}

function textsByLanguage(nodes: Nodes, reporting: Reporting): Input['texts'] {
  const texts: Record<string, { title?: string; description?: string; url?: string }> = {};
  for (const [name, part] of Object.entries({
    desc: 'description',
    title: 'title',
    url: 'url',
  } as const)) {
    const node = nodes.get(name);
    for (const [language, text] of node === undefined ? [] : textsOf(node, reporting)) {
      texts[language] = { ...texts[language], [part]: trimmed(text) };
    }
  }
  return texts;
}

/** Nodes whose values `--strict` checks: those of the format's schema, and those that many programs add. */
const CHECKED: ReadonlySet<string> = new Set([
  ...[
    'id',
    'ref',
    'date',
    'price',
    'currency',
    'price_freq',
    'new_build',
    'type',
    'town',
    'province',
    'country',
  ],
  ...[
    'location',
    'location_detail',
    'beds',
    'baths',
    'pool',
    'surface_area',
    'energy_rating',
    'url',
    'desc',
  ],
  ...[
    'features',
    'images',
    'status',
    'postcode',
    'catastral',
    'virtual_tour_url',
    'video_url',
    'community_fees',
  ],
  ...['garbage_tax', 'ibi_fees', 'living_area', 'built_year', 'texts', 'pictures', 'area'],
]);

/** Interpretations that `--strict` allows. */
const ALLOWED: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  ...([
    'no_date',
    'no_coordinates',
    'coordinates_swapped',
    'link_extracted',
    'text_split',
    'language',
  ] as const),
  'floor_plan',
]);

/** Whether a record is rejected with `--strict` because a node was interpreted. */
function failsStrict(path: string, kind: InterpretationKind): boolean {
  const isPicture = path === 'images/image' && (kind === 'spelling' || kind === 'repeated');
  return CHECKED.has(path.split(/[/.]/)[0]!) && !ALLOWED.has(kind) && !isPicture;
}
