import { type Reporting, SILENT } from '../../pipeline/notes.ts';
import { readPrice, wordsWith } from '../../values/number.ts';
import { furthest, readStatus, type Status } from '../../values/status.ts';
import {
  currencyIn,
  type Frequency,
  readFrequency,
  readLeadingPeriod,
} from '../../values/words.ts';
import { trimmed, type XmlNode } from '../../xml/node.ts';
import { optionalValue, understoodValue } from '../../xml/reading.ts';
import { decided, measuredValue, singleText } from '../../xml/value.ts';
import type { Nodes } from '../nodes.ts';
import type { Input } from '../readers.ts';

/** What a record offers its property for. */
interface Offer {
  readonly category: Frequency;
  readonly currency: string | undefined;
  readonly offers: NonNullable<Input['offers']>;
  /**
   * Whether the record says so. Otherwise the stored offers remain; those of a new property have no
   * price.
   */
  readonly isKnown: boolean;
  /** The status that stands in the place of the period, or of the price. */
  readonly status: Status | undefined;
}

/**
 * The offer of a record, by its price and the period of that. A price for an unknown period, in an
 * unknown currency, or on other terms than the three kinds of offers is on request: a rent is never
 * taken for the price of a home.
 *
 * @param stated the currency that the record states; `null` if it is unreadable
 */
export function readOffer(
  nodes: Nodes,
  stated: string | null | undefined,
  reporting: Reporting,
  line: number,
): Offer {
  const node = nodes.get('price');
  const period = periodOf(nodes, reporting, line);
  const text = trimmed(node);
  const named = currencyIn(text);
  const currency = stated === undefined ? named?.value : stated;
  const isNamed = named?.value !== undefined && currency === named.value;
  const isCurrencyKnown = named === undefined ? stated !== null : isNamed;
  const isKnown = period.isKnown && isCurrencyKnown;
  if (node !== undefined && text !== '' && !isCurrencyKnown) {
    const given = [text, trimmed(nodes.get('currency'))].join(' ').trim();
    reporting.interpreted(node.name, 'unreadable', node.line, given, null);
  }
  if (isKnown && !period.onOtherTerms && text === '' && singleText(node, 'price', SILENT) === '')
    reporting.interpreted('price', 'missing', node?.line ?? line, '', null);
  const { category } = period;
  const read = (given: string) => readPrice(given, category);
  const price =
    isKnown && !period.onOtherTerms
      ? (optionalValue(reporting, 'price', node, read, decided(read, measuredValue)) ?? null)
      : null;
  return {
    category,
    isKnown,
    currency: currency ?? undefined,
    status: furthest([period.status, offMarket(readStatus(text).value)]),
    offers: {
      sale: category === 'sale' ? { price } : null,
      long_term: category === 'month' ? { rent: price } : null,
      short_term: category === 'week' ? { low: price, high: null } : null,
    },
  };
}

interface Period {
  readonly category: Frequency;
  readonly onOtherTerms: boolean;
  readonly isKnown: boolean;
  readonly status?: Status | undefined;
}

/**
 * The period of a price, from its node; without one, from the words after the price, or from a
 * status such as `for rent`.
 */
function periodOf(nodes: Nodes, reporting: Reporting, line: number): Period {
  const node = nodes.get('price_freq');
  const element = node && decided(readFrequency)(node, node.name, reporting);
  const text = element && trimmed(element);
  if (node !== undefined && text !== '') return statedPeriod(node, text, reporting);
  const words = wordsWith(singleText(nodes.get('price'), 'price', SILENT) ?? '');
  const { value, onOtherTerms = false } = readLeadingPeriod(words);
  const category = value ?? rentalOf(nodes);
  const given = value === undefined ? '' : words;
  reporting.interpreted('price_freq', 'missing', node?.line ?? line, given, category);
  return { category, onOtherTerms, isKnown: true };
}

const OFF_MARKET: ReadonlySet<string> = new Set(['Sale Agreed', 'Sold', 'Withdrawn']);

function offMarket(status: Status | undefined): Status | undefined {
  return status?.rented || OFF_MARKET.has(status?.status ?? '') ? status : undefined;
}

/** @param text `undefined` if the structure of the node is unreadable, which has been reported */
function statedPeriod(node: XmlNode, text: string | undefined, reporting: Reporting): Period {
  if (text === undefined) return { category: 'sale', onOtherTerms: true, isKnown: false };
  const read = readFrequency(text);
  const { onOtherTerms = false } = read;
  // Programs also write here that a property is sold or let.
  const status = readStatus(text).value;
  const offered = offMarket(status);
  if (read.value !== undefined && !(onOtherTerms && offered !== undefined)) {
    understoodValue(reporting, node.name, node, read, text);
    return { category: read.value, onOtherTerms, isKnown: true };
  }
  const category = status?.rented ? 'month' : 'sale';
  const as = offered?.rented ? 'rented' : (offered?.status ?? category);
  reporting.interpreted(node.name, 'unknown_period', node.line, text, `${as}, on request`);
  return { category, onOtherTerms: true, isKnown: false, status };
}

/**
 * A long-term rental if the status says that the property is for rent or let; otherwise a sale, as
 * in most feeds.
 */
function rentalOf(nodes: Nodes): Frequency {
  const text = trimmed(nodes.get('status'));
  const isRental = readFrequency(text).value === 'month' || readStatus(text).value?.rented === true;
  return isRental ? 'month' : 'sale';
}
