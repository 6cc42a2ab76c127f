import { z } from 'zod';
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

const MAX_NAME_LENGTH = 200;
const MAX_CODES = 64;
const MAX_CODE_LENGTH = 16;

const name = z
  .string(expecting('must be a string'))
  .transform((value) => value.normalize('NFC'))
  .pipe(textUpTo(MAX_NAME_LENGTH));

const status = z.literal([1, 2, 4, 8], expecting('must be 1, 2, 4 or 8'));

const price = z.number({
  error: ({ input }) =>
    input instanceof InexactNumber
      ? `cannot be stored exactly: ${input.literal.slice(0, 40)} exceeds the precision of a double`
      : missingOr(input, 'must be a number'),
});

const code = textUpTo(MAX_CODE_LENGTH);

/** The number of codes is checked before any code is, which limits the number of field errors. */
const directions = z
  .array(z.unknown(), expecting('must be an array'))
  .max(MAX_CODES, { error: `must have at most ${MAX_CODES} entries`, abort: true })
  .refine((entries) => entries.flat().length <= MAX_CODES, `must contain at most ${MAX_CODES} codes in total`)
  .pipe(z.array(z.union([code, z.array(code)], expecting('must be a string or an array of strings'))));

const changeSchema = z
  .object(
    { UntName: name, UntStatus: status, UntPrice: price, UntDirections: directions },
    expecting('must be an object'),
  )
  .transform(
    (body): UnitChange => ({
      name: body.UntName,
      status: body.UntStatus,
      price: body.UntPrice,
      directions: body.UntDirections,
    }),
  );

/** The update in a request's body, or all of its invalid fields. Members other than the four are ignored. */
export function parseChange(body: unknown): UnitChange | readonly FieldError[] {
  const { success, data, error } = changeSchema.safeParse(body);
  if (success) return data;
  return error.issues.map(({ path, message }) => ({ pointer: jsonPointer(path), detail: message }));
}

/** Text without lone surrogates, which cannot be stored as UTF-8. */
function textUpTo(maxLength: number) {
  return z
    .string(expecting('must be a string'))
    .refine((text) => text.isWellFormed(), 'must not contain lone surrogates')
    .refine((text) => [...text].length <= maxLength, `must have at most ${maxLength} characters`);
}

function expecting(message: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => missingOr(input, message) };
}

function missingOr(input: unknown, message: string): string {
  return input === undefined ? 'is missing' : message;
}
