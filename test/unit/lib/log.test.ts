import { expect, test } from 'vitest';
import { describeError } from '../../../src/lib/log.ts';

test.each<[string, unknown, string]>([
  ['an error', new TypeError('no'), 'TypeError: no'],
  ['an error of several lines', new Error('no\nparams: secret'), 'Error: no'],
  ['a long error', new Error('x'.repeat(400)), `Error: ${'x'.repeat(293)}`],
  [
    'an error with a cause',
    new Error('Failed query: SELECT', { cause: new RangeError('gone') }),
    'RangeError: gone',
  ],
  ['not an error', 'no', 'no'],
])(
  'describeError of %s: class and first line of the cause, truncated to 300 characters',
  (_, error, described) => {
    expect(describeError(error)).toBe(described);
  },
);
