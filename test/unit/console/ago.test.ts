import { expect, test } from 'vitest';
import { formatAgo, formatWhen } from '../../../src/console/format.ts';

test.each([
  [2, 'now', 'ahora'],
  [0, 'now', 'ahora'],
  [-59, 'now', 'ahora'],
  [-60, '1 minute ago', 'hace 1 minuto'],
  [-7_200, '2 hours ago', 'hace 2 horas'],
  [-86_400, 'yesterday', 'ayer'],
  [-4 * 86_400, '11 January', '11 de enero'],
])('%d seconds from now: %s', (difference, english, spanish) => {
  const now = 1_800_000_000;
  expect(formatAgo(now + difference, now, 'en')).toBe(english);
  expect(formatAgo(now + difference, now, 'es')).toBe(spanish);
});

test.each([
  [-60, '1 minute ago', 'hace 1 minuto'],
  [-4 * 86_400, 'on 11 January', 'el 11 de enero'],
])('%d seconds from now, in a sentence: %s', (difference, english, spanish) => {
  const now = 1_800_000_000;
  expect(formatWhen(now + difference, now, 'en')).toBe(english);
  expect(formatWhen(now + difference, now, 'es')).toBe(spanish);
});
