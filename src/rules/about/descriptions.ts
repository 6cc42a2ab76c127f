import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, when } from '../rule.ts';

/** The minimum length of Trovit, and the length below which a description is brief; in characters. */
const TROVIT_DESCRIPTION = 30;
const BRIEF_DESCRIPTION = 200;

/** Length of the sample in which capitals are counted, in characters. */
const SAMPLE_LENGTH = 500;

/** Minimum number of letters to judge by, and the share of capitals above which a text shouts. */
const LEAST_LETTERS = 40;
const SHOUTING_SHARE = 0.6;

// Each repetition has a limit, so that no text takes longer than its length.
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+/;
const WEB = /(https?:\/\/|www\.)\S+|\b[a-z0-9-]{2,63}\.(com|es|net|org|eu|co\.uk|de|fr|nl|se|no|dk|pt)\b/i;

/** Nine or more digits with the separators that telephone numbers have, not part of a longer number, or a + before them. */
const PHONE =
  /(?<![\d.,€$£])(\+|00)\d{1,3}[\s.-]?(\(?\d{1,4}\)?[\s.-]?){2,5}\d{2,4}(?!\d)|(?<![\d.,+€$£])[6-9]\d{2}[\s.-]?\d{2,3}[\s.-]?\d{2,3}[\s.-]?\d{0,3}(?![\d.,]*\d)/;

const MARKUP = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,8}|#\d{2,5}|#x[\da-f]{2,4});/i;

const PLACEHOLDER =
  /lorem ipsum|^\s*(test|prueba|todo|tbc|tba|n\/?a|xxx+|\.+|-+|description|descripci[oó]n)\s*$|\b(description|text) (to follow|coming soon)\b|descripci[oó]n pendiente/i;

type Found = (text: string) => string | null;

/** A detail for each description in which something is found. */
function inDescriptions(find: Found): (listing: Listing) => readonly Detail[] {
  return ({ descriptions }) =>
    Object.entries(descriptions).flatMap(([language, text]) => {
      const value = find(text);
      return value === null ? [] : [{ node: `description/${language}`, value }];
    });
}

function matching(pattern: RegExp): Found {
  return (text) => pattern.exec(text)?.[0] ?? null;
}

/** The telephone number in a text: at least nine digits. */
function phoneIn(text: string): string | null {
  const [found] = PHONE.exec(text) ?? [];
  return found !== undefined && found.replace(/\D/g, '').length >= 9 ? found.trim() : null;
}

function shouting(text: string): string | null {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const small = count(sample, /\p{Ll}/gu);
  const capitals = count(sample, /\p{Lu}/gu);
  return small + capitals >= LEAST_LETTERS && capitals / (small + capitals) > SHOUTING_SHARE ? text : null;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The number of characters, without markup and repeated white space. */
function lengthOf(text: string): number {
  const plain = text.replace(new RegExp(MARKUP, 'gi'), ' ');
  return plain.replace(/\s+/g, ' ').trim().length;
}

/** The sign is looked for first, since the pattern takes 64 times as long as the text. */
function emailIn(text: string): string | null {
  return text.includes('@') ? matching(MAIL)(text) : null;
}

function webAddressIn(text: string): string | null {
  return matching(WEB)(emailIn(text) === null ? text : text.replace(new RegExp(MAIL, 'g'), ' '));
}

export const DESCRIPTION_CHECKS: ListingChecks = {
  no_description: ({ descriptions }) => when(Object.keys(descriptions).length === 0, 'description', ''),
  description_under_30_characters: inDescriptions((text) => (lengthOf(text) < TROVIT_DESCRIPTION ? text.trim() : null)),
  description_brief: inDescriptions((text) => {
    const length = lengthOf(text);
    return length >= TROVIT_DESCRIPTION && length < BRIEF_DESCRIPTION ? `${length} < ${BRIEF_DESCRIPTION}` : null;
  }),
  description_in_capitals: inDescriptions(shouting),
  description_with_phone: inDescriptions(phoneIn),
  description_with_email: inDescriptions(emailIn),
  description_with_web_address: inDescriptions(webAddressIn),
  description_with_html: inDescriptions(matching(MARKUP)),
  description_placeholder: inDescriptions(matching(PLACEHOLDER)),
  description_not_translated: ({ descriptions }) => {
    const all = Object.entries(descriptions);
    return all.flatMap(([language, text], index) => {
      const same = all.slice(0, index).find(([, other]) => other.trim() === text.trim());
      return same === undefined ? [] : [{ node: `description/${language}`, value: `= description/${same[0]}` }];
    });
  },
};
