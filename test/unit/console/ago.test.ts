import { expect, test } from 'vitest';
import { formatAgo, formatWhen } from '../../../src/console/format.ts';

test.each([
  [2, 'just now', 'ahora mismo'],
  [0, 'just now', 'ahora mismo'],
  [-59, 'just now', 'ahora mismo'],
  [-60, '1 minute ago', 'hace 1 minuto'],
  [-7_200, '2 hours ago', 'hace 2 horas'],
  [-86_400, 'yesterday', 'ayer'],
  [-4 * 86_400, '11 January', '11 de enero', 'on ', 'el '],
])('%d seconds from now: %s', (difference, english, spanish, on = '', el = '') => {
  const now = 1_800_000_000;
  const shown = [formatAgo, formatWhen].flatMap((format) => [
    format(now + difference, now, 'en'),
    format(now + difference, now, 'es'),
  ]);
  expect(shown).toEqual([english, spanish, on + english, el + spanish]);
});
