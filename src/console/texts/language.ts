import type { MessageCode } from '../../messages/messages.ts';
import type { Sentence } from '../../messages/sentence.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

/** The texts of a language: those of pages, and of what has its English in rooms of its own. */
export interface Translation {
  readonly messages: Readonly<Record<MessageCode, Sentence>>;
  readonly further: {
    /** By the codes of rules. */
    readonly rules: TextsOf<'explanation' | 'fix'>;
    /** By the names of parameters of feeds. */
    readonly parameters: TextsOf<'label'>;
    /** By the identifiers of `../portals/portals.json`; brands have no other name. */
    readonly portals: TextsOf<'about', 'name' | 'question'>;
  };
}

type TextsOf<Needed extends string, Optional extends string = never> = Readonly<
  Record<string, { readonly [Field in Needed]: string } & { readonly [Field in Optional]?: string }>
>;

export type Catalogue = typeof en;

interface LanguageSpec {
  /** What it calls itself. */
  readonly name: string;
  readonly texts: Catalogue & Partial<Translation>;
}

function languages<Code extends string>(
  english: LanguageSpec,
  others: Readonly<
    Record<Code, { readonly name: string; readonly texts: Catalogue & Translation }>
  >,
) {
  return { en: english, ...others } as Readonly<Record<Code | 'en', LanguageSpec>>;
}

/** The languages of the pages, by their codes of ISO 639-1: a text that one lacks does not compile. */
export const LANGUAGES = languages(
  { name: 'English', texts: en },
  {
    es: { name: 'Español', texts: es },
  },
);

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

export function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(LANGUAGES, text);
}
