import { InexactNumber } from '../lib/json.ts';
import { type FieldError, jsonPointer } from '../problem.ts';

/** A validated update of a unit. */
export interface UnitChange {
  /** The unit to update. In Unicode NFC. */
  readonly name: string;
  /** UntStatus: 1 available, 2 hold, 4 sold, 8 reserved. */
  readonly status: UnitStatus;
  readonly price: number;
  readonly directions: Directions;
}

export type UnitStatus = 1 | 2 | 4 | 8;

/** Short text codes, or lists of them. */
export type Directions = readonly (string | readonly string[])[];

export const MAX_NAME_LENGTH = 200;
export const MAX_CODES = 64;
export const MAX_CODE_LENGTH = 16;

/**
 * The update in a request's body, or all of its invalid fields. Members other than the four are ignored.
 *
 * Checked by hand: a validation library would take a third of the time in which the Worker starts.
 */
export function parseChange(body: unknown): UnitChange | readonly FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ pointer: '', detail: 'must be an object' }];
  }
  const { UntName, UntStatus, UntPrice, UntDirections } = body as Readonly<Record<string, unknown>>;
  const name = typeof UntName === 'string' ? UntName.normalize('NFC') : UntName;
  const errors = [
    ...check(['UntName'], name, textError(name, MAX_NAME_LENGTH)),
    ...check(['UntStatus'], UntStatus, isStatus(UntStatus) ? undefined : 'must be 1, 2, 4 or 8'),
    ...check(['UntPrice'], UntPrice, priceError(UntPrice)),
    ...directionErrors(UntDirections),
  ];
  if (errors.length > 0) return errors;
  return {
    name: name as string,
    status: UntStatus as UnitStatus,
    price: UntPrice as number,
    directions: UntDirections as Directions,
  };
}

function check(path: readonly PropertyKey[], value: unknown, error: string | undefined): FieldError[] {
  if (error === undefined) return [];
  return [{ pointer: jsonPointer(path), detail: value === undefined ? 'is missing' : error }];
}

/** Lone surrogates cannot be stored as UTF-8. */
function textError(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!value.isWellFormed()) return 'must not contain lone surrogates';
  return [...value].length > maxLength ? `must have at most ${maxLength} characters` : undefined;
}

function codeError(code: string): string | undefined {
  if (/\p{Cc}/u.test(code)) return 'must not contain control characters';
  return textError(code, MAX_CODE_LENGTH);
}

function isStatus(value: unknown): value is UnitStatus {
  return value === 1 || value === 2 || value === 4 || value === 8;
}

function priceError(value: unknown): string | undefined {
  if (typeof value === 'number') return undefined;
  if (!(value instanceof InexactNumber)) return 'must be a number';
  return `cannot be stored exactly: ${value.literal.slice(0, 40)} exceeds the precision of a double`;
}

/** The number of codes is checked before any code is, which limits the number of field errors. */
function directionErrors(value: unknown): FieldError[] {
  const path = ['UntDirections'];
  if (!Array.isArray(value)) return check(path, value, 'must be an array');
  if (value.length > MAX_CODES) return check(path, value, `must have at most ${MAX_CODES} entries`);
  if (value.flat().length > MAX_CODES) return check(path, value, `must contain at most ${MAX_CODES} codes in total`);
  return value.flatMap((entry: unknown, index) => {
    if (Array.isArray(entry) ? entry.some((code) => typeof code !== 'string') : typeof entry !== 'string') {
      return check([...path, index], entry, 'must be a string or an array of strings');
    }
    if (typeof entry === 'string') return check([...path, index], entry, codeError(entry));
    return (entry as string[]).flatMap((code, position) => check([...path, index, position], code, codeError(code)));
  });
}
