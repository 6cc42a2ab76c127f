import { message } from '../../../messages/messages.ts';
import type { DocumentProblem } from '../../../properties/documents.ts';
import { amenitiesOf } from '../../../vocabulary/amenities.ts';
import { countryNamed } from '../../../vocabulary/countries.ts';
import { findProvince } from '../../../vocabulary/provinces.ts';
import { storableProperty } from '../../pipeline/bounds.ts';
import { DEFAULT_TYPE, type Vocabulary } from '../../pipeline/names.ts';
import type { Notes, Reporting } from '../../pipeline/notes.ts';
import {
  attempt,
  type BadRecord,
  OFFERS,
  type ReadingOptions,
  type ValidRecord,
} from '../../pipeline/record.ts';
import { strictReporting } from '../../pipeline/strict.ts';
import { listingTime } from '../../values/date.ts';
import { isPlaceholder, spelling } from '../../values/interpretation.ts';
import { furthest } from '../../values/status.ts';
import { withoutSuffix } from '../../values/words.ts';
import { trimmed, type XmlNode } from '../../xml/node.ts';
import { withLineFeeds } from '../../xml/texts.ts';
import { singleText } from '../../xml/value.ts';
import { type Nodes, openFields } from '../nodes.ts';
import type { Input } from '../readers.ts';
import { readRecord } from '../records.ts';
import { failsStrict, KYERO } from './format.ts';
import { featuresOf, nameOf, textsOf } from './lists.ts';
import { readOffer } from './offer.ts';

/**
 * Reads a `property` of a Kyero v3 feed. Fields without a node in the format are left open, and so
 * are those of nodes that only some programs write if the record lacks them. A record without an
 * identifier is rejected; in strict mode, so is one whose nodes had to be interpreted.
 */
export function kyeroProperty(
  record: XmlNode,
  vocabulary: Vocabulary,
  notes: Notes,
  { strict, now }: ReadingOptions,
): ValidRecord | BadRecord {
  const { line } = record;
  const problems: DocumentProblem[] = [];
  const reporting = strict ? strictReporting(notes, problems, failsStrict) : notes;
  const read = readRecord(record, KYERO, reporting);
  const bad = (reasons: readonly DocumentProblem[]) =>
    ({ line, kind: 'property', id: read.id || null, problems: reasons }) as const;
  if (read.id === '') return bad([{ field: 'id', message: message('missing') }]);
  const { given, isOfferKnown } = propertyOf(read, vocabulary, reporting, now, line);
  if (strict && given.province === '')
    problems.push({ field: 'province', message: message('missing') });
  const document = attempt(() => storableProperty(given, record, reporting));
  if ('problems' in document) problems.push(...document.problems);
  if (problems.length > 0 || 'problems' in document) return bad(problems);
  return {
    line,
    document,
    open: openFields(read.fields, KYERO),
    openTexts: read.nodes.has('title') ? [] : ['title'],
    ...(!isOfferKnown && { openOffers: OFFERS }),
    keepsStatus: read.fields.unknown?.includes('status') ?? false,
    limited: true,
  };
}

/**
 * A record's property; fields that follow from its features are added to those that its nodes give.
 */
function propertyOf(
  { id: recordId, nodes, fields }: ReturnType<typeof readRecord>,
  vocabulary: Vocabulary,
  reporting: Reporting,
  now: string,
  line: number,
) {
  const missing = (path: string, as: unknown, text = '') =>
    reporting.interpreted(path, 'missing', nodes.get(path)?.line ?? line, text, as);
  const type = typeName(nodes.get('type'), isUnknownType, vocabulary, reporting);
  const ownSubtype = typeName(nodes.get('subtype'), isNothing, vocabulary, reporting);
  const given = nodes.get('features');
  const list = given && featuresOf(given, type.name, vocabulary, reporting);
  const { unknown = [], status: ownStatus } = fields;
  if (list?.isGiven) addAmenities(fields, amenitiesOf(list.codes), amenitiesOf(list.denied));
  const currency = unknown.includes('currency') ? null : fields.currency;
  const offer = readOffer(nodes, currency, reporting, line);
  const own = ownStatus && { status: ownStatus, rented: fields.rented ?? false };
  const said = furthest([own, offer.status, list?.status]);
  // An unreadable status is not improved by what other nodes say.
  const status = unknown.includes('status') ? 'Withdrawn' : (said?.status ?? 'Available');
  if (said !== undefined && !unknown.includes('status')) {
    fields.status = status;
    if (said.rented) fields.rented = true;
  }
  const subtype = ownSubtype.name || list?.subtype;
  const { town = '', province = '', ref } = fields;
  const id = withoutSuffix(recordId, offer.category);
  if (ref === undefined) missing('ref', id);
  if (town === '') missing('town', '');
  if (type.name === '') missing('type', subtype ?? DEFAULT_TYPE, type.text);
  checkProvince(fields.country, province, nodes, reporting);
  const changed = fields.source_changed_at ?? null;
  const property: Input = {
    ...withoutUnknown(fields),
    kind: 'property',
    id,
    // A record whose id has the suffix of its offer may have it in its reference too.
    ref: ref === undefined || recordId === id ? (ref ?? id) : withoutSuffix(ref, offer.category),
    status,
    listed_at: listingTime(changed, now, nodes.get('date'), reporting),
    updated_at: changed,
    currency: offer.currency,
    town,
    province,
    type: vocabulary.type(type.name || subtype || DEFAULT_TYPE, type.name === '' ? '' : subtype),
    features: list?.codes,
    texts: textsByLanguage(nodes, reporting),
    offers: offer.offers,
  };
  return { given: property, isOfferKnown: offer.isKnown };
}

function withoutUnknown(all: ReturnType<typeof readRecord>['fields']) {
  if (all.unknown === undefined) return all;
  const { unknown: _, ...fields } = all;
  return fields;
}

/**
 * A pool, a garden and a garage follow from features, unless nodes state them. One that a node states and the features deny is
 * unknown.
 */
function addAmenities(
  fields: ReturnType<typeof readRecord>['fields'],
  amenities: ReturnType<typeof amenitiesOf>,
  denied: ReturnType<typeof amenitiesOf>,
): void {
  for (const [field, isPresent] of Object.entries(amenities) as [
    keyof typeof amenities,
    boolean,
  ][]) {
    if (fields[field] === true && denied[field] && !isPresent) {
      delete fields[field];
      fields.unknown = [...(fields.unknown ?? []), field];
      continue;
    }
    const isUnknown = fields.unknown?.includes(field) ?? false;
    if (field in fields || (isUnknown && !isPresent)) continue;
    fields[field] = isPresent;
    if (isUnknown) fields.unknown = fields.unknown!.filter((one) => one !== field);
  }
}

/**
 * Words for types of which nothing is known. They are not names of types, unless the account has
 * said what they mean.
 */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  'other',
  'others',
  'otro',
  'otros',
  'otra',
  'otras',
  'sonstige',
  'sonstiges',
  'andere',
  'autre',
  'autres',
  'overig',
  'overige',
  'andet',
  'annet',
  'annat',
  'altro',
  'altri',
  'outro',
  'outros',
  'various',
  'misc',
  'unspecified',
  'not specified',
  'select',
  'choose',
]);

const isNothing = (name: string) => name === '' || name === '0' || isPlaceholder(name);

const isUnknownType = (name: string) => isNothing(name) || UNKNOWN_TYPES.has(spelling(name));

/**
 * The name of a type, in English if the node has several languages, as in version 2; empty if it
 * names none.
 */
function typeName(
  node: XmlNode | undefined,
  isUnknown: (name: string) => boolean,
  vocabulary: Vocabulary,
  reporting: Reporting,
) {
  if (node === undefined) return { name: '', text: '' };
  const text = singleText(node, node.name, reporting) ?? '';
  const name = nameOf(text, node.name, node, reporting);
  const isNone = isUnknown(name) && vocabulary.mappedCode('type', name) === undefined;
  return { name: isNone ? '' : name, text };
}

/** Reports a province of Spain in another country: one of the two is wrong. */
function checkProvince(
  country: string | null | undefined,
  province: string,
  nodes: Nodes,
  reporting: Reporting,
): void {
  const named = country == null ? undefined : countryNamed(country);
  const node = nodes.get('province');
  if (node === undefined || named === undefined || named.code === 'ES') return;
  if (findProvince(province) !== undefined)
    reporting.interpreted(
      node.name,
      'foreign_province',
      node.line,
      `${province}, ${country}`,
      province,
    );
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
      texts[language] = { ...texts[language], [part]: withLineFeeds(trimmed(text)) };
    }
  }
  return texts;
}
