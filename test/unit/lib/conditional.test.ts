import { describe, expect, test } from 'vitest';
import { httpDate, notModified, preconditionFails } from '../../../src/lib/http/conditional.ts';

const MODIFIED = Date.UTC(2026, 4, 3, 10, 20, 30) / 1000;

describe('If-None-Match: whether not modified', () => {
  test.each([
    ['"a"', 'etag'],
    ['W/"a"', 'etag'],
    ['"b", "a"', 'etag'],
    ['"b",W/"a" , "c"', 'etag'],
    ['*', 'other'],
    ['"b"', null],
    ['"aa"', null],
    ['a', null],
    ['', null],
  ])('%j: %s', (tags, expected) => {
    expect(notModified(new Headers({ 'If-None-Match': tags }), '"a"', MODIFIED)).toBe(expected);
  });

  test('an If-None-Match that does not match, with an If-Modified-Since that does: modified', () => {
    const headers = new Headers({
      'If-None-Match': '"b"',
      'If-Modified-Since': httpDate(MODIFIED),
    });
    expect(notModified(headers, '"a"', MODIFIED)).toBe(null);
  });
});

describe('If-Modified-Since: what makes it a 304', () => {
  test.each([
    ['the date that was sent', httpDate(MODIFIED), 'date'],
    ['a second later', httpDate(MODIFIED + 1), 'other'],
    ['a second earlier', httpDate(MODIFIED - 1), null],
    ['the RFC 850 format', 'Sunday, 03-May-26 10:20:30 GMT', 'date'],
    ['not a date', 'yesterday', null],
    ['a bare year', '2099', null],
    ['the asctime format', 'Sun May  3 10:20:30 2026', 'date'],
    ['a weekday and a year', 'Mon, 2099', null],
    ['a time zone other than GMT', 'Sun, 03 May 2026 10:20:30 +0000', null],
    ['a day without a leading zero', 'Sun, 3 May 2026 10:20:30 GMT', null],
    ['the ISO 8601 format', '2099-01-01T00:00:00Z', null],
    ['text after the date', `${httpDate(MODIFIED)}; length=1`, null],
    ['an impossible time', 'Sun, 03 May 2026 99:20:30 GMT', null],
  ])('%s, %s: %s', (_, since, expected) => {
    expect(notModified(new Headers({ 'If-Modified-Since': since }), '"a"', MODIFIED)).toBe(
      expected,
    );
  });

  test('no modification date known: modified', () => {
    expect(notModified(new Headers({ 'If-Modified-Since': httpDate(MODIFIED) }), '"a"', null)).toBe(
      null,
    );
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
    const headers = new Headers({
      'If-Match': '"a"',
      'If-Unmodified-Since': httpDate(MODIFIED - 1),
    });
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
    expect(preconditionFails(new Headers({ 'If-Unmodified-Since': since }), '"a"', MODIFIED)).toBe(
      expected,
    );
  });

  test('no modification date known: it does not fail', () => {
    const headers = new Headers({ 'If-Unmodified-Since': httpDate(MODIFIED - 1) });
    expect(preconditionFails(headers, '"a"', null)).toBe(false);
  });
});
