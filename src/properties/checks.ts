import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { STORED_LANGUAGES, type StoredLanguage } from '../lib/languages.ts';
import { because, type CodedMessage, message } from '../messages/messages.ts';

/** Whether a text has at most this many bytes in UTF-8; they are counted only if the number of UTF-16 code units does not decide. */
export function fitsInto(text: string, most: number): boolean {
  return text.length * 3 <= most || Buffer.byteLength(text) <= most;
}

/** What is wrong with a text; `null` if it satisfies the rule. */
type Rule = (value: string) => CodedMessage | null;

/** What is wrong with the size of a text, without and with a least one. */
const SIZES = {
  characters: ['too_long', 'wrong_length'],
  bytes: ['too_many_bytes', 'wrong_size'],
} as const;

/** Whether a text has a character that can be seen: a zero-width space is blank as well. */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}]/u.test(text);
}

/** Whether an address may be one of the web: it has no scheme, as `foto.jpg`, or one of HTTP. */
export function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) || !/^\s*[a-z][a-z\d+.-]*:(?!\d)/i.test(text);
}

/** A string of `least` to `most` characters. */
export function text(least: number, most: number) {
  return checked(
    wellFormed,
    sized('characters', least, most),
    // To SQLite's length() such a text is empty.
    (value) => (least > 0 && value.startsWith('\0') ? message('begins_with_nul') : null),
  ).meta({ ...(least > 0 && { minLength: least }), maxLength: most });
}

/** Like {@link text}, for names that are compared: in Unicode NFC, so that a name is one however it is typed. */
export function name(least: number, most: number) {
  const size = { ...(least > 0 && { minLength: least }), maxLength: most };
  return z.string().normalize('NFC').pipe(text(least, most)).meta(size);
}

/** A string of `least` to `most` bytes in UTF-8. */
export function bytes(least: number, most: number) {
  return checked(wellFormed, sized('bytes', least, most)).meta({ maxLength: most });
}

/** A string that satisfies all of these rules, as a single zod check: imports have millions of texts. */
function checked(...rules: readonly Rule[]) {
  return z.string().check(({ value, issues }) => {
    for (const rule of rules) {
      const found = rule(value);
      if (found === null) continue;
      // Otherwise a union would not report which of its members failed.
      issues.push({ code: 'custom', params: { message: found }, input: value, continue: true });
    }
  });
}

/** A list of at most `most` texts. Their number is checked before any of them is, which limits the errors. */
export function textList(entry: z.ZodType<string, string>, most: number) {
  return z
    .array(z.any())
    .max(most)
    .pipe(z.array(entry))
    .meta({ items: { type: 'string', ...entry.meta() } });
}

const isLine: Rule = (value) => (value.includes('\n') ? message('has_line_feed') : null);

/** A URL, such as that of a picture. */
export const address = checked(wellFormed, sized('bytes', 1, 1024), isLine).meta({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[^\\n]*$',
});

/** Whole seconds from 1970 to 9999, as ISO 8601 in UTC: `2026-05-01T09:30:00Z`. */
export const time = z.iso
  .datetime({ precision: 0 })
  .refine((value) => value >= '1970', because('too_early'))
  .meta({ pattern: '^(19[7-9]\\d|[2-9]\\d{3})-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });

/** A value or, by default, `null`. */
export function optional<Value extends z.ZodType>(value: Value) {
  return value.nullable().default(null);
}

/** Degrees of WGS 84. */
export const location = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

export type Location = z.output<typeof location>;

/** The rule that a text can be stored. */
function wellFormed(value: string): CodedMessage | null {
  return value.isWellFormed() ? null : message('has_lone_surrogates');
}

/** The rule that a text has this size; measured only if the number of UTF-16 code units does not decide. */
function sized(unit: 'characters' | 'bytes', least: number, most: number): Rule {
  const [upTo, between] = SIZES[unit];
  const wrong = least === 0 ? message(upTo, { most }) : message(between, { least, most });
  return (value) => {
    if (value.length >= least * 2 && value.length * 3 <= most) return null;
    const size = unit === 'characters' ? [...value].length : Buffer.byteLength(value);
    return size >= least && size <= most ? null : wrong;
  };
}

/** One value per language, such as `{ uk: …, es: … }`, in any language that can be stored, and in their order. */
export function perLanguage<T extends z.ZodType>(value: T) {
  const elements = STORED_LANGUAGES.map(({ element }) => element);
  return z
    .partialRecord(z.enum(elements as [StoredLanguage, ...StoredLanguage[]]), value)
    .overwrite(inLanguageOrder);
}

/** Values by language in the order of the languages, so that equal documents are equal texts. */
export function inLanguageOrder<Values extends Partial<Record<StoredLanguage, unknown>>>(
  values: Values,
): Values {
  const given = STORED_LANGUAGES.filter(({ element }) => values[element] !== undefined);
  return Object.fromEntries(given.map(({ element }) => [element, values[element]])) as Values;
}
