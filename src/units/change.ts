import { z } from 'zod';
import { InexactNumber } from '../lib/json.ts';
import { type FieldError, jsonPointer } from '../lib/problem.ts';

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

const MOST_NAME_CHARACTERS = 200;
const MOST_CODES = 64;
const MOST_CODE_CHARACTERS = 16;

const name = z
  .string(expecting('must be a text'))
  .transform((value) => value.normalize('NFC'))
  .pipe(textUpTo(MOST_NAME_CHARACTERS));

const status = z.literal([1, 2, 4, 8], expecting('must be 1, 2, 4 or 8'));

const price = z.number({
  error: ({ input }) =>
    input instanceof InexactNumber
      ? `cannot be kept exactly: ${input.literal.slice(0, 40)} is beyond a double-precision number`
      : missingOr(input, 'must be a number'),
});

const code = textUpTo(MOST_CODE_CHARACTERS);

/** Counted before any entry is looked at, which bounds what can be wrong with them. */
const directions = z
  .array(z.unknown(), expecting('must be an array'))
  .max(MOST_CODES, { error: `must have at most ${MOST_CODES} entries`, abort: true })
  .refine((entries) => entries.flat().length <= MOST_CODES, `must hold at most ${MOST_CODES} codes in all`)
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
