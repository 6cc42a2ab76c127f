import { folded } from '../../lib/folded.ts';
import type { INTERPRETATIONS } from '../../messages/interpretations.ts';

/**
 * The kinds of interpretation of values that deviate from their format. Such records are imported,
 * and every interpretation is reported.
 */
export type InterpretationKind = keyof typeof INTERPRETATIONS;

/**
 * The interpretation of a text: `undefined` if it is unreadable. `how` is absent for a text in the
 * specified form.
 */
export interface Understood<Value> {
  readonly value: Value | undefined;
  readonly how?: InterpretationKind;
}

export const UNREADABLE = { value: undefined, how: 'unreadable' } as const;

/**
 * Interpretations that lose or doubt what a record says. A strict import accepts none of them in
 * any format.
 */
export const DOUBTFUL: ReadonlySet<InterpretationKind> = new Set<InterpretationKind>([
  'unreadable',
  'held_back',
  'per_day',
  'unknown_period',
  'nested',
  'out_of_bounds',
  'first_of_several',
  'stated',
  'mojibake',
  'literal_line_end',
  'unknown_country',
  'foreign_province',
]);

/**
 * The form in which spellings are compared: lower case, without accents, words separated by one
 * space.
 */
export function spelling(text: string): string {
  return folded(text)
    .replaceAll(/[\s_.\-–/]+/g, ' ')
    .trim();
}

export function isPlaceholder(text: string): boolean {
  return /^([-–—?.*\s]+|n ?a|none|null|nan|unknown|not specified|sin especificar|desconocido)$/.test(
    spelling(text) || '-',
  );
}
