/**
 * The kinds of interpretation of values that deviate from their format, with their descriptions. Such records are
 * imported, and every interpretation is reported.
 */
export const INTERPRETATIONS = {
  unreadable: 'not readable, treated as absent',
  missing: 'missing or empty',
  spelling: 'alternative spelling',
  thousands_separator: 'thousands separators removed',
  decimal_comma: 'decimal comma',
  unit: 'unit removed',
  first_number: 'first number used, the rest ignored',
  rounded: 'rounded',
  half_bath: 'half a bath is a toilet',
  on_request: 'price on request',
  per_day: 'price per day or year not used, price on request',
  date_format: 'another date format',
  no_date: 'placeholder date, treated as absent',
  coordinates_format: 'another format of coordinates',
  coordinates_swapped: 'latitude and longitude may be swapped, used as given',
  no_coordinates: 'coordinates 0, 0, treated as absent',
  repeated: 'given twice with the same content, used once',
  first_of_several: 'given twice with different content, the first used',
  plain_text: 'text without a language, treated as English',
  text_split: 'text split into names',
  language: 'another language code',
  link_extracted: 'URL extracted from markup',
  cut: 'too long, truncated',
  control_characters: 'control characters replaced with spaces',
  too_many: 'too many entries, the first ones used',
  out_of_bounds: 'cannot be stored, treated as absent',
  entity: 'not an entity of XML, repaired',
  latin1: 'not valid UTF-8 anywhere, read as Latin-1',
  from_other_records: "the town's province in other records",
} as const;

export type InterpretationKind = keyof typeof INTERPRETATIONS;

/** The interpretation of a text: `undefined` if it is unreadable. `how` is absent for a text in the specified form. */
export interface Understood<Value> {
  readonly value: Value | undefined;
  readonly how?: InterpretationKind;
}

export const UNREADABLE = { value: undefined, how: 'unreadable' } as const;

/** The form in which spellings are compared: lower case, without accents, words separated by one space. */
export function spelling(text: string): string {
  return (ASCII.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
    .toLowerCase()
    .replaceAll(/[\s_.\-–/]+/g, ' ')
    .trim();
}

/** Most texts: they have no accents, and looking for some would take longer than all the rest. */
const ASCII = /^[\0-\x7f]*$/;

/** Texts that mean no value. */
export function isPlaceholder(text: string): boolean {
  return /^([-–—?.*\s]+|n ?a|none|null|nan|unknown|not specified|sin especificar|desconocido)$/.test(
    spelling(text) || '-',
  );
}
