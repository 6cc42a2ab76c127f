import { type CodedMessage, MESSAGES } from '../../messages/messages.ts';
import { written } from '../../messages/sentence.ts';
import type { FieldError } from '../../problem.ts';
import { formatNumber } from '../format.ts';
import {
  type Catalogue,
  LANGUAGE_CODES,
  LANGUAGES,
  type Language,
  type Translation,
} from './language.ts';

/**
 * A text with placeholders such as `{name}`, in the plural forms that depend on `{count}`: `one` and `other` by the rules of the
 * language, `zero` for 0 itself. A text that depends on no number has the form `other` only.
 */
type Message = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

type Values = Readonly<Record<string, string | number>>;

/** The texts of a catalogue: strings, and functions for those with placeholders. */
type Texts<Data> = {
  readonly [Key in keyof Data]: Data[Key] extends string
    ? string
    : Data[Key] extends { other: string; one: string }
      ? (values: Values & { readonly count: number }) => string
      : Data[Key] extends { other: string }
        ? (values: Values) => string
        : Texts<Data[Key]>;
};

/** The texts of a catalogue in a language. */
export function textsOfData<Data extends object>(data: Data, language: Language): Texts<Data> {
  return textsIn(data, language) as Texts<Data>;
}

function textsIn(data: object, language: Language): unknown {
  if ('other' in data) return messageOf(data as Message, language);
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [
      key,
      typeof text === 'string' ? text : textsIn(text, language),
    ]),
  );
}

function messageOf(message: Message, language: Language): (values: Values) => string {
  return (values) => {
    const count = Number(values.count);
    const form = count === 0 ? 'zero' : new Intl.PluralRules(language).select(count);
    return (message[form] ?? message.other).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder;
      return typeof value === 'number' ? formatNumber(value, language) : value;
    });
  };
}

export type AllTexts = Texts<Catalogue>;

/** Every text: what all pages share, and those of each folder. */
export const TEXTS = Object.fromEntries(
  LANGUAGE_CODES.map((code) => {
    const { messages: _, further: __, ...pages } = LANGUAGES[code].texts;
    return [code, textsOfData(pages, code)];
  }),
) as Readonly<Record<Language, AllTexts>>;

export type CommonTexts = AllTexts['common'];

/** The texts of a folder, or of all pages (`common`), in somebody's language. */
export function textsOf<Folder extends keyof AllTexts>(
  { language }: { readonly language: Language },
  folder: Folder,
): AllTexts[Folder] {
  return TEXTS[language][folder];
}

/** The text of a key that is known only at run time; a key without a text is shown as it is. */
export function textOf(
  texts: Readonly<Record<string, string>>,
  key: string,
  otherwise = key,
): string {
  return texts[key] ?? otherwise;
}

/** What has its English texts in a room of its own, with those of the language of the page. */
export function translated<Kind extends keyof Translation['further'], Of extends object>(
  language: Language,
  kind: Kind,
  key: string,
  english: Of,
): Of {
  return { ...english, ...LANGUAGES[language].texts.further?.[kind][key] };
}

/** What is wrong, in the language of the page: of a field, as a predicate to its name. */
export function inWords(language: Language, message: CodedMessage): string {
  // Years, lines and statuses are not grouped.
  const number = (value: number) =>
    value < 10_000 ? String(value) : formatNumber(value, language);
  const { messages: sentences = MESSAGES } = LANGUAGES[language].texts;
  return written(message, { sentences, number });
}

/** What is wrong with a field, as a sentence. */
export function asSentence(language: Language, message: CodedMessage): string {
  const text = inWords(language, message);
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** What is wrong with each field of a form whose fields are those of a body, as sentences by their names. */
export function errorsByField(
  errors: readonly FieldError[],
  language: Language,
): Readonly<Record<string, string>> {
  const all = errors.map(
    (error) => [error.pointer.split('/')[1] ?? '', asSentence(language, error)] as const,
  );
  return Object.fromEntries(all);
}

/** The points of the compass, clockwise: the codes of directions that feeds translate. */
export const COMPASS_POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** The statuses of properties, as feeds name them. */
export const STATUSES = ['Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn'] as const;
