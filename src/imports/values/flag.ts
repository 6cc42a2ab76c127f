import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';
import WORDS from './words.json' with { type: 'json' };

const words = (...lists: readonly (readonly string[])[]): ReadonlySet<string> =>
  new Set(lists.flat().map(spelling));

const YES = words(WORDS.answer.yes);
const NO = words(WORDS.answer.no);
const TRUE = words(WORDS.answer.yes, WORDS.flag.true);
const FALSE = words(WORDS.answer.no, WORDS.flag.false);
const PRESENT = words(WORDS.present);
const ABSENT = words(WORDS.absent);
const NEUTRAL = words(WORDS.neutral);
const DOUBTFUL = WORDS.doubtful.map(spelling);

/** A size, or the length and width of a pool: `8x4`, `10 x 5 m`. */
const SIZE = /^\d+(m|mts|m2)?(x\d+(m|mts|m2)?)*$/;

/** A number of nothing, alone or in a size: `pool 0`, `8x0`. */
const ZERO = /(?<![\d.,])0+([.,]0+)?(?![\d.,])/;

/**
 * Whether a word answers yes or no, in the languages of `words.json`; `undefined` for any other.
 */
export function readAnswer(text: string): boolean | undefined {
  const word = spelling(text);
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** A boolean, as XML Schema writes them in any letter case. An empty text is false. */
export function readFlag(text: string): Understood<boolean> {
  const exact = text.trim().toLowerCase();
  if (exact === '' || exact === '0' || exact === 'false') return { value: false };
  if (exact === '1' || exact === 'true') return { value: true };
  // Without its sign, a number would be another one.
  if (/^-\s*\d/.test(exact)) return UNREADABLE;
  const word = spelling(text);
  if (TRUE.has(word)) return { value: true, how: 'spelling' };
  const isFalse = FALSE.has(word) || (word !== 'unknown' && isPlaceholder(text));
  return isFalse ? { value: false, how: 'spelling' } : UNREADABLE;
}

/**
 * A text without the words that deny what it names, or leave it open: `pool` of `no pool`, `pool nearby` and `space for a pool`.
 *
 * @returns `undefined` if it has none of these
 */
export function withoutDenial(text: string): string | undefined {
  const phrase = ` ${wordsOf(text).join(' ')} `;
  const doubts = DOUBTFUL.filter((doubt) => phrase.includes(` ${doubt} `));
  const rest = doubts
    .toSorted((a, b) => b.length - a.length)
    .reduce((all, doubt) => all.replaceAll(` ${doubt} `, ' '), phrase)
    .trim()
    .split(' ');
  const denied = rest.filter((word) => !ABSENT.has(word));
  if (doubts.length === 0 && denied.length === rest.length) return undefined;
  return denied.filter((word) => !NEUTRAL.has(word)).join(' ');
}

function wordsOf(text: string): string[] {
  return spelling(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/**
 * Whether something exists: a boolean, how many there are, or words that describe what exists, such
 * as `Private` or `Communal` for a pool. One that is possible or nearby does not. A text with any other
 * word is unreadable: `hotel pool`.
 */
export function readPresence(text: string): Understood<boolean> {
  const flag = readFlag(text);
  if (flag.value !== undefined) return flag;
  if (/^-\s*\d/.test(text)) return UNREADABLE;
  const number = Number(text);
  if (!Number.isNaN(number)) return { value: number > 0, how: 'spelling' };
  const words = wordsOf(text.replaceAll('×', 'x'));
  const phrase = ` ${words.join(' ')} `;
  const isDoubtful = DOUBTFUL.some((doubt) => phrase.includes(` ${doubt} `));
  if (isDoubtful || ABSENT.has(words[0] ?? '') || ZERO.test(text))
    return { value: false, how: 'spelling' };
  const isKnown = (word: string) => PRESENT.has(word) || NEUTRAL.has(word) || SIZE.test(word);
  const isPresent = words.some((word) => PRESENT.has(word) || SIZE.test(word));
  return isPresent && words.every(isKnown) ? { value: true, how: 'spelling' } : UNREADABLE;
}
