import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { STORED_LANGUAGES, type StoredLanguage } from '../lib/languages.ts';

/** Whether a text has at most this many bytes in UTF-8; they are counted only if the number of UTF-16 code units does not decide. */
export function fitsInto(text: string, most: number): boolean {
  return text.length * 3 <= most || Buffer.byteLength(text) <= most;
}

/** What is wrong with a text; `null` if it satisfies the rule. */
type Rule = (value: string) => string | null;

/** A string of `least` to `most` characters. */
export function text(least: number, most: number) {
  return checked(
    wellFormed,
    sized('characters', least, most),
    // To SQLite's length() such a text is empty.
    (value) =>
      least > 0 && value.startsWith('\0') ? 'must not begin with the character U+0000' : null,
  ).meta({ ...(least > 0 && { minLength: least }), maxLength: most });
}

/** Like {@link text}, for names that are compared: in Unicode NFC, so that a name is one however it is typed. */
export function name(least: number, most: number) {
  const size = { ...(least > 0 && { minLength: least }), maxLength: most };
  return z.string().normalize('NFC').pipe(text(least, most)).meta(size);
}

/** A string of `least` to `most` bytes in UTF-8. */
export function bytes(least: number, most: number) {
  return checked(wellFormed, sized('bytes in UTF-8', least, most));
}

/** A string that satisfies all of these rules, as a single zod check: imports have millions of texts. */
function checked(...rules: readonly Rule[]) {
  return z.string().check(({ value, issues }) => {
    for (const rule of rules) {
      const message = rule(value);
      // Otherwise a union would not report which of its members failed.
      if (message !== null) issues.push({ code: 'custom', message, input: value, continue: true });
    }
  });
}

/** A list of at most `most` texts. Their number is checked before any of them is, which limits the errors. */
export function textList(entry: z.ZodType<string, string>, most: number) {
  return z
    .array(z.any())
    .max(most, `must have at most ${most} entries`)
    .pipe(z.array(entry))
    .meta({ items: { type: 'string' } });
}

const isLine: Rule = (value) => (value.includes('\n') ? 'must not contain a line feed' : null);

/** A URL, such as that of a picture. */
export const address = checked(wellFormed, sized('bytes in UTF-8', 1, 1024), isLine);

/** Whole seconds from 1970 to 9999, as ISO 8601 in UTC: `2026-05-01T09:30:00Z`. */
export const time = z.iso
  .datetime({
    precision: 0,
    error: 'must be a UTC time in whole seconds, such as 2026-05-01T09:30:00Z',
  })
  .refine((value) => value >= '1970', 'must not be before 1970');

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
function wellFormed(value: string): string | null {
  return value.isWellFormed() ? null : 'must not contain lone surrogates';
}

/** The rule that a text has this size; measured only if the number of UTF-16 code units does not decide. */
function sized(unit: 'characters' | 'bytes in UTF-8', least: number, most: number): Rule {
  const message = `must have ${least === 0 ? 'at most' : `${least} to`} ${most} ${unit}`;
  return (value) => {
    if (value.length >= least * 2 && value.length * 3 <= most) return null;
    const size = unit === 'characters' ? [...value].length : Buffer.byteLength(value);
    return size >= least && size <= most ? null : message;
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
