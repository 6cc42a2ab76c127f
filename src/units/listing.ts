import type { DevelopmentDetails } from '../properties/development.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import type { Unit } from './units.ts';

/** What a listing says of the home that a unit is, and its development does not know. */
export type UnitFacts = Partial<
  Pick<
    PropertyDocument,
    'type' | 'beds' | 'bath' | 'built_area' | 'terrace_area' | 'plot_area' | 'floor'
  >
>;

/** The body of a property that is a unit. */
export interface UnitListing extends Partial<PropertyDocument> {
  readonly unit: NonNullable<PropertyDocument['unit']>;
  readonly offers: PropertyDocument['offers'];
}

const REASONS: readonly (string | null)[] = ['in_process', 'exempt'];

/**
 * The listing of a unit, as the body of a property without its reference: for sale at the unit's price, where the development is.
 * It is withdrawn, so that no feed has it before somebody has looked at it.
 */
export function listingOf(
  { development, name, price }: Pick<Unit, 'development' | 'name' | 'price'>,
  details: DevelopmentDetails,
  facts: UnitFacts = {},
): UnitListing {
  const { town, province, country, postcode, address, location, energy } = details;
  const isCertified = energy !== null && !REASONS.includes(energy);
  const letter = isCertified ? { consumption: energy as PropertyDocument['consumption'] } : {};
  const status = energy as PropertyDocument['energy_status'];
  return {
    unit: { development, name },
    status: 'Withdrawn',
    new_build: true,
    offers: { sale: { price, minimum_price: 0 }, long_term: null, short_term: null },
    town: town ?? '',
    province: province ?? '',
    country,
    postcode,
    address,
    location,
    energy_status: isCertified ? null : status,
    ...letter,
    ...facts,
  };
}

/** The identifier and reference of a unit's listing that nobody has named: `sol-azul-A-101`. */
export function listingName(development: string, name: string): string {
  return `${development}-${name}`.replaceAll(/\s+/g, '-').slice(0, 100);
}
