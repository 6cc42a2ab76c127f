import type { PropertyDocument } from '../../properties/documents.ts';
import { readFlag } from './flag.ts';
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

/** A status as properties have it. */
export type Status = Pick<PropertyDocument, 'status'> & { readonly rented?: boolean };

const MAX_PHRASE_TOKENS = 6;

/** Longer texts are sentences, in which a word such as `sold` may be about anything. */
const MAX_TOKENS = 12;

/**
 * A property's status. Of several words, such as `Sold STC - Unavailable`, the one that takes the
 * property furthest off the market counts. A text is never `Available` because of a part of it:
 * other words may say the opposite.
 */
export function readStatus(text: string): Understood<Status> {
  const meaning = meaningOf(text);
  if (meaning === undefined) return UNREADABLE;
  const value = statusOf(meaning);
  return STATUSES.own.includes(spelling(text)) ? { value } : { value, how: 'spelling' };
}

function statusOf(meaning: Meaning): Status {
  return meaning === 'Rented' ? { status: 'Available', rented: true } : { status: meaning };
}

/** Of several statuses, the one that takes the property furthest off the market. */
export function furthest(all: readonly (Status | undefined)[]): Status | undefined {
  const given = all.filter((one) => one !== undefined);
  const meaning = ({ status, rented }: Status) =>
    MEANINGS.indexOf(rented && status === 'Available' ? 'Rented' : status);
  return given.reduce<Status | undefined>(
    (last, one) => (last === undefined || meaning(one) > meaning(last) ? one : last),
    undefined,
  );
}

const UNLIKE_FEATURES: ReadonlySet<string> = new Set(STATUSES.names.not_as_feature);

/** Whether what a node with this name says concerns something else: `previous_status`, `agent`. */
export function isElsewhere(name: string): boolean {
  return tokens(name).some((word) => ELSEWHERE.has(word));
}

/**
 * The part of a text that says by itself that a property is off the market: its beginning or its end between signs, as in
 * `SOLD - Villa`, or one of several in a list.
 */
export function offMarketPart(text: string): string | undefined {
  if (text.length > 300) return undefined;
  const parts = text.split(/[-–—|:!*()[\]·•.,;/\n]+/).map((part) => part.trim());
  return parts.find((part) => part !== '' && statusAmongFeatures(part) !== undefined);
}

/**
 * The status that stands among a property's features: a text that is nothing but a word for one which takes it off the market, and
 * that is hardly ever said of anything else.
 */
export function statusAmongFeatures(text: string): Status | undefined {
  const phrase = tokens(text).join(' ');
  const meaning = PHRASES.get(phrase);
  return meaning === undefined || meaning === 'Available' || UNLIKE_FEATURES.has(phrase)
    ? undefined
    : statusOf(meaning);
}

const NAMES: ReadonlySet<string> = new Set(STATUSES.names.nodes.map(spelling));
const FLAGS: ReadonlySet<string> = new Set([
  ...STATUSES.names.flags.map(spelling),
  ...[...PHRASES].flatMap(([phrase, meaning]) =>
    meaning === 'Available' || UNLIKE_FEATURES.has(phrase) ? [] : [phrase],
  ),
]);
const ELSEWHERE: ReadonlySet<string> = new Set(STATUSES.names.elsewhere);
const CONDITIONS: ReadonlySet<string> = new Set(STATUSES.names.conditions.map(spelling));

/** Whether a node says something of the status by its name: `estado`, `Sold`, `is_available`. */
export function isAboutStatus(name: string): boolean {
  const words = nameOf(name);
  return NAMES.has(words) || FLAGS.has(words);
}

/**
 * What a node or an attribute says of the status, as the text of a status: `<sold>1</sold>` is `sold`, `<available>0</available>`
 * `not available`. Empty if it says nothing, as `<sold>0</sold>`.
 */
export function statusSaid(name: string, text: string): string {
  const words = nameOf(name);
  if (CONDITIONS.has(spelling(text))) return '';
  if (!FLAGS.has(words)) return text;
  const answer = text === '' ? undefined : readFlag(text).value;
  // Of `visible`, only the opposite says something.
  const meaning = PHRASES.get(words);
  if (answer === true) return meaning === undefined ? '' : words;
  if (answer === false)
    return meaning === undefined || meaning === 'Available' ? 'not available' : '';
  return text === '' || readStatus(text).value !== undefined ? text : `${words}: ${text}`;
}

/** The words of a name: `isSold`, `is_sold` and `sold_date` are `sold`. */
function nameOf(name: string): string {
  const words = tokens(name)
    .join(' ')
    .replace(/^(is|es|esta|ist|est) /, '');
  const dated = words.replace(/^(date|fecha|fecha de) | (date|at|on|since|until)$/, '');
  // When a property becomes available is another matter.
  return PHRASES.get(dated) === 'Available' ? words : dated;
}

/** Signs that leave a text what it says; others, such as `?` and `✗`, may say the opposite. */
const PLAIN_SIGNS = /^[\p{L}\p{N}\s.,;:/()[\]_&'’"!*+|–—-]*$/u;

function meaningOf(text: string): Meaning | undefined {
  const { last, others } = foundIn(tokens(text));
  const isWhole = others.length === 0 && PLAIN_SIGNS.test(text) && !/-\s*\d/.test(text);
  return last === 'Available' && !isWhole ? undefined : last;
}

/** What the words of a text mean that takes a property furthest off the market, and its other words. */
function foundIn(words: readonly string[]): {
  readonly last: Meaning | undefined;
  readonly others: readonly string[];
} {
  if (words.length > MAX_TOKENS) return { last: undefined, others: words };
  const found = new Set<Meaning>();
  const others: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = phraseLengthAt(words, at);
    if (length === 0) others.push(words[at]!);
    else found.add(PHRASES.get(words.slice(at, at + length).join(' '))!);
    at += Math.max(length, 1);
  }
  if (others.some((word) => NEGATIONS.has(word))) return { last: undefined, others };
  return { last: MEANINGS.findLast((meaning) => found.has(meaning)), others };
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
