import type { StoredLanguage } from '../../lib/languages.ts';
import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, when } from '../rule.ts';
import WORDS from './words.json' with { type: 'json' };

/** The minimum length of Trovit, and the length below which a description is brief; in characters. */
const TROVIT_DESCRIPTION = 30;
const BRIEF_DESCRIPTION = 200;

/** Lengths of the samples in which capitals and words are counted, in characters. */
const CAPITALS_SAMPLE = 500;
const WORDS_SAMPLE = 1_000;

/** Minimum number of letters to judge by, and the share of capitals above which a text shouts. */
const LEAST_LETTERS = 40;
const SHOUTING_SHARE = 0.6;

// Each repetition has a limit, so that no text takes longer than its length.
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+/;

/** Not `terraza.Es`, where a space is missing: `.es` is in lower case or, if all of the domain is, in capitals. */
const WEB =
  /\b(https?:\/\/|www\.)\S+|\b[A-Za-z\d-]{2,63}\.(com|es|net|org|eu|co\.uk|de|fr|nl|se|no|dk|pt)\b|\b[A-Z\d-]{2,63}\.(COM|ES|NET|ORG|EU|CO\.UK|DE|FR|NL|SE|NO|DK|PT)\b/;

/** What may be telephone numbers: those that have nine digits or more. */
const PHONES = new RegExp(
  [
    // With a country code.
    /(?<![\d.,€$£])(?:\+|00)\s?\d{1,3}\)?[\s.-]{0,3}(?:\(?\d{1,4}\)?[\s./-]?){2,5}\d{2,4}(?!\d)/,
    // Spanish ones: `952 12 34 56`, `(952) 123456`, `91 123 45 67`. Six digits in a row are a price: `650000-700000`.
    /(?<![\d.,+€$£])(?!\d{6}(?!\d))\(?(?:[6-9]\d{2}\)?[\s./-]{0,2}(?:\d{3}[\s.-]?\d{3}|\d{2}[\s.-]?\d{2}[\s.-]?\d{2}|\d{4}[\s.-]\d{2})|9\d\)?[\s./-]{1,2}\d{3}[\s.-]?\d{2}[\s.-]?\d{2})(?![\d.,]*\d)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

const MARKUP = /<\/?[a-z][^<>]*>|&(?:[a-z]{2,8}|#\d{2,5}|#x[\da-f]{2,4});/i;

const PLACEHOLDER =
  /lorem ipsum|^\s*(test|prueba|todo|tbc|tba|n\/?a|xxx+|\.+|-+|description|descripci[oó]n)\s*$|\b(description|text) (to follow|coming soon)\b|descripci[oó]n pendiente/i;

type Found = (text: string) => string | null;

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

function phoneIn(text: string): string | null {
  const all = text.match(PHONES) ?? [];
  return all.find((found) => found.replace(/\D/g, '').length >= 9)?.trim() ?? null;
}

function shouting(text: string): string | null {
  const sample = text.slice(0, CAPITALS_SAMPLE);
  const small = count(sample, /\p{Ll}/gu);
  const capitals = count(sample, /\p{Lu}/gu);
  return small + capitals >= LEAST_LETTERS && capitals / (small + capitals) > SHOUTING_SHARE
    ? text
    : null;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function lengthOf(text: string): number {
  return text.replace(new RegExp(MARKUP, 'gi'), ' ').replace(/\s+/g, ' ').trim().length;
}

/** The sign is looked for first, since the pattern takes 64 times as long as the text. */
function emailIn(text: string): string | null {
  return text.includes('@') ? matching(MAIL)(text) : null;
}

function webAddressIn(text: string): string | null {
  return matching(WEB)(emailIn(text) === null ? text : text.replace(new RegExp(MAIL, 'g'), ' '));
}

/** The languages in which a short word is frequent: such words identify the language of a text. */
const LANGUAGES_OF = new Map<string, string[]>();
for (const [language, words] of Object.entries(WORDS)) {
  for (const word of words.split(' '))
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
}

/** Minimum number of frequent words to judge by, and how many times more of another language than of its own a text has. */
const LEAST_WORDS = 8;
const TIMES_MORE = 3;

/** An area that a text states: its number and its unit. */
const AREA =
  /(?<![\d.,])(\d{2,6}|\d{1,3}[.,]\d{3})\s?(?:m2|m²|sqm|sq\.? ?m|square met|metros cuadrados)/i;

const BEDS =
  /(?<![\d.,])([1-9]\d?)[ -](?:(?:double|spacious|large|amplios?) )?(?:bed(?:room)?s?|dormitorios?|habitaciones|schlafzimmer|chambres|slaapkamers|sovrum|soverom)\b/i;

/** The language that a text is written in, if it is clearly not the given one. */
function otherLanguageOf(text: string, given: StoredLanguage): string | null {
  const sample = text.slice(0, WORDS_SAMPLE).toLowerCase();
  const counts = new Map(Object.keys(WORDS).map((language) => [language, 0]));
  for (const [word] of sample.matchAll(/\p{L}+/gu)) {
    for (const language of LANGUAGES_OF.get(word) ?? [])
      counts.set(language, counts.get(language)! + 1);
  }
  const own = counts.get(given);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (own === undefined || first === undefined) return null;
  return first[1] >= LEAST_WORDS && first[1] > own * TIMES_MORE ? first[0] : null;
}

function firstIn({ descriptions }: Listing, pattern: RegExp): string | undefined {
  return Object.values(descriptions)
    .map((text) => pattern.exec(text)?.[0])
    .find((found) => found !== undefined);
}

export const TEXT_CHECKS: ListingChecks = {
  no_description: ({ descriptions }) =>
    when(Object.keys(descriptions).length === 0, 'description', ''),
  description_under_30_characters: inDescriptions((text) =>
    lengthOf(text) < TROVIT_DESCRIPTION ? text.trim() : null,
  ),
  description_brief: inDescriptions((text) => {
    const length = lengthOf(text);
    return length >= TROVIT_DESCRIPTION && length < BRIEF_DESCRIPTION
      ? `${length} < ${BRIEF_DESCRIPTION}`
      : null;
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
      return same === undefined
        ? []
        : [{ node: `description/${language}`, value: `= description/${same[0]}` }];
    });
  },
  description_in_other_language: ({ descriptions }) => {
    const all = Object.entries(descriptions) as [StoredLanguage, string][];
    return all.flatMap(([language, text]): readonly Detail[] => {
      // The same text in two languages breaks a rule of its own.
      if (all.some(([other, same]) => other !== language && same.trim() === text.trim())) return [];
      const found = otherLanguageOf(text, language);
      return when(found !== null, `description/${language}`, found);
    });
  },
  description_contradicts_data: (listing) => {
    const { built_area, plot_area, living_area, beds } = listing;
    const area = built_area || plot_area || living_area ? undefined : firstIn(listing, AREA);
    const bedrooms = beds > 0 ? undefined : firstIn(listing, BEDS);
    return [
      ...when(area !== undefined, 'surface_area', area),
      ...when(bedrooms !== undefined, 'beds', bedrooms),
    ];
  },
};
