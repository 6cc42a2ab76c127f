import { expect, test } from 'vitest';
import { shownUrl, withCredentials } from '../../../src/imports/runs/fetch-file.ts';
import { isTimeOf, nextRun, retryAt } from '../../../src/imports/runs/schedule.ts';

const seconds = (time: string) => Date.parse(time) / 1_000;

/** November 24, 2026 is a Tuesday. */
test.each([
  ['hour', '00:15', '2026-11-24T09:14:59Z', '2026-11-24T09:15:00Z'],
  ['hour', '00:15', '2026-11-24T09:15:00Z', '2026-11-24T10:15:00Z'],
  ['hour', '23:15', '2026-11-24T09:20:00Z', '2026-11-24T10:15:00Z'],
  ['day', '03:30', '2026-11-24T03:29:59Z', '2026-11-24T03:30:00Z'],
  ['day', '03:30', '2026-11-24T03:30:00Z', '2026-11-25T03:30:00Z'],
  ['day', '03:30', '2026-12-31T12:00:00Z', '2027-01-01T03:30:00Z'],
  ['week', 'tue 09:00', '2026-11-24T08:00:00Z', '2026-11-24T09:00:00Z'],
  ['week', 'mon 09:00', '2026-11-24T08:00:00Z', '2026-11-30T09:00:00Z'],
  ['week', 'sun 00:00', '2026-11-24T08:00:00Z', '2026-11-29T00:00:00Z'],
] as const)('every %s at %s, after %s: %s', (every, at, now, next) => {
  expect(isTimeOf(every, at)).toBe(true);
  expect(nextRun({ every, at, timeZone: 'UTC' }, seconds(now))).toBe(seconds(next));
});

/** Clocks change in Madrid on March 28 and October 31, in New York on March 14 of 2027. */
test.each([
  ['day', '03:30', 'Europe/Madrid', '2026-11-24T02:29:59Z', '2026-11-24T02:30:00Z'],
  ['day', '03:30', 'Europe/Madrid', '2027-07-01T01:30:00Z', '2027-07-02T01:30:00Z'],
  ['week', 'mon 00:30', 'Europe/Madrid', '2026-11-24T08:00:00Z', '2026-11-29T23:30:00Z'],
  ['hour', '00:00', 'Asia/Kolkata', '2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z'],
  // Twice half past two: once.
  ['day', '02:30', 'Europe/Madrid', '2027-10-30T22:00:00Z', '2027-10-31T01:30:00Z'],
  ['day', '02:30', 'Europe/Madrid', '2027-10-31T01:30:00Z', '2027-11-01T01:30:00Z'],
  ['hour', '00:30', 'Europe/Madrid', '2027-10-31T00:40:00Z', '2027-10-31T01:30:00Z'],
  // No half past two: an hour off, and not again and again until then.
  ['day', '02:30', 'Europe/Madrid', '2027-03-28T00:50:00Z', '2027-03-28T01:30:00Z'],
  ['day', '02:30', 'America/New_York', '2027-03-14T06:40:00Z', '2027-03-14T07:30:00Z'],
] as const)('every %s at %s in %s, after %s: %s', (every, at, timeZone, now, next) => {
  expect(nextRun({ every, at, timeZone }, seconds(now))).toBe(seconds(next));
});

test.each([
  ['day', '24:00'],
  ['day', '3:30'],
  ['day', 'mon 03:30'],
  ['week', '03:30'],
  ['week', 'Mon 03:30'],
  ['hour', ''],
] as const)('every %s at %j: not a time', (every, at) => {
  expect(isTimeOf(every, at)).toBe(false);
});

test('a source that fails: repeated after 5 minutes, then four times as long, up to a day', () => {
  expect([0, 1, 2, 3, 4, 9].map((failures) => retryAt(failures, 0) / 60)).toEqual([
    5, 20, 80, 320, 1_280, 1_440,
  ]);
});

test.each([
  ['https://a.example/feed.xml', 'https://a.example/feed.xml', undefined],
  ['https://u:p%40ss@a.example/f', 'https://***@a.example/f', 'u:p@ss'],
  ['https://:p@a.example/f', 'https://***@a.example/f', ':p'],
  // A percent sign that encodes nothing stays as it is.
  ['https://u:100%@a.example/f', 'https://***@a.example/f', 'u:100%'],
  ['https://a.example/f?U=OWN@1&P=x#y', 'https://a.example/f?U=***&P=***', undefined],
])('%s is shown as %s', (url, shown, credentials) => {
  expect(shownUrl(url)).toBe(shown);
  const { url: called, headers } = withCredentials(url);
  expect(new URL(called)).toMatchObject({ username: '', password: '', host: 'a.example' });
  expect(headers.Authorization).toBe(credentials && `Basic ${btoa(credentials)}`);
});
