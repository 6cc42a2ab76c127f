/**
 * A message in a language, with placeholders such as `{name}`; of two forms, `one` is for a
 * `{count}` of one.
 */
export type Sentence = string | { readonly one: string; readonly other: string };

/** What a placeholder stands for. A list of messages has a line for each. */
export type Value = string | number | Told | readonly (string | number)[] | readonly Told[];

/** What there is to say, in no language: a code, and what its sentence has placeholders for; JSON. */
export interface Told {
  readonly code: string;
  readonly parameters?: Readonly<Record<string, Value>> | undefined;
}

/** The sentences of a language, by their codes, and how it writes numbers. */
export interface Wording {
  readonly sentences: Readonly<Record<string, Sentence>>;
  readonly number: (value: number) => string;
}

/** A message in words. A code without a sentence, which another version has stored, is shown. */
export function written({ code, parameters = {} }: Told, wording: Wording): string {
  const sentence = Object.hasOwn(wording.sentences, code) ? wording.sentences[code]! : code;
  const text =
    typeof sentence === 'string' ? sentence : sentence[parameters.count === 1 ? 'one' : 'other'];
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(parameters, name) ? valueText(parameters[name]!, wording) : placeholder,
  );
}

function valueText(value: Value, wording: Wording): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return wording.number(value);
  if ('code' in value) return written(value, wording);
  const separator = value.some((one) => typeof one === 'object') ? '\n' : ', ';
  return value.map((one) => valueText(one, wording)).join(separator);
}

/** A text of two lines, whose placeholders the compiler still knows. */
export function long<const First extends string, const Second extends string>(
  first: First,
  second: Second,
): `${First}${Second}` {
  return `${first}${second}`;
}
