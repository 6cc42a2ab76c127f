import { expect, test } from 'vitest';
import type { Kind } from '../../../src/console/properties/fields.ts';
import { readText } from '../../../src/console/properties/read.ts';

const SPAIN = { country: 'Spain', province: 'Málaga' };

test.each<[Kind, string, unknown]>([
  ['area', '420 m²', 420],
  ['area', '85,5', 86],
  ['amount', '1,25 M', 1_250_000],
  ['price', '330.000', 330_000],
  ['count', '', null],
  ['lines', 'one\n\n two ', ['one', 'two']],
  ...[
    '36,5101; -4,8825',
    'https://www.google.com/maps/place/Nerja/@36.5101,-4.8825,17z',
    'https://www.google.com/maps/@36.7,-3.8,9z/data=!3d36.5101!4d-4.8825',
    'https://www.openstreetmap.org/#map=17/36.5101/-4.8825',
    'https://maps.google.com/?q=36.5101%2C-4.8825',
  ].map((text): [Kind, string, unknown] => [
    'coordinates',
    text,
    { latitude: 36.5101, longitude: -4.8825 },
  ]),
])('%s typed as %j: %j', (kind, text, value) => {
  expect(readText(kind, text, SPAIN)).toEqual({ value });
});

test.each<[Kind, string, string]>([
  ['price', 'cheap', 'notNumber'],
  ['price', '-5', 'belowOne'],
  ['price', '0.5', 'belowOne'],
  ['year', '99999', 'notYear'],
  ['email', 'carmen', 'notEmail'],
  ['postcode', 'ABCDE', 'notPostcode'],
  ['link', 'C:\\tour.html', 'notLink'],
  ['link', 'foto.mp4', 'notLink'],
  ['coordinates', '36.5', 'notCoordinates'],
  ['coordinates', '36.5, -4.8, 9', 'notCoordinates'],
  ['coordinates', '-4.88, 36.51', 'swapped'],
  ['coordinates', 'https://maps.app.goo.gl/9fK2', 'linkWithoutPlace'],
])('%s typed as %j: %s', (kind, text, error) => {
  expect(readText(kind, text, SPAIN)).toEqual({ error });
});
