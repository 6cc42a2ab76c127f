import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { element, escapeXml, plainDecimal } from '../../../src/lib/bytes/xml.ts';

describe('escapeXml', () => {
  test.each([
    ['plain ñ ß ø Ж ł 🏡', 'plain ñ ß ø Ж ł 🏡'],
    [`& < > " '`, '&amp; &lt; &gt; &quot; &apos;'],
    [']]>', ']]&gt;'],
    ['a\r\nb\tc', 'a&#13;\nb\tc'],
    ['\u0000a\u0001b\u001fc\u000bd', 'abcd'],
    ['a\ufffeb\uffffc', 'abc'],
    ['a\ud800b\udc00c', 'abc'],
    ['\ud83c\udfe1', '🏡'],
  ])('%j', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });
});

test('any character in a long text: escaped as on its own, the rest unchanged', () => {
  const before = 'Piscina y jardín, '.repeat(20);
  const after = ' a 200 m de la playa.'.repeat(20);
  const characters = [
    ...Array(0x300).keys(),
    0x2028,
    0xd7ff,
    0xd800,
    0xdbff,
    0xdc00,
    0xdfff,
    0xe000,
    0xfffd,
    0xfffe,
    0xffff,
  ];
  for (const code of characters) {
    const character = String.fromCharCode(code);
    expect(escapeXml(before + character + after), `U+${code.toString(16)}`).toBe(
      before + escapeXml(character) + after,
    );
  }
});

test('a value that XML cannot represent: no element', () => {
  expect([element('a', null), element('a', ''), element('a', '\u0001')]).toEqual(['', '', '']);
});

describe('plainDecimal', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [4.5, '4.5'],
    [-12.25, '-12.25'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [-1e-7, '-0.0000001'],
    [1.25e-9, '0.00000000125'],
    [1e300, `1${'0'.repeat(300)}`],
  ])('%d', (value, text) => {
    expect(plainDecimal(value)).toBe(text);
  });

  test('any double: a decimal without exponent that parses to the same double', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        const text = plainDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
      { seed: 1 },
    );
  });
});
