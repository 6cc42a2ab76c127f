import { describe, expect, test } from 'vitest';
import { InexactNumber, type JsonError, parseJson } from '../../../src/lib/json.ts';

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text).buffer as ArrayBuffer);
}

/** Matches a {@link JsonError} by its code, and by a part of its message. */
function failure(code: JsonError['code'], part = '') {
  return expect.objectContaining({ name: 'JsonError', code, message: expect.stringContaining(part) });
}

describe('a number that a double represents: the double', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['-0.00e7', 0],
    ['0e99999999999999999999', 0],
    ['0.1', 0.1],
    ['0.100', 0.1],
    ['1E2', 100],
    ['100', 100],
    ['-12.50', -12.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.10000000000000001', 0.1],
    ['3.2500009999999998e5', 325000.1],
    ['272727.27272727271', 300000 / 1.1],
    ['0.1000000000000000055511151231257827021181583404541015625', 0.1],
    ['9007199254740992', 9007199254740992],
    ['1e23', 1e23],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['4.9e-324', 5e-324],
    [`1${'0'.repeat(22)}`, 1e22],
    [`0.5${'0'.repeat(1_000_000)}`, 0.5],
  ])('%s', (text, value) => expect(parse(text)).toBe(value));
});

describe('a number that no double represents: an InexactNumber', () => {
  test.each([
    '9007199254740993',
    '123456789012345678',
    '0.1000000000000000055511151231257828',
    '272727.27272727272727272727273',
    '123456789.123456789123',
    '1e400',
    '-1e400',
    '1e-400',
    '4.8e-324',
    `0.1${'0'.repeat(1_000_000)}1`,
    '1e99999999999999999999',
  ])('%s', (text) => expect(parse(text)).toEqual(new InexactNumber(text)));
});

describe('member names', () => {
  test.each([
    ['{"a":1,"a":1}', '"a"'],
    ['{"a":1,"\\u0061":1}', '"\\u0061"'],
    ['[{"x":{"b":[{}],"b" : 2}}]', '"b"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ])('%s: repeated_member', (text, name) => {
    expect(() => parse(text)).toThrow(failure('repeated_member', name));
  });

  test.each(['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\"a\\":","b":["a","a"],"{":"}"}'])('%s: its value', (text) =>
    expect(parse(text)).toEqual(JSON.parse(text)),
  );
});

describe('invalid JSON', () => {
  test.each([
    ['an empty text', ''],
    ['an incomplete text', '{"a":'],
    ['a line break in a string', '"\n"'],
    ['NaN', 'NaN'],
    ['a number with a leading zero', '01'],
    ['an incomplete string of two million escapes', `"${'\\n'.repeat(2_000_000)}`],
  ])('%s: not_json', (_, text) => expect(() => parse(text)).toThrow(failure('not_json')));

  test('bytes that are not UTF-8: not_utf8', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22).buffer)).toThrow(failure('not_utf8'));
  });

  test('two million nested arrays: too_deep', () => {
    expect(() => parse('['.repeat(2_000_000) + ']'.repeat(2_000_000))).toThrow(failure('too_deep'));
  });
});

test.each([
  ['a string of two million escapes', JSON.stringify('\n'.repeat(2_000_000))],
  ['a string of four million letters', JSON.stringify('a'.repeat(4_000_000))],
  ['a string followed by four million spaces', `["a"${' '.repeat(4_000_000)}]`],
  ['150,000 strings, more than a function takes arguments', JSON.stringify(Array(150_000).fill('a'))],
])('%s: its value', (_, text) => {
  // As text: vitest takes far longer to compare so many values than it takes to parse them.
  expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
});
