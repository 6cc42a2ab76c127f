import type * as z from 'zod';

/** A value, or its issues: where each is, and a predicate to the name of the field there, such as `must be a string`. */
type Parsed<Value> = { readonly value: Value } | { readonly issues: readonly Issue[] };
type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** A value as its schema returns it, or what is wrong with it; keys that the schema does not know come first. */
export function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> {
  const result = schema.safeParse(value, { error: wording });
  if (result.success) return { value: result.data };
  const { issues } = result.error;
  const unknown = issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], message }))
      : [],
  );
  return { issues: [...unknown, ...issues.filter(({ code }) => code !== 'unrecognized_keys')] };
}

/** What is wrong with a value, as a predicate to the name of its field, unless its schema says it itself. */
function wording(issue: z.core.$ZodRawIssue): string | undefined {
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
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? `must be one of: ${issue.options.join(', ')}`
        : undefined;
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
  if (origin === 'array') return `have at ${bound} ${value} ${value === 1 ? 'entry' : 'entries'}`;
  if (origin === 'string') return `have at ${bound} ${value} characters`;
  return `be at ${bound} ${value}`;
}
