import { expect, test } from 'vitest';
import { InexactNumber, parseJson } from '../../../src/lib/http/json.ts';

test('a number with 100,000 zeros before its last digit is read in seconds', {
  timeout: 10_000,
}, () => {
  const literal = `1.${'0'.repeat(100_000)}1`;
  expect(parseJson(new TextEncoder().encode(literal).buffer as ArrayBuffer)).toEqual(
    new InexactNumber(literal),
  );
});
