import { expect, test } from 'vitest';
import { COMPASS, directionsIn, pointOf } from '../../../src/vocabulary/orientation.ts';

test.each([
  ['s', 'S'],
  [' S ', 'S'],
  ['nw', 'NW'],
  ['N.W.', 'NW'],
  ['O', 'W'],
  ['NO', 'NW'],
  ['so', 'SW'],
  ['north', 'N'],
  ['South-East', 'SE'],
  ['Sureste', 'SE'],
  ['NORD OUEST', 'NW'],
  ['söder', 'S'],
  ['юг', 'S'],
  ['Sjøutsikt', 'Sjøutsikt'],
  ['NNE', 'NNE'],
  ['', ''],
])('the direction %j is %j', (given, point) => {
  expect(pointOf(given)).toBe(point);
});

test('each word of each language means its point', () => {
  for (const [point, words] of Object.entries(COMPASS))
    expect(new Set(words.map(pointOf))).toEqual(new Set([point]));
});

test('directions as feeds show them: nested lists flattened, points by their codes, others as given', () => {
  expect(directionsIn('[["s","Este"],"O","sea"]')).toEqual(['S', 'E', 'W', 'sea']);
});
