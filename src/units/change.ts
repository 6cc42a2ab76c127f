import { z } from 'zod';
import { InexactNumber } from '../lib/json.ts';
import { type FieldError, jsonPointer } from '../problem.ts';

/** What a unit is to become, and by which name it is found. */
export interface UnitChange {
  /** In Unicode NFC. */
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
  .string(expecting('must be a text'))
  .transform((value) => value.normalize('NFC'))
  .pipe(textUpTo(MAX_NAME_LENGTH));

const status = z.literal([1, 2, 4, 8], expecting('must be 1, 2, 4 or 8'));

const price = z.number({
  error: ({ input }) =>
    input instanceof InexactNumber
      ? `cannot be kept exactly: ${input.literal.slice(0, 40)} is beyond a double-precision number`
      : missingOr(input, 'must be a number'),
});

const code = textUpTo(MAX_CODE_LENGTH);

/** Counted before any entry is looked at, which bounds what can be wrong with them. */
const directions = z
  .array(z.unknown(), expecting('must be an array'))
  .max(MAX_CODES, { error: `must have at most ${MAX_CODES} entries`, abort: true })
  .refine((entries) => entries.flat().length <= MAX_CODES, `must hold at most ${MAX_CODES} codes in all`)
  .pipe(z.array(z.union([code, z.array(code)], expecting('must be a text code or an array of text codes'))));

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

/** A change, or everything that is wrong with it. Members other than the four are ignored. */
export function readChange(body: unknown): UnitChange | readonly FieldError[] {
  const { success, data, error } = changeSchema.safeParse(body);
  if (success) return data;
  return error.issues.map(({ path, message }) => ({ pointer: jsonPointer(path), detail: message }));
}

/** Text that can be stored as it is: half of a surrogate pair cannot. */
function textUpTo(most: number) {
  return z
    .string(expecting('must be a text'))
    .refine((text) => text.isWellFormed(), 'must not hold half of a surrogate pair')
    .refine((text) => [...text].length <= most, `must have at most ${most} characters`);
}

function expecting(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => missingOr(input, what) };
}

function missingOr(input: unknown, otherwise: string): string {
  return input === undefined ? 'is missing' : otherwise;
}
