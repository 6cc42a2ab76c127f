import { describe, expect, test } from 'vitest';
import { httpDate, notModified, preconditionFails } from '../../../src/lib/conditional.ts';

const MODIFIED = Date.UTC(2026, 4, 3, 10, 20, 30) / 1000;

describe('If-None-Match: whether not modified', () => {
  test.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a" , "c"', true],
    ['*', true],
    ['"b"', false],
    ['"aa"', false],
    ['a', false],
    ['', false],
  ])('%j: %s', (tags, expected) => {
    expect(notModified(new Headers({ 'If-None-Match': tags }), '"a"', MODIFIED)).toBe(expected);
  });

  test('an If-None-Match that does not match, with an If-Modified-Since that does: modified', () => {
    const headers = new Headers({ 'If-None-Match': '"b"', 'If-Modified-Since': httpDate(MODIFIED) });
    expect(notModified(headers, '"a"', MODIFIED)).toBe(false);
  });
});

describe('If-Modified-Since: whether not modified', () => {
  test.each([
    ['the date that was sent', httpDate(MODIFIED), true],
    ['a second later', httpDate(MODIFIED + 1), true],
    ['a second earlier', httpDate(MODIFIED - 1), false],
    ['the RFC 850 format', 'Sunday, 03-May-26 10:20:30 GMT', true],
    ['not a date', 'yesterday', false],
    ['a bare year', '2099', false],
    ['the asctime format', 'Sun May  3 10:20:30 2026', true],
    ['a weekday and a year', 'Mon, 2099', false],
    ['a time zone other than GMT', 'Sun, 03 May 2026 10:20:30 +0000', false],
    ['a day without a leading zero', 'Sun, 3 May 2026 10:20:30 GMT', false],
    ['the ISO 8601 format', '2099-01-01T00:00:00Z', false],
    ['text after the date', `${httpDate(MODIFIED)}; length=1`, false],
    ['an impossible time', 'Sun, 03 May 2026 99:20:30 GMT', false],
  ])('%s, %s: %s', (_, since, expected) => {
    expect(notModified(new Headers({ 'If-Modified-Since': since }), '"a"', MODIFIED)).toBe(expected);
  });

  test('no modification date known: modified', () => {
    expect(notModified(new Headers({ 'If-Modified-Since': httpDate(MODIFIED) }), '"a"', null)).toBe(false);
  });
});

describe('If-Match: whether the precondition fails', () => {
  test.each([
    ['"a"', false],
    ['W/"a"', false],
    ['"b", "a"', false],
    ['*', false],
    ['"b"', true],
    ['a', true],
  ])('%j: %s', (tags, expected) => {
    expect(preconditionFails(new Headers({ 'If-Match': tags }), '"a"', MODIFIED)).toBe(expected);
  });

  test('an If-Match that matches, with an If-Unmodified-Since that does not: it does not fail', () => {
    const headers = new Headers({ 'If-Match': '"a"', 'If-Unmodified-Since': httpDate(MODIFIED - 1) });
    expect(preconditionFails(headers, '"a"', MODIFIED)).toBe(false);
  });
});

describe('If-Unmodified-Since: whether the precondition fails', () => {
  test.each([
    ['the date that was sent', httpDate(MODIFIED), false],
    ['a second later', httpDate(MODIFIED + 1), false],
    ['a second earlier', httpDate(MODIFIED - 1), true],
    ['not a date', 'Mon, 1970', false],
  ])('%s, %s: %s', (_, since, expected) => {
    expect(preconditionFails(new Headers({ 'If-Unmodified-Since': since }), '"a"', MODIFIED)).toBe(expected);
  });

  test('no modification date known: it does not fail', () => {
    const headers = new Headers({ 'If-Unmodified-Since': httpDate(MODIFIED - 1) });
    expect(preconditionFails(headers, '"a"', null)).toBe(false);
  });
});
