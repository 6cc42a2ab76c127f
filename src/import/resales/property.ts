import { type Input, location, type Nodes, openFields, type Reader, read, readRecord, recordFormat } from '../nodes.ts';
import type { Reporting } from '../notes.ts';
import { readTime } from '../values/date.ts';
import { AMOUNT, readNumber, SALE_PRICE } from '../values/number.ts';
import { type Frequency, readFrequency, readStatus, withoutSuffix } from '../values/words.ts';
import { childNamed, childrenNamed, trimmed, type XmlNode } from '../xml/node.ts';
import { optionalValue } from '../xml/reading.ts';
import { type FeedVocabulary, labelsOf, rawText } from './vocabulary.ts';

/** A number in the feed's plain decimals, else in other spellings; `null` if there is none. */
function numberOf(node: XmlNode | undefined, quantity = AMOUNT): number | null {
  const text = trimmed(node);
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === '' ? null : (readNumber(text, quantity).value ?? null);
}

const amount: Reader = ({ name, ...node }) => ({ [name]: numberOf({ name, ...node }) });

/** Texts are stored unchanged, so that a feed has the same bytes again. */
export const RESALES = recordFormat(
  'resales',
  (field) => (node) => ({ [field]: rawText(node) || undefined }),
  {
    ...{ community_fees: amount, garbage_tax: amount, ibi_fees: amount },
    ref: (node) => ({ ref: rawText(node) }),
    last_updated: read('source_changed_at', readTime),
    listing_date: read('listed_at', readTime),
    location: location(true),
  },
  [
    ...['price', 'price_freq', 'price_minimum', 'longterm', 'shortterm_low', 'shortterm_high', 'rental_license'],
    ...['type', 'subtype', 'development_name', 'unit_name', 'availability', 'Bath', 'desc', 'characteristics'],
  ],
  { description: 'desc', listed_date: 'listing_date' },
  ['sale_updated_at', 'rental_updated_at'],
);

/** Reads a `property` of the feed, before values are added that depend on the complete file. */
export function readFeedProperty(record: XmlNode, vocabulary: FeedVocabulary, reporting: Reporting, now: string) {
  const { id: recordId, nodes, fields } = readRecord(record, RESALES, reporting);
  // Some versions have baths and toilets as one number.
  const bath = Number(trimmed(nodes.get('Bath')) || Number.NaN);
  if (Number.isFinite(bath)) fields.bath = bath;
  fields.status ??= optionalValue(reporting, 'availability', nodes.get('availability'), readStatus)?.status;
  const frequency = frequencyOf(nodes);
  const id = withoutSuffix(recordId, frequency);
  const updated = fields.source_changed_at ?? null;
  const descriptions = Object.entries(labelsOf(nodes.get('desc'), Number.POSITIVE_INFINITY));
  const given: Input = {
    ...fields,
    kind: 'property',
    id,
    ref: fields.ref || id,
    town: fields.town ?? '',
    province: fields.province ?? '',
    type: vocabulary.typeOf(labelsOf(nodes.get('type')), labelsOf(nodes.get('subtype'))),
    status: fields.status ?? 'Available',
    listed_at: fields.listed_at ?? updated ?? now,
    sale_updated_at: updated,
    rental_updated_at: updated,
    offers: offersOf(nodes, frequency),
    texts: Object.fromEntries(descriptions.map(([language, description]) => [language, { description }])),
  };
  return {
    recordId,
    given,
    open: openFields(fields, RESALES),
    development: rawText(nodes.get('development_name')),
    unit: rawText(nodes.get('unit_name')),
    categories: childrenNamed(nodes.get('characteristics'), 'category').map((category) => ({
      name: labelsOf(childNamed(category, 'name')),
      values: childrenNamed(category, 'value').map((value) => labelsOf(value)),
    })),
  };
}

function frequencyOf(nodes: Nodes): Frequency {
  const read = readFrequency(trimmed(nodes.get('price_freq'))).value;
  if (read !== undefined) return read;
  if (trimmed(nodes.get('longterm')) !== '') return 'month';
  return trimmed(nodes.get('shortterm_low')) === '' ? 'sale' : 'week';
}

/**
 * The offers of a record. If its price is a rent, the property may also be for sale at a price on request, which only a
 * minimum price reveals.
 */
function offersOf(nodes: Nodes, frequency: Frequency): Input['offers'] {
  const price = numberOf(nodes.get('price'), frequency === 'sale' ? SALE_PRICE : AMOUNT) || null;
  const priceOf = (kind: Frequency) => (frequency === kind ? price : null);
  const minimum_price = numberOf(nodes.get('price_minimum'), SALE_PRICE) ?? 0;
  const [rent = null, low = null, high = null] = ['longterm', 'shortterm_low', 'shortterm_high'].map((name) =>
    numberOf(nodes.get(name)),
  );
  const license = trimmed(nodes.get('rental_license')) || null;
  const isShortTerm = frequency === 'week' || low !== null || high !== null || license !== null;
  return {
    sale: frequency === 'sale' || minimum_price !== 0 ? { price: priceOf('sale'), minimum_price } : null,
    long_term: frequency === 'month' || rent !== null ? { rent: rent ?? priceOf('month') } : null,
    short_term: isShortTerm ? { low: low ?? priceOf('week'), high, license } : null,
  };
}
