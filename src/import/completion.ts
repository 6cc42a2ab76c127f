import type { PropertyDocument } from '../portfolio/documents.ts';
import type { ValidRecord } from './record.ts';
import { spelling } from './values/interpretation.ts';

export type Offers = PropertyDocument['offers'];

/** The kinds of offers. */
export const OFFERS = ['sale', 'long_term', 'short_term'] as const satisfies readonly (keyof Offers)[];

/** Values of records that depend on other records; JSON. */
export interface Completion {
  /** The provinces of towns, for records without one, by {@link townKey}. */
  readonly provinces?: Readonly<Record<string, string>>;
  /** Offers that further records add, by the property's identifier. */
  readonly offers?: Readonly<Record<string, Offers>>;
  /** Offers that no record of the file has. */
  readonly openOffers?: readonly (keyof Offers)[];
}

/** The form in which towns are compared. */
export function townKey(town: string): string {
  return spelling(town);
}

/** A record with the values that depend on other records. */
export function completed(record: ValidRecord, { provinces = {}, offers = {}, openOffers }: Completion): ValidRecord {
  const { document } = record;
  if (document.kind !== 'property') return record;
  const more = Object.hasOwn(offers, document.id) ? offers[document.id] : undefined;
  const key = townKey(document.town);
  const province = document.province === '' && Object.hasOwn(provinces, key) ? provinces[key]! : document.province;
  return {
    ...record,
    document: { ...document, province, offers: more ? mergedOffers(document.offers, more) : document.offers },
    ...(openOffers && { openOffers }),
  };
}

/** The offers of two records of one property. */
export function mergedOffers(first: Offers, second: Offers): Offers {
  return {
    sale: first.sale ?? second.sale,
    long_term: first.long_term ?? second.long_term,
    short_term: first.short_term ?? second.short_term,
  };
}
