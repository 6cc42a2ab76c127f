import { LONGEST_ID, LONGEST_REFERENCE, MOST_FEATURES } from '../limits.ts';
import { isHome, typeKind } from '../listing.ts';
import { isInSpain } from '../provinces.ts';
import { type ListingRule, when } from '../rule.ts';

/** A cadastral reference of Spain: twenty letters and digits, of which the first fourteen name the plot. */
const CADASTRAL = /^[0-9A-Z]{14}([0-9]{4}[A-Z]{2})?$/i;

export const FACT_RULES: readonly ListingRule[] = [
  {
    code: 'energy_rating_missing',
    severity: 'warning',
    portals: [],
    check: (listing) => {
      const isKnown = listing.consumption !== 'X' || listing.emissions !== 'X';
      const isRequired = isHome(listing) && isInSpain(listing);
      return when(!isKnown && isRequired, 'energy_rating', 'X');
    },
  },
  {
    code: 'energy_rating_incomplete',
    severity: 'info',
    portals: [],
    check: ({ consumption, emissions }) =>
      when((consumption === 'X') !== (emissions === 'X'), 'energy_rating', `${consumption}, ${emissions}`),
  },
  {
    code: 'no_subtype',
    severity: 'info',
    portals: [],
    check: ({ type, subtype }) => when(Object.keys(subtype).length === 0, 'subtype', Object.values(type)[0] ?? ''),
  },
  {
    code: 'type_unknown',
    severity: 'warning',
    portals: [],
    check: (listing) => when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  },
  {
    code: 'type_not_translated',
    severity: 'warning',
    portals: [],
    check: ({ type, descriptions }) => {
      const missing = Object.keys(descriptions).filter((language) => !(language in type));
      return when(missing.length > 0, `type/${missing[0]}`, `${Object.values(type)[0] ?? ''} (${missing.join(', ')})`);
    },
  },
  {
    code: 'feature_not_translated',
    severity: 'info',
    portals: [],
    check: ({ features, descriptions }) => {
      const languages = Object.keys(descriptions);
      const names = features
        .filter(({ label }) => languages.some((language) => !(language in label)))
        .map(({ label }) => Object.values(label)[0] ?? '');
      return when(names.length > 0, 'characteristics', names.join(', '));
    },
  },
  {
    code: 'no_features',
    severity: 'info',
    portals: [],
    check: (listing) => when(isHome(listing) && listing.features.length === 0, 'characteristics', 0),
  },
  {
    code: 'more_than_50_features',
    severity: 'warning',
    portals: ['kyero'],
    check: ({ features }) => when(features.length > MOST_FEATURES, 'characteristics', features.length),
  },
  {
    code: 'pool_contradicts_features',
    severity: 'info',
    portals: [],
    check: ({ hasPool, features }) => {
      const pool = features.find(
        ({ category, label }) => category === 'Pool' && !/^(room|space) for/i.test(label.uk ?? ''),
      );
      return when(!hasPool && pool !== undefined, 'has_pool', Object.values(pool?.label ?? {})[0] ?? '');
    },
  },
  {
    code: 'id_too_long',
    severity: 'error',
    portals: ['kyero'],
    check: ({ id }) => when(id.length > LONGEST_ID, 'id', id),
  },
  {
    code: 'reference_too_long',
    severity: 'info',
    portals: ['property-showrooms'],
    check: ({ reference }) => when(reference.length > LONGEST_REFERENCE, 'ref', reference),
  },
  {
    code: 'cadastral_reference_invalid',
    severity: 'info',
    portals: [],
    check: (listing) => {
      const reference = listing.cadastralReference?.replace(/\s/g, '') ?? '';
      const isRequired = isInSpain(listing);
      return when(reference !== '' && isRequired && !CADASTRAL.test(reference), 'cadastral_ref', reference);
    },
  },
];
