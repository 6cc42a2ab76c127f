import type { PropertyDocument } from '../../properties/documents.ts';
import { spelling, UNREADABLE, type Understood } from './interpretation.ts';
import STATUSES from './statuses.json' with { type: 'json' };

/** What a status says, from what keeps a property on the market longest to what takes it off. */
const MEANINGS = [
  'Available',
  'Under Offer',
  'Sale Agreed',
  'Rented',
  'Sold',
  'Withdrawn',
] as const;
type Meaning = (typeof MEANINGS)[number];

const PHRASES: ReadonlyMap<string, Meaning> = new Map(
  MEANINGS.flatMap((meaning) =>
    Object.values(STATUSES[meaning])
      .flat()
      .map((phrase) => [tokens(phrase).join(' '), meaning] as const),
  ),
);

const NEGATIONS: ReadonlySet<string> = new Set(Object.values(STATUSES.not).flat());

const MAX_PHRASE_TOKENS = 6;

/** Longer texts are sentences, in which a word such as `sold` may be about anything. */
const MAX_TOKENS = 12;

/**
 * A property's status. Of several words, such as `Sold STC - Unavailable`, the one that takes the
 * property furthest off the market counts. A text is never `Available` because of a part of it:
 * other words may say the opposite.
 */
export function readStatus(
  text: string,
): Understood<Pick<PropertyDocument, 'status'> & { rented?: boolean }> {
  const meaning = meaningOf(tokens(text));
  if (meaning === undefined) return UNREADABLE;
  const value: { status: PropertyDocument['status']; rented?: boolean } =
    meaning === 'Rented' ? { status: 'Available', rented: true } : { status: meaning };
  return STATUSES.own.includes(spelling(text)) ? { value } : { value, how: 'spelling' };
}

function meaningOf(words: readonly string[]): Meaning | undefined {
  if (words.length > MAX_TOKENS) return undefined;
  const found = new Set<Meaning>();
  const others: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = phraseLengthAt(words, at);
    if (length === 0) others.push(words[at]!);
    else found.add(PHRASES.get(words.slice(at, at + length).join(' '))!);
    at += Math.max(length, 1);
  }
  if (others.some((word) => NEGATIONS.has(word))) return undefined;
  const last = MEANINGS.findLast((meaning) => found.has(meaning));
  return last === 'Available' && others.length > 0 ? undefined : last;
}

/** How many words the longest known phrase has that begins at a place; 0 if there is none. */
function phraseLengthAt(words: readonly string[], at: number): number {
  const longest = Math.min(MAX_PHRASE_TOKENS, words.length - at);
  for (let length = longest; length > 0; length--)
    if (PHRASES.has(words.slice(at, at + length).join(' '))) return length;
  return 0;
}

/** The words of a text in their {@link spelling}; `forSale` are two. */
function tokens(text: string): string[] {
  return spelling(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '');
}
