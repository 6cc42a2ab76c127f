import type * as z from 'zod';

/** What is wrong with a value, as a predicate to the name of its field, unless its schema says it itself. */
export function wording(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'too_small':
      return `must ${limit('least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${limit('most', issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

const TYPES: Readonly<Partial<Record<string, string>>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

function limit(bound: 'least' | 'most', value: number | bigint, origin: string): string {
  if (origin === 'array') return `have at ${bound} ${value} entries`;
  if (origin === 'string') return `have at ${bound} ${value} characters`;
  return `be at ${bound} ${value}`;
}
