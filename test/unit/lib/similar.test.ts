import { expect, test } from 'vitest';
import { similarNames } from '../../../src/lib/similar.ts';

const NAMES = ['A-101', 'A-102', 'B-101', 'Ático 2', 'Local', 'Penthouse West', '1', '2'];

test.each([
  ['a101', ['A-101', 'A-102', 'B-101']],
  ['A 101 ', ['A-101', 'A-102', 'B-101']],
  ['atico 2', ['Ático 2']],
  ['A\u0301TICO2', ['Ático 2']],
  ['Locl', ['Local']],
  ['Penthose Wst', ['Penthouse West']],
  ['3', []],
  ['Garage', []],
  ['', []],
])('the names like %j: %j', (missing, found) => {
  expect(similarNames(missing, NAMES)).toEqual(found);
});

test('at most five names, the most similar first', () => {
  const names = Array.from({ length: 20 }, (_, index) => `Unit ${index + 10}`);
  expect(similarNames('UNIT 19', names)).toHaveLength(5);
  expect(similarNames('UNIT 19', names)[0]).toBe('Unit 19');
});
