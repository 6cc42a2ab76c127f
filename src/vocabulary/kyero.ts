import { TYPE_ENTRIES } from './entries.ts';
import { featuresNamed, typeNamed } from './lookup.ts';
import { nameKey } from './name-key.ts';

/** The country of a property that states none: many readers skip a record without a country. */
export const DEFAULT_COUNTRY = 'Spain';

/** Kyero's own types, with the built-in types that readers find under each. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  Apartment: ['apartment', 'apartment-ground', 'apartment-middle', 'apartment-top', 'loft'],
  Bungalow: ['bungalow', 'mobile-home'],
  'Cave House': ['cave-house'],
  'Country House': ['country-house', 'farmhouse', 'castle'],
  Duplex: ['duplex'],
  Farm: ['farm'],
  Finca: ['finca'],
  Garage: ['garage', 'parking'],
  Land: ['plot', 'plot-residential', 'plot-commercial', 'plot-rustic', 'land'],
  Penthouse: ['penthouse', 'penthouse-duplex'],
  Ruin: ['land-with-ruin'],
  Studio: ['studio', 'studio-ground', 'studio-middle', 'studio-top'],
  'Town House': ['townhouse', 'townhouse-corner', 'quad', 'city-palace'],
  Triplex: ['triplex'],
  Villa: ['villa', 'house', 'semi-detached'],
  'Village House': ['village-house'],
  'Wooden Home': ['wooden-house', 'wooden-cabin'],
};

/** Kyero's type of every built-in type that is not under {@link TYPES}: all of those are commercial. */
const COMMERCIAL = 'Commercial Property';

/**
 * Kyero's own types by the built-in types that readers find under them. Readers skip a type that is not in Kyero's list, or take
 * it for a flat.
 */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ...TYPE_ENTRIES.map(({ code }) => [code, COMMERCIAL] as const),
  ...Object.entries(TYPES).flatMap(([name, codes]) => codes.map((code) => [code, name] as const)),
]);

/** Kyero's names as the words of another type's name: `Luxury Apartment` is an apartment. */
const WORDS = [...Object.keys(TYPES), 'Cortijo', 'Terraced House', COMMERCIAL]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => [name, new RegExp(`\\b${name.replace(' ', ' ?')}\\b`, 'i')] as const);

/** Words that make another type of a name: an apartment building is no apartment, a villa plot no villa. */
const COMPOUND =
  /\b(building|block|complex|development|project|plot|land|site|hotel|business|licen[cs]e|share|edificio|bloque|complejo|parcela|solar|terreno|local)s?\b/i;

/** The type of a label with fewer than three letters in Kyero's alphabet. */
const UNNAMED = 'Property';

/**
 * A type as Kyero's format has it. Importing the name and the detail gives the code again:
 * `test/unit/vocabulary/kyero-names.test.ts` tries every built-in type.
 *
 * @param label in English, if it has an English label
 * @returns Kyero's name or else the own label, in Latin letters, spaces and `&()/-`; in `detail` the own label if that says more;
 * whether the import finds the type by the two
 */
export function kyeroType(code: string, label: string) {
  const text = label.replaceAll(/\s+/g, ' ').trim();
  const own = BUILT_IN.get(code);
  if (own === undefined) {
    const named = WORDS.find(([, words]) => words.test(text) || words.test(code));
    const isCompound =
      named !== undefined && named[0] !== 'Land' && COMPOUND.test(text.replace(named[1], ''));
    const name = named === undefined || isCompound ? latin(text) : named[0];
    return { name, detail: nameKey(name) === nameKey(text) ? '' : text, isBuiltIn: false };
  }
  if (typeNamed(own)?.code === code) return { name: own, detail: '', isBuiltIn: true };
  const { subtype, type } = TYPE_ENTRIES.find((entry) => entry.code === code)!.document.labels.uk!;
  const isKnown = typeNamed(text)?.code === code;
  const words = isKnown ? text : (subtype ?? type);
  // A name that is also a feature's, such as `Bar`, would be read as one: its type precedes it.
  return {
    name: own,
    detail: featuresNamed(words).length > 0 ? `${type} ${words}` : words,
    isBuiltIn: true,
  };
}

/** Whether a feature is the detail of a record's type, such as `Ground Floor Apartment` of `Apartment`. */
export function isDetailOf(type: string, feature: string): boolean {
  const entry = typeNamed(feature);
  return (
    entry !== undefined &&
    featuresNamed(feature).length === 0 &&
    nameKey(BUILT_IN.get(entry.code)!) === nameKey(type) &&
    typeNamed(type) !== entry
  );
}

/** Whether a type of the account's own, by its code, has this other type in Kyero's format. */
export function hasKyeroType(code: string, other: string): boolean {
  const { name, detail, isBuiltIn } = kyeroType(code, code);
  return !isBuiltIn && detail !== '' && (typeNamed(name)?.code ?? name) === other;
}

function latin(name: string): string {
  const letters = name
    .replaceAll(/[ßæøœłđþ]/gi, (letter) => LETTERS[letter.toLowerCase()]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z&()/-]+/g, ' ')
    .trim();
  return letters.length < 3 ? UNNAMED : letters;
}

/** Letters that have no decomposition. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  þ: 'th',
};

/** Categories whose labels say too little alone, as `Sea`, with the labels that do not need the category. */
const JOINED: ReadonlyMap<string, RegExp> = new Map([
  ['Orientation', /^$/i],
  ['Condition', /renov|refurb|restor|construction|move in/i],
  ['Pool', /pool/i],
  ['Views', /view/i],
  ['Furniture', /furnish/i],
  ['Kitchen', /kitchen/i],
  ['Garden', /garden|irrigation/i],
  ['Parking', /garage|parking/i],
]);

/** Labels that several categories have. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'Beachfront',
  'Country',
  'Port',
  'Communal',
  'Private',
  'Pool',
  'Golf',
  'Garden',
  'Street',
]);

/** The category of features that an import did not know. */
const UNKNOWN_CATEGORY = 'Features';

/** The label of a feature that the vocabulary does not have, from a name that says so: `Communal Features`. */
export function unknownLabel(name: string): string | undefined {
  const label = name.endsWith(` ${UNKNOWN_CATEGORY}`)
    ? name.slice(0, -UNKNOWN_CATEGORY.length - 1)
    : '';
  return AMBIGUOUS.has(label) ? label : undefined;
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['Pool Pool', 'Swimming Pool'],
  ['Garden Garden', 'With Garden'],
]);

/**
 * The name of a feature by its English label and its category's code, as the import understands it: `Sea Views`,
 * `Communal Pool`, `South Orientation`, `Lift`.
 */
export function featureName(category: string, label: string): string {
  const alone = JOINED.get(category);
  if (!AMBIGUOUS.has(label) && (alone === undefined || alone.test(label))) return label;
  const joined = `${label} ${category}`;
  return EXCEPTIONS.get(joined) ?? joined;
}
