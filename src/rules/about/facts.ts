import { isHome, typeKind } from '../listing.ts';
import { isInSpain } from '../provinces.ts';
import { type ListingChecks, when } from '../rule.ts';

/** A Spanish cadastral reference: 20 letters and digits, of which the first 14 name the plot. */
const CADASTRAL = /^[0-9A-Z]{14}([0-9]{4}[A-Z]{2})?$/i;

export const FACT_CHECKS: ListingChecks = {
  energy_rating_incomplete: ({ consumption, emissions }) =>
    when((consumption === 'X') !== (emissions === 'X'), 'energy_rating', `${consumption}, ${emissions}`),
  no_subtype: ({ type, subtype }) => when(Object.keys(subtype).length === 0, 'subtype', Object.values(type)[0] ?? ''),
  type_unknown: (listing) => when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  type_not_translated: (listing) => {
    const { type, descriptions } = listing;
    const missing = typeKind(listing) === 'unknown' ? [] : Object.keys(descriptions).filter((one) => !(one in type));
    return when(missing.length > 0, `type/${missing[0]}`, `${Object.values(type)[0] ?? ''} (${missing.join(', ')})`);
  },
  no_features: (listing) => when(isHome(listing) && listing.features.length === 0, 'characteristics', 0),
  pool_contradicts_features: ({ hasPool, features }) => {
    const pool = features.find(
      ({ category, label }) => category === 'Pool' && !/^(room|space) for/i.test(label.uk ?? ''),
    );
    return when(!hasPool && pool !== undefined, 'has_pool', Object.values(pool?.label ?? {})[0] ?? '');
  },
  cadastral_reference_invalid: (listing) => {
    const reference = listing.cadastral_ref?.replace(/\s/g, '') ?? '';
    const isRequired = isInSpain(listing);
    return when(reference !== '' && isRequired && !CADASTRAL.test(reference), 'cadastral_ref', reference);
  },
};
