import { type Reporting, SILENT } from '../../pipeline/notes.ts';
import { listingTime, readTime } from '../../values/date.ts';
import type { Understood } from '../../values/interpretation.ts';
import { readBaths, readFee, readPrice } from '../../values/number.ts';
import { type Frequency, readFrequency, withoutSuffix } from '../../values/words.ts';
import { childNamed, childrenNamed, ownText, trimmed, type XmlNode } from '../../xml/node.ts';
import { childrenByName, childrenWithNames, optionalValue } from '../../xml/reading.ts';
import { decided, measuredValue, singleText, singleValue } from '../../xml/value.ts';
import { type FieldNodes, optional, required } from '../fields.ts';
import { merged, type Nodes, openFields, recordFormat } from '../nodes.ts';
import { country, location } from '../places.ts';
import { fee as givenFee, type Input, type Reader, read } from '../readers.ts';
import { readRecord } from '../records.ts';
import { type FeedVocabulary, labelsOf, rawText } from './vocabulary.ts';

/**
 * Reads a number in the feed's own decimals, which have no zeros at their end, or else as another
 * spelling.
 */
function decimalsOr<Value>(other: (text: string) => Understood<Value>) {
  return (text: string): Understood<Value | number> =>
    /^[+-]?\d+(\.\d*[1-9])?$/.test(text) ? { value: Number(text) } : other(text);
}

function fee(field: 'community_fees' | 'garbage_tax' | 'ibi_fees', per: 'month' | 'year') {
  return givenFee(
    field,
    per,
    decimalsOr((text) => readFee(text, per)),
  );
}

/** A text that is stored unchanged, so that a feed has the same bytes again. */
function raw(field: keyof Input): Reader {
  return (node, reporting, path = node.name) => {
    const value = singleValue(node, path, reporting);
    return value === undefined ? { unknown: [field] } : { [field]: rawText(value) || undefined };
  };
}

const FEES = { ibi_fees: 'ibi_fees', basura_tax: 'garbage_tax' } as const;

/** Nodes that are one value of one field. */
const FIELDS: FieldNodes = {
  town: required('town'),
  area: required('area'),
  province: required('province'),
  country: required('country'),
  postcode: required('postcode'),
  living_area: optional('living_area'),
  built_year: optional('built_year'),
  community_fees: optional('community_fees'),
  garbage_tax: optional('garbage_tax'),
  ibi_fees: optional('ibi_fees'),
  cadastral_ref: optional('cadastral_ref'),
  has_pool: required('has_pool'),
  has_garden: required('has_garden'),
  has_garage: required('has_garage'),
  virtual_tour_url: optional('virtual_tour_url'),
  video_url: optional('video_url'),
};

/** Nodes of the format's own, and of the parameters that give places and costs other names. */
export const RESALES = recordFormat(
  FIELDS,
  raw,
  {
    community_fees: fee('community_fees', 'month'),
    garbage_tax: fee('garbage_tax', 'year'),
    ibi_fees: fee('ibi_fees', 'year'),
    /** Costs of a year, community fees among them, which are stored by month. */
    annual_costs(node, reporting) {
      const names = ['ibi_fees', 'basura_tax', 'community_fees'] as const;
      const { community_fees, ...others } = childrenByName(node, names, reporting);
      const path = (name: string) => `${node.name}/${name}`;
      const yearly = optionalValue(
        reporting,
        path('community_fees'),
        community_fees,
        decimalsOr((text) => readFee(text, 'year')),
        measuredValue,
      );
      const monthly = yearly === undefined ? undefined : Number((yearly / 12).toFixed(6));
      const parts = Object.entries(FEES).map(([name, field]) => {
        const child = others[name as keyof typeof FEES];
        return child === undefined ? {} : fee(field, 'year')(child, reporting, path(name));
      });
      return merged([...parts, monthly === undefined ? {} : { community_fees: monthly }]);
    },
    municipality: raw('town'),
    ref: (node) => ({ ref: rawText(node) }),
    country,
    last_updated: read('source_changed_at', readTime),
    listing_date: read('listed_at', readTime),
    /** Coordinates; or, where the record has a `municipality`, the name of the area. */
    location: (node, reporting) =>
      node.children.length === 0 && /\p{L}/u.test(ownText(node))
        ? raw('area')(node, reporting)
        : location(true)(node, reporting),
  },
  [
    'price',
    'price_freq',
    'price_minimum',
    'longterm',
    'shortterm_low',
    'shortterm_high',
    'rental_license',
    'type',
    'subtype',
    'development_name',
    'unit_name',
    'Bath',
    'desc',
    'characteristics',
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
  const isStatusUnknown = fields.unknown?.includes('status') ?? false;
  for (const name of ['ref', 'price', 'price_freq', 'type', 'town', 'province']) {
    if (trimmed(nodes.get(name)) === '')
      reporting.interpreted(name, 'missing', record.line, '', '');
  }
  const { frequency, isPriceKnown } = frequencyOf(nodes, reporting);
  const id = withoutSuffix(recordId, frequency);
  const updated = fields.source_changed_at ?? null;
  const descriptions = Object.entries(
    labelsOf(nodes.get('desc'), reporting, Number.POSITIVE_INFINITY),
  );
  const { unknown: _, ...known } = fields;
  const given: Input = {
    ...known,
    kind: 'property',
    id,
    ref: fields.ref || id,
    town: fields.town ?? '',
    province: fields.province ?? '',
    type: vocabulary.typeOf(
      labelsOf(nodes.get('type'), reporting),
      labelsOf(nodes.get('subtype'), reporting),
    ),
    status: isStatusUnknown ? 'Withdrawn' : (fields.status ?? 'Available'),
    listed_at: listingTime(fields.listed_at ?? updated, now, record, reporting),
    updated_at: updated,
    offers: offersOf(nodes, frequency, isPriceKnown, reporting),
    texts: Object.fromEntries(
      descriptions.map(([language, description]) => [language, { description }]),
    ),
  };
  return {
    recordId,
    given,
    open: openFields(fields, RESALES),
    keepsStatus: isStatusUnknown,
    development: rawValue(nodes.get('development_name'), reporting),
    unit: rawValue(nodes.get('unit_name'), reporting),
    statesMinimum: trimmed(nodes.get('price_minimum')) !== '',
    categories: childrenWithNames(nodes.get('characteristics'), ['category'], reporting).map(
      (category) => ({
        name: labelsOf(childNamed(category, 'name'), reporting),
        values: childrenNamed(category, 'value').map((value) => labelsOf(value, reporting)),
      }),
    ),
  };
}

function rawValue(node: XmlNode | undefined, reporting: Reporting): string {
  return rawText(node && singleValue(node, node.name, reporting));
}

/**
 * The period of the price, and whether it is one that prices are stored for. Otherwise the price is
 * on request.
 */
function frequencyOf(
  nodes: Nodes,
  reporting: Reporting,
): { readonly frequency: Frequency; readonly isPriceKnown: boolean } {
  const node = nodes.get('price_freq');
  const readPeriod = (text: string) => {
    const period = readFrequency(text);
    return period.value === undefined ? ({ ...period, how: 'unknown_period' } as const) : period;
  };
  const read = optionalValue(reporting, 'price_freq', node, readPeriod, decided(readPeriod));
  const { onOtherTerms = false } = readFrequency(singleText(node, 'price_freq', SILENT) ?? '');
  if (read !== undefined) return { frequency: read, isPriceKnown: !onOtherTerms };
  const isPriceKnown = trimmed(node) === '';
  if (trimmed(nodes.get('longterm')) !== '') return { frequency: 'month', isPriceKnown };
  const isWeekly = trimmed(nodes.get('shortterm_low')) !== '';
  return { frequency: isWeekly ? 'week' : 'sale', isPriceKnown };
}

/**
 * The offers of a record. If its price is a rent, the property may also be for sale at a price on
 * request, which only a minimum price reveals.
 */
function offersOf(
  nodes: Nodes,
  frequency: Frequency,
  isPriceKnown: boolean,
  reporting: Reporting,
): Input['offers'] {
  const amountOf = (name: string, period: Frequency) => {
    const readAmount = decimalsOr((text) => readPrice(text, period));
    const elementOf = decided(readAmount, measuredValue);
    return optionalValue(reporting, name, nodes.get(name), readAmount, elementOf) ?? null;
  };
  const price = isPriceKnown ? amountOf('price', frequency) || null : null;
  const priceOf = (kind: Frequency) => (frequency === kind ? price : null);
  const minimum_price = amountOf('price_minimum', 'sale') ?? 0;
  const rent = amountOf('longterm', 'month');
  const low = amountOf('shortterm_low', 'week');
  const high = amountOf('shortterm_high', 'week');
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
