import * as z from 'zod';
import { InexactNumber } from '../lib/http/json.ts';
import { because, type CodedMessage, type MessageCode, message } from './messages.ts';

/** What is wrong with a value: where, and a predicate to the name of the field there. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: CodedMessage;
}

type Parsed<Value> = { readonly value: Value } | { readonly issues: readonly Issue[] };

/**
 * A value as its schema returns it, or what is wrong with it; keys that the schema does not know
 * come first.
 */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data };
  const { issues } = result.error;
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: message('unknown_field') }))
      : [],
  );
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue) => ({ path: issue.path, message: messageOf(issue) }));
  return { issues: [...unknown, ...others] };
}

/** A string of a form. */
export function matching(pattern: RegExp, code: Parameterless) {
  return z
    .string()
    .refine((text) => pattern.test(text), because(code))
    .meta({ pattern: pattern.source });
}

/** The codes of messages that consist of nothing else. */
type Parameterless = {
  [Code in MessageCode]: Parameters<typeof message<Code>>['length'] extends 1 ? Code : never;
}[MessageCode];

function messageOf(issue: z.core.$ZodIssue): CodedMessage {
  if (issue.code === 'custom') return (issue.params?.message as CodedMessage) ?? message('invalid');
  if (issue.input === undefined) return message('missing');
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue.expected, issue.input);
    case 'invalid_value':
      return ofValues(issue.values);
    case 'invalid_union':
      return ofUnion(issue);
    case 'invalid_format':
      return message(FORMATS[issue.format] ?? 'invalid');
    case 'too_small':
      return issue.origin === 'array'
        ? message('too_few_entries', { least: Number(issue.minimum) })
        : issue.origin === 'string'
          ? message('too_short', { least: Number(issue.minimum) })
          : message('too_small', { least: Number(issue.minimum) });
    case 'too_big':
      return issue.origin === 'array'
        ? message('too_many_entries', { most: Number(issue.maximum) })
        : issue.origin === 'string'
          ? message('too_long', { most: Number(issue.maximum) })
          : message('too_large', { most: Number(issue.maximum) });
    default:
      return message('invalid');
  }
}

const TYPES = {
  array: 'not_array',
  boolean: 'not_boolean',
  int: 'not_int',
  number: 'not_number',
  object: 'not_object',
  record: 'not_object',
  string: 'not_string',
} as const satisfies Readonly<Record<string, Parameterless>>;

const FORMATS: Readonly<Partial<Record<string, Parameterless>>> = {
  date: 'not_day',
  datetime: 'not_time',
};

function ofType(expected: string, input: unknown): CodedMessage {
  if (expected === 'number' && input instanceof InexactNumber)
    return message('inexact', { value: input.literal.slice(0, 40) });
  return message(
    (TYPES as Readonly<Partial<Record<string, Parameterless>>>)[expected] ?? 'invalid',
  );
}

function ofValues(given: readonly unknown[]): CodedMessage {
  const values = given.map((value) => (typeof value === 'number' ? value : String(value)));
  return values.length === 1
    ? message('not_value', { value: values[0]! })
    : message('not_one_of', { allowed: values });
}

/** Of a union by a member, which values that can have; otherwise it is one of strings and lists of them. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion): CodedMessage {
  return 'options' in issue && Array.isArray(issue.options)
    ? ofValues(issue.options)
    : message('not_string_or_array');
}
