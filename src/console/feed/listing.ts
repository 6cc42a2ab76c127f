import type { FeedProperty } from '../../db/feed/feed-properties.ts';
import type { TypeLabel } from '../../db/vocabulary.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import type { Offers } from '../properties/price.ts';

/** A property as a card shows it: what a reader of the feed learns, in one language. */
export interface Listing {
  readonly identifier: string;
  readonly reference: string;
  /** Type and subtype. */
  readonly type: string;
  readonly offers: Offers;
  /** Area and town. */
  readonly place: string;
  /** Addresses. */
  readonly pictures: readonly string[];
  readonly beds: number;
  readonly baths: number;
  readonly status: string;
  readonly description: string;
}

const MAX_PICTURES = 4;
const MAX_DESCRIPTION_LENGTH = 160;
const ENGLISH_CODE = 1;

/**
 * What a card shows of a property.
 *
 * @param types the account's names of types
 * @param language the code of the card's language, one of the feed's
 */
export function listingOf(
  row: FeedProperty,
  format: FeedFormat,
  parameters: FeedParameters,
  types: readonly TypeLabel[],
  language: number,
): Listing {
  const labels = types.filter(({ id }) => id === row.type_id);
  const named = (code: number | null) => labels.find((label) => label.language === code && label.type !== null);
  const label = named(language) ?? named(ENGLISH_CODE) ?? labels[0];
  const text = row.descriptions[parameters.languages.indexOf(language)] ?? '';
  const pictures = (row.pictures ?? '').split('\n').filter((address) => /^https?:/.test(address));
  return {
    identifier: row.identifier,
    reference: row.reference || row.identifier,
    type: [label?.type, label?.subtype].filter(Boolean).join(' – ') || (label?.code ?? ''),
    offers: offersOf(row, parameters),
    place: [row.area, row.town].filter(Boolean).join(', '),
    pictures: pictures.slice(0, MAX_PICTURES),
    beds: row.beds,
    baths: row.bath,
    status: row.status,
    description: shortened(format.withAddresses ? text.slice(text.indexOf('\n') + 1) : text),
  };
}

/** The offers of a property that a feed shows. */
function offersOf(row: FeedProperty, parameters: FeedParameters): Offers {
  const { category } = parameters;
  // Only one format leaves short-term rentals out.
  const showsShortTerm = !('shortTerm' in parameters) || parameters.shortTerm === true;
  const isShort = row.for_short_term === 1 && category !== 'SALE' && showsShortTerm;
  return {
    currency: row.currency,
    ...(row.for_sale === 1 && category !== 'RENT' && { sale: row.sale_price }),
    ...(row.for_long_term === 1 && category !== 'SALE' && { month: row.monthly_rent }),
    ...(isShort && { weeks: [row.low_season_rent, row.high_season_rent] }),
  };
}

function shortened(text: string): string {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').trim();
  return plain.length > MAX_DESCRIPTION_LENGTH ? `${plain.slice(0, MAX_DESCRIPTION_LENGTH).trimEnd()}…` : plain;
}
