import type { Offers } from '../completion.ts';
import { withoutSuffix } from '../values/identifier.ts';
import { AMOUNT, readNumber, SALE_PRICE } from '../values/number.ts';
import { type Frequency, readFrequency } from '../values/price.ts';
import type { XmlNode } from '../xml/node.ts';
import { childText } from '../xml/node.ts';

/** The period of a record's headline price. */
function frequencyOf(record: XmlNode): Frequency {
  const read = readFrequency(childText(record, 'price_freq')).value;
  if (read !== undefined) return read;
  if (childText(record, 'longterm') !== '') return 'month';
  return childText(record, 'shortterm_low') === '' ? 'sale' : 'week';
}

/** A property's identifier, without the suffix of a record of one rental offer. */
export function identifierOf(record: XmlNode): string {
  return withoutSuffix(childText(record, 'id'), frequencyOf(record));
}

/**
 * The offers of a record. If its price is a rent, the property may also be for sale at a price on request, which only a
 * minimum price reveals.
 */
export function offersOf(record: XmlNode): Offers {
  const frequency = frequencyOf(record);
  const price = amountOf(record, 'price', frequency) || null;
  const minimum = amountOf(record, 'price_minimum', 'sale') ?? 0;
  const rent = amountOf(record, 'longterm', 'month');
  const [low, high] = [amountOf(record, 'shortterm_low', 'week'), amountOf(record, 'shortterm_high', 'week')];
  const license = childText(record, 'rental_license') || null;
  const isShortTerm = frequency === 'week' || low !== null || high !== null || license !== null;
  return {
    sale:
      frequency === 'sale' || minimum !== 0
        ? { price: frequency === 'sale' ? price : null, minimum_price: minimum }
        : null,
    long_term: frequency === 'month' || rent !== null ? { rent: rent ?? (frequency === 'month' ? price : null) } : null,
    short_term: isShortTerm ? { low: low ?? (frequency === 'week' ? price : null), high, license } : null,
  };
}

function amountOf(record: XmlNode, name: string, frequency: Frequency): number | null {
  return numberOf(childText(record, name), frequency === 'sale' ? SALE_PRICE : AMOUNT);
}

/** A number in the feed's plain decimals, else in other spellings. */
export function numberOf(text: string, quantity = AMOUNT): number | null {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === '' ? null : (readNumber(text, quantity).value ?? null);
}
