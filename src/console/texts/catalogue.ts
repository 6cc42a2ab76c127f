import { formatNumber } from '../format.tsx';
import type { Language } from './texts.ts';

/**
 * A text with placeholders such as `{name}`, in the plural forms that depend on `{count}`: `one` and `other` by the rules of the
 * language, `zero` for 0 itself. A text that depends on no number has the form `other` only.
 */
interface Message {
  readonly other: string;
  readonly one?: string;
  readonly zero?: string;
}

type Values = Readonly<Record<string, string | number>>;

/** The texts of a catalogue: strings, and functions for those with placeholders. */
export type Texts<Data> = {
  readonly [Key in keyof Data]: Data[Key] extends string
    ? string
    : Data[Key] extends { other: string; one: string }
      ? (values: Values & { readonly count: number }) => string
      : Data[Key] extends { other: string }
        ? (values: Values) => string
        : Texts<Data[Key]>;
};

/** The texts of a folder's `en.json` and `es.json`; a key that Spanish lacks does not compile. */
export function catalogue<Data extends object>(en: Data, es: NoInfer<Data>): Readonly<Record<Language, Texts<Data>>> {
  return { en: textsOf(en, 'en') as Texts<Data>, es: textsOf(es, 'es') as Texts<Data> };
}

function textsOf(data: object, language: Language): unknown {
  if ('other' in data) return messageOf(data as Message, language);
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, typeof text === 'string' ? text : textsOf(text, language)]),
  );
}

function messageOf(message: Message, language: Language): (values: Values) => string {
  const rules = new Intl.PluralRules(language);
  return (values) => {
    const count = Number(values.count);
    const form =
      (count === 0 ? message.zero : rules.select(count) === 'one' ? message.one : undefined) ?? message.other;
    return form.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder;
      return typeof value === 'number' ? formatNumber(value, language) : value;
    });
  };
}

/** The text of a key that is known only at run time; a key without a text is shown as it is. */
export function textOf(texts: Readonly<Record<string, string>>, key: string, otherwise = key): string {
  return texts[key] ?? otherwise;
}
