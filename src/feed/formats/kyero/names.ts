/**
 * Types as Kyero names them, by the codes of the vocabulary; all others have their English label. Importing a name gives the
 * code again: `test/unit/vocabulary/kyero-names.test.ts` tries every entry.
 */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['villa', 'Villa'],
  ['townhouse', 'Town House'],
  ['finca', 'Finca'],
]);

/** The type of a property for which Kyero's alphabet has no name. */
const UNNAMED = 'Property';

/** The name of a type: Latin letters, spaces and `&()/-`, at least three characters. */
export function typeName(code: string, label: string): string {
  const name = TYPES.get(code) ?? label;
  const latin = name
    .replaceAll(/[ßæøœłđþ]/gi, (letter) => LETTERS.get(letter.toLowerCase())!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z&()/-]+/g, ' ')
    .trim();
  return latin.length < 3 ? UNNAMED : latin;
}

/** Letters that have no decomposition. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['þ', 'th'],
]);

/** Categories whose labels say too little alone, as `Sea`, with the labels that do not need the category. */
const JOINED: ReadonlyMap<string, RegExp> = new Map([
  ['Orientation', /^$/],
  ['Condition', /renov|refurb|restor|construction|move in/i],
  ['Pool', /pool/i],
  ['Views', /view/i],
  ['Furniture', /furnish/i],
  ['Kitchen', /kitchen/i],
  ['Garden', /garden|irrigation/i],
  ['Parking', /garage|parking/i],
]);

/** Labels that several categories have. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  'Beachfront|Country|Port|Communal|Private|Pool|Golf|Garden|Street'.split('|'),
);

/** The category of features that an import did not know. */
const UNKNOWN_CATEGORY = 'Features';

/** The label of a feature that the vocabulary does not have, from a name that says so: `Communal Features`. */
export function unknownLabel(name: string): string | undefined {
  const label = name.endsWith(` ${UNKNOWN_CATEGORY}`) ? name.slice(0, -UNKNOWN_CATEGORY.length - 1) : '';
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
