const GROUPED_BY: readonly (readonly [form: RegExp, separator: string])[] = [
  [/^[1-9]\d{0,2}(,\d{3})+(\.\d{1,6})?$/, ','],
  [/^[1-9]\d{0,2}(\.\d{3})+(,\d{1,6})?$/, '.'],
  [/^[1-9]\d{0,2}( \d{3})+([.,]\d{1,6})?$/, ' '],
];
const UNGROUPED = /^\d{1,15}([.,]\d{1,6})?$/;

/**
 * The amount that somebody has typed, in English or Spanish: `345,000`, `345.000`, `345 000`, `345.000,50 €`. A comma or a
 * full stop before exactly three digits groups them, since prices have two decimals if any.
 *
 * @returns `null` if the text is not an amount; a negative one is an amount
 */
export function readAmount(text: string): number | null {
  const bare = text
    .replaceAll(/[\s'’]+/g, ' ')
    .replaceAll(/€|\bEUR\b/gi, '')
    .trim();
  const unsigned = bare.replace(/^[-−]\s?/, '');
  const [, separator] = GROUPED_BY.find(([form]) => form.test(unsigned)) ?? [];
  if (separator === undefined && !UNGROUPED.test(unsigned)) return null;
  const amount = Number(unsigned.replaceAll(separator ?? '', '').replace(',', '.'));
  if (amount >= 1e15) return null;
  return unsigned === bare ? amount : -amount;
}
