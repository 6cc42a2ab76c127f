import { isHome, isInSpain, typeKind } from '../listing.ts';
import { findProvince } from '../provinces.ts';
import { type ListingRule, when } from '../rule.ts';

/** The longest identifier and reference that are accepted: by Kyero, and by Property Showrooms. */
const LONGEST_ID = 50;
const LONGEST_REFERENCE = 20;

/** The most features that Kyero's schema accepts. */
const MOST_FEATURES = 50;

/** A cadastral reference of Spain: twenty letters and digits, of which the first fourteen name the plot. */
const CADASTRAL = /^[0-9A-Z]{14}([0-9]{4}[A-Z]{2})?$/i;

export const FACT_RULES: readonly ListingRule[] = [
  {
    code: 'energy_rating_missing',
    severity: 'warning',
    explanation:
      'The energy rating is missing. In Spain every advertisement for sale or rent must state it (Real Decreto 390/2021, article 15).',
    fix: 'Give the letters of consumption and emissions from the certificate.',
    portals: [],
    check: (listing) => {
      const isKnown = listing.consumption !== 'X' || listing.emissions !== 'X';
      const isRequired = isHome(listing) && isInSpain(listing, (name) => findProvince(name) !== undefined);
      return when(!isKnown && isRequired, 'energy_rating', 'X');
    },
  },
  {
    code: 'energy_rating_incomplete',
    severity: 'info',
    explanation: 'Only one of the two letters of the energy rating is given.',
    fix: 'Give both: consumption and emissions.',
    portals: [],
    check: ({ consumption, emissions }) =>
      when((consumption === 'X') !== (emissions === 'X'), 'energy_rating', `${consumption}, ${emissions}`),
  },
  {
    code: 'no_subtype',
    severity: 'info',
    explanation: 'The type has no subtype. Readers that look up both show the property under Other.',
    fix: 'Choose a more precise type, such as a ground floor apartment.',
    portals: [],
    check: ({ type, subtype }) => when(Object.keys(subtype).length === 0, 'subtype', Object.values(type)[0] ?? ''),
  },
  {
    code: 'type_unknown',
    severity: 'warning',
    explanation: 'The type is none that other programs know, so they show the property under Other or not at all.',
    fix: 'Choose a type of the built-in vocabulary, or map the name with --names when importing.',
    portals: [],
    check: (listing) => when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  },
  {
    code: 'type_not_translated',
    severity: 'warning',
    explanation: 'The type has no name in a language in which the property has a description.',
    fix: 'Add the name to the vocabulary.',
    portals: [],
    check: ({ type, descriptions }) => {
      const missing = Object.keys(descriptions).filter((language) => !(language in type));
      return when(
        missing.length > 0,
        `type/${missing[0]}`,
        `${Object.values(type)[0] ?? ''}: not in ${missing.join(', ')}`,
      );
    },
  },
  {
    code: 'feature_not_translated',
    severity: 'info',
    explanation: 'Features have no name in a language in which the property has a description.',
    fix: 'Add the names to the vocabulary, or map them with --names when importing.',
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
    explanation: 'The property has no features, which readers filter by.',
    fix: 'Give its features.',
    portals: [],
    check: (listing) => when(isHome(listing) && listing.features.length === 0, 'characteristics', 0),
  },
  {
    code: 'more_than_50_features',
    severity: 'warning',
    explanation: `Kyero's schema accepts ${MOST_FEATURES} features.`,
    fix: `Keep the ${MOST_FEATURES} that matter.`,
    portals: ['kyero'],
    check: ({ features }) => when(features.length > MOST_FEATURES, 'characteristics', features.length),
  },
  {
    code: 'pool_contradicts_features',
    severity: 'info',
    explanation:
      'The property has a pool among its features but is marked as having none, so searches for a pool miss it.',
    fix: 'Mark it as having a pool.',
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
    explanation: `Kyero's schema accepts identifiers of at most ${LONGEST_ID} characters.`,
    fix: 'Give it a shorter identifier.',
    portals: ['kyero'],
    check: ({ id }) => when(id.length > LONGEST_ID, 'id', id),
  },
  {
    code: 'reference_too_long',
    severity: 'info',
    explanation: `Property Showrooms accepts references of at most ${LONGEST_REFERENCE} characters.`,
    fix: 'Give it a shorter reference.',
    portals: ['property-showrooms'],
    check: ({ reference }) => when(reference.length > LONGEST_REFERENCE, 'ref', reference),
  },
  {
    code: 'cadastral_reference_invalid',
    severity: 'info',
    explanation: 'The cadastral reference is not one of Spain: those have 14 or 20 letters and digits.',
    fix: 'Copy it from the tax receipt or the cadastre.',
    portals: [],
    check: (listing) => {
      const reference = listing.cadastralReference?.replace(/\s/g, '') ?? '';
      const isRequired = isInSpain(listing, (name) => findProvince(name) !== undefined);
      return when(reference !== '' && isRequired && !CADASTRAL.test(reference), 'cadastral_ref', reference);
    },
  },
];
