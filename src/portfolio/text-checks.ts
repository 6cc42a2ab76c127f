import * as z from 'zod';
import { STORED_LANGUAGES, type StoredLanguage } from '../lib/languages.ts';

const encoder = new TextEncoder();

/** -0 is 0, as in the database. */
export function withoutNegativeZero(value: number): number {
  return value + 0;
}

/** The length of a text as SQLite stores it. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** What is wrong with a text; `null` if it satisfies the rule. */
type Rule = (value: string) => string | null;

/** A string of `least` to `most` characters. */
export function text(least: number, most: number) {
  return checked(...textRules(least, most)).meta({ ...(least > 0 && { minLength: least }), maxLength: most });
}

/** The rules of {@link text}, for texts in a {@link checkedList}. */
export function textRules(least: number, most: number): Rule[] {
  return [
    wellFormed,
    sized('characters', least, most),
    // To SQLite's length() such a text is empty.
    (value) => (least > 0 && value.startsWith('\0') ? 'must not begin with the character U+0000' : null),
  ];
}

/** A string of `least` to `most` bytes in UTF-8. */
export function bytes(least: number, most: number) {
  return checked(wellFormed, sized('bytes in UTF-8', least, most));
}

/** A string that satisfies all of these rules, as a single zod check: imports have millions of texts. */
export function checked(...rules: readonly Rule[]) {
  return z.string().check(({ value, issues }) => addProblems(issues, rules, value, []));
}

/** A list of at most `most` strings, validated in one pass: a property has dozens of pictures and features. */
export function checkedList(most: number, ...rules: readonly Rule[]) {
  return (z.array(z.any()) as unknown as z.ZodType<string[], string[]>)
    .meta({ maxItems: most, items: { type: 'string' } })
    .check(({ value, issues }) => {
      if (value.length > most) {
        issues.push({ code: 'custom', message: `must have at most ${most} entries`, input: value });
        return;
      }
      value.forEach((entry: unknown, index) => {
        if (typeof entry === 'string') addProblems(issues, rules, entry, [index]);
        else issues.push({ code: 'custom', message: 'must be a string', input: entry, path: [index] });
      });
    })
    .default(() => []);
}

/** A list of at most `most` texts that are stored as lines, such as URLs in the order of display. */
export function linesList(most: number) {
  const isLine: Rule = (value) => (value.includes('\n') ? 'must not contain a line feed' : null);
  return checkedList(most, wellFormed, sized('bytes in UTF-8', 1, 1024), isLine);
}

/** Adds an issue for each rule that a text does not satisfy. */
function addProblems(issues: z.core.$ZodRawIssue[], rules: readonly Rule[], value: string, path: PropertyKey[]): void {
  for (const rule of rules) {
    const message = rule(value);
    // Otherwise a union would not report which of its members failed.
    if (message !== null) issues.push({ code: 'custom', message, input: value, path, continue: true });
  }
}

/** The rule that a text can be stored. */
export function wellFormed(value: string): string | null {
  return value.isWellFormed() ? null : 'must not contain lone surrogates';
}

/** The rule that a text has this size; measured only if the number of UTF-16 code units does not decide. */
export function sized(unit: 'characters' | 'bytes in UTF-8', least: number, most: number): Rule {
  const message = `must have ${least === 0 ? 'at most' : `${least} to`} ${most} ${unit}`;
  return (value) => {
    if (value.length >= least * 2 && value.length * 3 <= most) return null;
    const size = unit === 'characters' ? [...value].length : byteLength(value);
    return size >= least && size <= most ? null : message;
  };
}

/** One value per language, such as `{ uk: …, es: … }`, in any language that can be stored. */
export function perLanguage<T extends z.ZodType>(value: T) {
  return z.partialRecord(
    z.enum(STORED_LANGUAGES.map(({ element }) => element) as [StoredLanguage, ...StoredLanguage[]]),
    value,
  );
}
