import { expect, test } from 'vitest';
import { mergePatch } from '../../../src/lib/http/merge-patch.ts';

test('a member __proto__: a member of the result, which schemas then refuse', () => {
  const merged = mergePatch({ beds: 1 }, JSON.parse('{"__proto__": {"beds": 2}}'));
  expect(Object.keys(merged as object)).toEqual(['beds', '__proto__']);
});
