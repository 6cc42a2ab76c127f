import { isHome, typeKind } from '../listing.ts';
import { isInSpain } from '../provinces.ts';
import { type ListingRule, when } from '../rule.ts';

/** A Spanish cadastral reference: 20 letters and digits, of which the first 14 name the plot. */
const CADASTRAL = /^[0-9A-Z]{14}([0-9]{4}[A-Z]{2})?$/i;

export const FACT_RULES: readonly ListingRule[] = [
  {
    code: 'energy_rating_incomplete',
    severity: 'info',
    en: 'Only one of the two energy ratings is given.',
    es: 'Solo se indica una de las dos letras de la calificación energética.',
    fix: { en: 'Give both: consumption and emissions.', es: 'Indique ambas: consumo y emisiones.' },
    check: ({ consumption, emissions }) =>
      when((consumption === 'X') !== (emissions === 'X'), 'energy_rating', `${consumption}, ${emissions}`),
  },
  {
    code: 'no_subtype',
    severity: 'info',
    en: 'The type has no subtype. Portals that look up both show the property under Other.',
    es: 'El tipo no tiene subtipo. Los portales que consultan ambos muestran el inmueble en «Otros».',
    fix: { en: 'Choose a more precise type.', es: 'Elija un tipo más preciso.' },
    portals: ['resales-online'],
    check: ({ type, subtype }) => when(Object.keys(subtype).length === 0, 'subtype', Object.values(type)[0] ?? ''),
  },
  {
    code: 'type_unknown',
    severity: 'warning',
    en: 'Other programs do not recognise this type, so they show the property under Other or not at all.',
    es: 'Otros programas no reconocen este tipo, así que muestran el inmueble en «Otros» o no lo muestran.',
    fix: {
      en: 'Choose a type from the built-in vocabulary, or map the name with --names when importing.',
      es: 'Elija un tipo del vocabulario incorporado, o asigne el nombre con --names al importar.',
    },
    check: (listing) => when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  },
  {
    code: 'type_not_translated',
    severity: 'warning',
    en: 'The type has no name in a language in which the property has a description.',
    es: 'El tipo no tiene nombre en un idioma en el que el inmueble tiene descripción.',
    fix: { en: 'Add the name to the vocabulary.', es: 'Añada el nombre al vocabulario.' },
    check: (listing) => {
      const { type, descriptions } = listing;
      const missing = typeKind(listing) === 'unknown' ? [] : Object.keys(descriptions).filter((one) => !(one in type));
      return when(missing.length > 0, `type/${missing[0]}`, `${Object.values(type)[0] ?? ''} (${missing.join(', ')})`);
    },
  },
  {
    code: 'no_features',
    severity: 'info',
    en: 'The property has no features, so filtered searches miss it.',
    es: 'El inmueble no tiene características, así que no aparece en las búsquedas con filtros.',
    fix: { en: 'Give its features.', es: 'Indique sus características.' },
    check: (listing) => when(isHome(listing) && listing.features.length === 0, 'characteristics', 0),
  },
  {
    code: 'pool_contradicts_features',
    severity: 'info',
    en: 'The property has a pool among its features but is marked as having none, so searches for a pool miss it.',
    es: 'El inmueble tiene una piscina entre sus características pero está marcado como si no la tuviera, así que no aparece al buscar una piscina.',
    fix: { en: 'Mark it as having a pool.', es: 'Márquelo como inmueble con piscina.' },
    check: ({ hasPool, features }) => {
      const pool = features.find(
        ({ category, label }) => category === 'Pool' && !/^(room|space) for/i.test(label.uk ?? ''),
      );
      return when(!hasPool && pool !== undefined, 'has_pool', Object.values(pool?.label ?? {})[0] ?? '');
    },
  },
  {
    code: 'cadastral_reference_invalid',
    severity: 'info',
    en: 'The cadastral reference is not a Spanish one, which has 14 or 20 letters and digits.',
    es: 'La referencia catastral no es española: las de España tienen 14 o 20 letras y cifras.',
    fix: { en: 'Copy it from the tax receipt or the cadastre.', es: 'Cópiela del recibo del IBI o del Catastro.' },
    check: (listing) => {
      const reference = listing.cadastral_ref?.replace(/\s/g, '') ?? '';
      const isRequired = isInSpain(listing);
      return when(reference !== '' && isRequired && !CADASTRAL.test(reference), 'cadastral_ref', reference);
    },
  },
];
