import { describe, expect, test } from 'vitest';
import { httpDate, notModified } from '../../../src/lib/conditional.ts';

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
  ])('%s, %s: %s', (_, since, expected) => {
    expect(notModified(new Headers({ 'If-Modified-Since': since }), '"a"', MODIFIED)).toBe(expected);
  });

  test('no modification date known: modified', () => {
    expect(notModified(new Headers({ 'If-Modified-Since': httpDate(MODIFIED) }), '"a"', null)).toBe(false);
  });
});
