/** A number in JSON that no double represents exactly, such as 9007199254740993 or 1e400. */
export class InexactNumber {
  /** @param literal the number as written */
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** The text is not acceptable JSON. */
export class JsonError extends Error {}

/**
 * The value of a JSON text (RFC 8259), which must be UTF-8 without repeated members (RFC 7493 section 2.3), else it is a
 * JsonError. Numbers that no double represents become {@link InexactNumber}; -0 becomes 0.
 */
export function parseJson(bytes: ArrayBuffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new JsonError('The text is not UTF-8.');
  }
  const value = parse(text);
  const repeated = findRepeatedName(text);
  if (repeated !== undefined) throw new JsonError(`The member ${repeated} is repeated.`);
  return value;
}

function parse(text: string): unknown {
  try {
    return (JSON.parse as ParseWithSource)(text, (_, value, { source }) =>
      typeof value === 'number' ? exactNumber(value, source!) : value,
    );
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonError('The text is not JSON.');
    if (error instanceof RangeError) throw new JsonError('The text is nested too deeply.');
    throw error;
  }
}

type ParseWithSource = (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/**
 * The double, if it equals the literal when rounded to the literal's number of digits: programs write the same double
 * with 15, 16, 17 or all of its digits.
 */
function exactNumber(value: number, literal: string): number | InexactNumber {
  if (String(value) === literal) return value;
  // -0 becomes 0; 1e-400 is not zero.
  if (value === 0) return /[1-9]/.test(literal.split(/e/i, 1)[0]!) ? new InexactNumber(literal) : 0;
  if (!Number.isFinite(value)) return new InexactNumber(literal);
  const written = significant(literal);
  const stored = significant(value.toPrecision(Math.min(written.digits.length, MAX_PRECISION)));
  return written.digits === stored.digits && written.power === stored.power
    ? value
    : new InexactNumber(literal);
}

/** The most digits that `toPrecision` returns. */
const MAX_PRECISION = 100;

/** The significant digits of a number other than 0, without its sign, and the power of ten of the last one. */
function significant(literal: string): { readonly digits: string; readonly power: number } {
  const [, integer = '', fraction = '', exponent = '0'] = DECIMAL.exec(literal)!;
  const [, digits = '', zeros = ''] = SIGNIFICANT.exec(integer + fraction)!;
  return { digits, power: Number(exponent) - fraction.length + zeros.length };
}

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
const SIGNIFICANT = /^0*(\d*[1-9])(0*)$/;

/** The first repeated member name in a valid JSON text, as written. */
function findRepeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, written, colon] of text.matchAll(NAMES_AND_BRACES)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const names = open.at(-1)!;
      const name = JSON.parse(written!);
      if (names.has(name)) return written;
      names.add(name);
    }
  }
  return undefined;
}

/** Strings, with the colon after those that are names, and the braces outside strings. */
const NAMES_AND_BRACES = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}]/gs;
