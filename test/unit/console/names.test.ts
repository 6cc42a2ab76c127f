import { expect, test } from 'vitest';
import { sortedNames } from '../../../src/console/format.ts';

test('names are in the order of the alphabet, whatever their accents and capital letters', () => {
  const names = ['Zahara', 'Ávila', 'Écija', 'Ronda', 'Antequera', 'álora'];
  expect(sortedNames(names, 'es')).toEqual([
    'álora',
    'Antequera',
    'Ávila',
    'Écija',
    'Ronda',
    'Zahara',
  ]);
});
