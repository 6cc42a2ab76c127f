import { expect, test } from 'vitest';
import { concernOf, readAmount } from '../../../src/console/units/form.ts';

test.each([
  ['345000', 345_000],
  ['345,000', 345_000],
  ['345.000', 345_000],
  ['345 000', 345_000],
  ['345\u00a0000', 345_000],
  ['345’000', 345_000],
  ['1,234,567', 1_234_567],
  ['1.234.567', 1_234_567],
  ['1,234,567.89', 1_234_567.89],
  ['1.234.567,89', 1_234_567.89],
  ['345.000,50 €', 345_000.5],
  ['EUR 345,000.50', 345_000.5],
  ['325000,5', 325_000.5],
  ['325000.5', 325_000.5],
  ['1.5', 1.5],
  ['0,500', 0.5],
  ['0', 0],
  ['-345,000', -345_000],
])('%j is the amount %d', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

test.each([
  ...[
    '',
    ' ',
    'cheap',
    '345,00,000',
    '34,5000,000',
    '345,000.000.1',
    '1.234,567,890',
    '345 00',
    '3 4 5',
    '1e5',
  ],
  ...[
    '0x10',
    '345k',
    'Infinity',
    '--5',
    '5-',
    ',5',
    '5,',
    '1234567890123456',
    '1,2.3',
    '345.000.50',
    '٣٤٥',
  ],
])('%j is not an amount', (text) => {
  expect(readAmount(text)).toBeNull();
});

test.each([
  [345, 330_000, 'priceJump'],
  [990_001, 330_000, 'priceJump'],
  [990_000, 330_000, null],
  [110_000, 330_000, null],
  [109_999, 330_000, 'priceJump'],
  [0.99, 2, 'priceBelowOne'],
  [0, 330_000, 'priceBelowOne'],
  [0, 0, null],
  [345_000, 0, null],
  [1, 1, null],
] as const)('a price of %d after %d: %s', (price, before, concern) => {
  expect(concernOf(price, before)).toBe(concern);
});
