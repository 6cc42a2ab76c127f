import { expect, test } from 'vitest';
import { describeError } from '../../../src/lib/log.ts';

test.each<[string, unknown, string]>([
  ['an error', new TypeError('no'), 'TypeError: no'],
  ['one of several lines', new Error('no\nparams: secret'), 'Error: no'],
  ['a long one', new Error('x'.repeat(400)), `Error: ${'x'.repeat(293)}`],
  ['one with a cause', new Error('Failed query: SELECT', { cause: new RangeError('gone') }), 'RangeError: gone'],
  ['what is no error', 'no', 'no'],
])('%s → its class and first line, cut to 300 characters, or those of its cause', (_, error, described) => {
  expect(describeError(error)).toBe(described);
});
