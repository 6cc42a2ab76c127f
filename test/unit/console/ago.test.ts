import { expect, test } from 'vitest';
import {
  formatAgo,
  formatDay,
  formatDayName,
  formatTime,
  formatWhen,
} from '../../../src/console/format.ts';
import { startOfDay } from '../../../src/lib/time/zones.ts';

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
    format(now + difference, { now, language: 'en', timeZone: 'Europe/Madrid' }),
    format(now + difference, { now, language: 'es', timeZone: 'Europe/Madrid' }),
  ]);
  expect(shown).toEqual([english, spanish, on + english, el + spanish]);
});

const at = (time: string) => Date.parse(time) / 1_000;

test.each([
  ['Europe/Madrid', '1 Dec 2026, 00:30 CET', '1 December'],
  ['Atlantic/Canary', '30 Nov 2026, 23:30 WET', '30 November'],
  ['America/New_York', '30 Nov 2026, 18:30 GMT-5', '30 November'],
])('half past eleven at night in UTC, in %s', (timeZone, time, day) => {
  const reading = { language: 'en', now: at('2026-12-24T00:00:00Z'), timeZone } as const;
  const seconds = at('2026-11-30T23:30:00Z');
  expect([formatTime(seconds, reading), formatDay(seconds, reading)]).toEqual([time, day]);
});

test.each([
  ['2026-11-29', 'Europe/Madrid', '2026-11-28T23:00:00Z'],
  ['2026-03-29', 'Europe/Madrid', '2026-03-28T23:00:00Z'],
  ['2026-03-30', 'Europe/Madrid', '2026-03-29T22:00:00Z'],
  ['2026-10-25', 'Europe/Madrid', '2026-10-24T22:00:00Z'],
  ['2026-11-29', 'America/New_York', '2026-11-29T05:00:00Z'],
  ['2026-11-29', 'Asia/Kolkata', '2026-11-28T18:30:00Z'],
  ['2026-11-29', 'UTC', '2026-11-29T00:00:00Z'],
])('%s begins in %s at %s', (day, timeZone, time) => {
  expect(startOfDay(day, timeZone)).toBe(at(time));
});

test.each([
  // Sunday, two in the morning, in Madrid.
  ['Europe/Madrid', '2026-11-28T23:30:00Z', '1 hour ago', 'Today', 'Hoy'],
  ['Europe/Madrid', '2026-11-28T22:30:00Z', '2 hours ago', 'Yesterday', 'Ayer'],
  [
    'Europe/Madrid',
    '2026-11-27T22:30:00Z',
    '2 days ago',
    'Friday, 27 November',
    'Viernes, 27 de noviembre',
  ],
  ['America/New_York', '2026-11-28T04:30:00Z', '20 hours ago', 'Yesterday', 'Ayer'],
  ['America/New_York', '2026-11-27T22:30:00Z', 'yesterday', 'Yesterday', 'Ayer'],
  [
    'Europe/Madrid',
    '2025-11-27T22:30:00Z',
    '27 November 2025',
    'Thursday, 27 November 2025',
    'Jueves, 27 de noviembre de 2025',
  ],
])('days are those of %s: %s was %s, under %s', (timeZone, time, ago, english, spanish) => {
  const reading = { language: 'en', now: at('2026-11-29T01:00:00Z'), timeZone } as const;
  const names = (['en', 'es'] as const).map((language) =>
    formatDayName(at(time), { ...reading, language }),
  );
  expect([formatAgo(at(time), reading), ...names]).toEqual([ago, english, spanish]);
});
