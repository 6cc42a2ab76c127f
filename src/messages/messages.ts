import { ALLOWED, FIELDS } from './fields.ts';
import { FILES, KINDS, RECORDS, SERVERS } from './files.ts';
import { INTERPRETATIONS } from './interpretations.ts';
import { type Sentence, type Told, type Value, written } from './sentence.ts';

/**
 * Everything that the service says of what is wrong with what it was given, by its code, in
 * English. The console has the same in its other languages: a code that they lack does not compile.
 */
export const MESSAGES = {
  ...FIELDS,
  ...ALLOWED,
  ...FILES,
  ...RECORDS,
  ...KINDS,
  ...SERVERS,
  // Of the two, a field and a node that is missing are the same.
  ...INTERPRETATIONS,
};

export type MessageCode = keyof typeof MESSAGES;

/** What is wrong: what a program branches on, and a page puts into words; JSON. */
export interface CodedMessage extends Told {
  readonly code: MessageCode;
}

/** The names of the placeholders of a text. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type TextOf<Of extends Sentence> = Of extends { readonly other: infer Text } ? Text : Of;

/** What a message states besides its code. */
type ParametersOf<Code extends MessageCode> = {
  readonly [Name in NamesIn<TextOf<(typeof MESSAGES)[Code]>>]: Value;
};

type Given<Code extends MessageCode> = keyof ParametersOf<Code> extends never
  ? readonly []
  : readonly [parameters: ParametersOf<Code>];

/** A message, with what its sentence has placeholders for. */
export function message<Code extends MessageCode>(
  code: Code,
  ...[parameters]: Given<Code>
): CodedMessage {
  return parameters === undefined ? { code } : { code, parameters };
}

/** The error of a check of zod that {@link parsed} reports as this message. */
export function because<Code extends MessageCode>(code: Code, ...parameters: Given<Code>) {
  return { params: { message: message(code, ...parameters) } };
}

/** A message as an API states it, for people who read it in a log. */
export function inEnglish(what: CodedMessage): string {
  return written(what, { sentences: MESSAGES, number: String });
}
