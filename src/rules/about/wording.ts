import type { StoredLanguage } from '../../lib/languages.ts';
import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, when } from '../rule.ts';

/** Frequent short words, by which a language is recognised. */
const WORDS: Readonly<Partial<Record<StoredLanguage, ReadonlySet<string>>>> = {
  uk: wordSet('the and with of is to in for this from are'),
  es: wordSet('el la los las y con una del para que por es'),
  de: wordSet('der die das und mit ein eine ist für von den im'),
  fr: wordSet('le les des et avec une dans est pour sur du au'),
  nl: wordSet('de het een en van met voor is op zijn aan'),
  da: wordSet('og med af er til på en et det som'),
  no: wordSet('og med av er til på en et det som'),
  sv: wordSet('och med av är till på en ett det som'),
  pl: wordSet('i w z na do jest się oraz dla od'),
  ru: wordSet('и в с на для из по от это не'),
  it: wordSet('il di con una per è del della nel che'),
  pt: wordSet('o os com uma para é do da no na em'),
  fi: wordSet('ja on sekä joka tai ovat myös'),
  ca: wordSet('el la els les i amb una per és del que'),
};

/** Length of the sample in which words are counted, in characters. */
const SAMPLE_LENGTH = 1000;

/** Minimum number of frequent words to judge by, and how many times more of another language than of its own a text has. */
const LEAST_WORDS = 8;
const TIMES_MORE = 3;

/** An area that a text states: its number and its unit. */
const AREA = /(?<![\d.,])(\d{2,6}|\d{1,3}[.,]\d{3})\s?(?:m2|m²|sqm|sq\.? ?m|square met|metros cuadrados)/i;

/** A number of bedrooms that a text states. */
const BEDS =
  /(?<![\d.,])([1-9]\d?)[ -](?:(?:double|spacious|large|amplios?) )?(?:bed(?:room)?s?|dormitorios?|habitaciones|schlafzimmer|chambres|slaapkamers|sovrum|soverom)\b/i;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** The language that a text is written in, if it is clearly not the given one. */
function otherLanguageOf(text: string, given: StoredLanguage): string | null {
  const words =
    text
      .slice(0, SAMPLE_LENGTH)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = new Map<string, number>();
  for (const [language, frequent] of Object.entries(WORDS)) {
    counts.set(language, words.filter((word) => frequent.has(word)).length);
  }
  const own = counts.get(given);
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (own === undefined || first === undefined) return null;
  return first[1] >= LEAST_WORDS && first[1] > own * TIMES_MORE ? first[0] : null;
}

/** The first match of a pattern in a property's texts. */
function firstIn({ descriptions }: Listing, pattern: RegExp): string | undefined {
  return Object.values(descriptions)
    .map((text) => pattern.exec(text)?.[0])
    .find((found) => found !== undefined);
}

/** Rules about what descriptions say. */
export const WORDING_CHECKS: ListingChecks = {
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
    return [...when(area !== undefined, 'surface_area', area), ...when(bedrooms !== undefined, 'beds', bedrooms)];
  },
};
