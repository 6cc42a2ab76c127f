import type { Reporting } from '../../pipeline/notes.ts';
import { readTime } from '../../values/date.ts';
import type { Understood } from '../../values/interpretation.ts';
import { AMOUNT, readBaths, readNumber, readPrice, SALE_PRICE } from '../../values/number.ts';
import { type Frequency, readFrequency, readStatus, withoutSuffix } from '../../values/words.ts';
import { childNamed, childrenNamed, trimmed, type XmlNode } from '../../xml/node.ts';
import { childrenWithNames, optionalValue } from '../../xml/reading.ts';
import {
  type Input,
  location,
  type Nodes,
  openFields,
  read,
  readRecord,
  recordFormat,
} from '../nodes.ts';
import { type FeedVocabulary, labelsOf, rawText } from './vocabulary.ts';

/** Reads a number in the feed's own decimals, which have no zeros at their end, or else as another spelling. */
function decimalsOr<Value>(other: (text: string) => Understood<Value>) {
  return (text: string): Understood<Value | number> =>
    /^[+-]?\d+(\.\d*[1-9])?$/.test(text) ? { value: Number(text) } : other(text);
}

const readAmount = (text: string) => readNumber(text, AMOUNT);

const amount = (field: 'community_fees' | 'garbage_tax' | 'ibi_fees') =>
  read(field, decimalsOr(readAmount));

/** Texts are stored unchanged, so that a feed has the same bytes again. */
export const RESALES = recordFormat(
  'resales',
  (field) => (node) => ({ [field]: rawText(node) || undefined }),
  {
    community_fees: amount('community_fees'),
    garbage_tax: amount('garbage_tax'),
    ibi_fees: amount('ibi_fees'),
    ref: (node) => ({ ref: rawText(node) }),
    last_updated: read('source_changed_at', readTime),
    listing_date: read('listed_at', readTime),
    location: location(true),
  },
  [
    ...[
      'price',
      'price_freq',
      'price_minimum',
      'longterm',
      'shortterm_low',
      'shortterm_high',
      'rental_license',
    ],
    ...[
      'type',
      'subtype',
      'development_name',
      'unit_name',
      'availability',
      'Bath',
      'desc',
      'characteristics',
    ],
  ],
  { description: 'desc', listed_date: 'listing_date' },
  ['updated_at'],
);

/** Reads a `property` of the feed, before values are added that depend on the complete file. */
export function readFeedProperty(
  record: XmlNode,
  vocabulary: FeedVocabulary,
  reporting: Reporting,
  now: string,
) {
  const { id: recordId, nodes, fields } = readRecord(record, RESALES, reporting);
  // Some versions have baths and toilets as one number.
  fields.bath =
    optionalValue(reporting, 'Bath', nodes.get('Bath'), decimalsOr(readBaths)) ?? fields.bath;
  fields.status ??= optionalValue(
    reporting,
    'availability',
    nodes.get('availability'),
    readStatus,
  )?.status;
  for (const name of ['ref', 'price', 'price_freq', 'type', 'town', 'province']) {
    if (trimmed(nodes.get(name)) === '')
      reporting.interpreted(name, 'missing', record.line, '', '');
  }
  const frequency = frequencyOf(nodes, reporting);
  const id = withoutSuffix(recordId, frequency);
  const updated = fields.source_changed_at ?? null;
  const descriptions = Object.entries(
    labelsOf(nodes.get('desc'), reporting, Number.POSITIVE_INFINITY),
  );
  const given: Input = {
    ...fields,
    kind: 'property',
    id,
    ref: fields.ref || id,
    town: fields.town ?? '',
    province: fields.province ?? '',
    type: vocabulary.typeOf(
      labelsOf(nodes.get('type'), reporting),
      labelsOf(nodes.get('subtype'), reporting),
    ),
    status: fields.status ?? 'Available',
    listed_at: fields.listed_at ?? updated ?? now,
    updated_at: updated,
    offers: offersOf(nodes, frequency, reporting),
    texts: Object.fromEntries(
      descriptions.map(([language, description]) => [language, { description }]),
    ),
  };
  return {
    recordId,
    given,
    open: openFields(fields, RESALES),
    development: rawText(nodes.get('development_name')),
    unit: rawText(nodes.get('unit_name')),
    statesMinimum: trimmed(nodes.get('price_minimum')) !== '',
    categories: childrenWithNames(nodes.get('characteristics'), ['category'], reporting).map(
      (category) => ({
        name: labelsOf(childNamed(category, 'name'), reporting),
        values: childrenNamed(category, 'value').map((value) => labelsOf(value, reporting)),
      }),
    ),
  };
}

function frequencyOf(nodes: Nodes, reporting: Reporting): Frequency {
  const read = optionalValue(reporting, 'price_freq', nodes.get('price_freq'), readFrequency);
  if (read !== undefined) return read;
  if (trimmed(nodes.get('longterm')) !== '') return 'month';
  return trimmed(nodes.get('shortterm_low')) === '' ? 'sale' : 'week';
}

/**
 * The offers of a record. If its price is a rent, the property may also be for sale at a price on request, which only a
 * minimum price reveals.
 */
function offersOf(nodes: Nodes, frequency: Frequency, reporting: Reporting): Input['offers'] {
  const amountOf = (name: string, readOther: (text: string) => Understood<number | null>) =>
    optionalValue(reporting, name, nodes.get(name), decimalsOr(readOther)) ?? null;
  const { perDay } = readFrequency(trimmed(nodes.get('price_freq')));
  const price = perDay ? null : amountOf('price', (text) => readPrice(text, frequency)) || null;
  const priceOf = (kind: Frequency) => (frequency === kind ? price : null);
  const minimum_price = amountOf('price_minimum', (text) => readNumber(text, SALE_PRICE)) ?? 0;
  const [rent = null, low = null, high = null] = [
    'longterm',
    'shortterm_low',
    'shortterm_high',
  ].map((name) => amountOf(name, readAmount));
  const license = trimmed(nodes.get('rental_license')) || null;
  const isShortTerm = frequency === 'week' || low !== null || high !== null || license !== null;
  return {
    sale:
      frequency === 'sale' || minimum_price !== 0
        ? { price: priceOf('sale'), minimum_price }
        : null,
    long_term: frequency === 'month' || rent !== null ? { rent: rent ?? priceOf('month') } : null,
    short_term: isShortTerm ? { low: low ?? priceOf('week'), high, license } : null,
  };
}
