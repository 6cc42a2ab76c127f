import { expect, test } from 'vitest';
import { detailIn, detailSentence } from '../../../src/console/texts/details.ts';
import { FORMATS } from '../../../src/feed/formats/formats.ts';
import { allowedText, notAllowed } from '../../../src/feed/formats/parameters.ts';

test.each([
  ['must have at most 50 characters', 'Debe tener 50 caracteres como máximo.'],
  ['must be one of: A, B', 'Debe ser uno de: A, B.'],
  ['something that nobody has translated', 'No se admite.'],
])('%s in Spanish: %s', (detail, expected) => {
  expect(detailSentence('es', detail)).toBe(expected);
  expect(detailIn('en', detail)).toBe(detail);
});

test('a value that no parameter allows: why not, in Spanish', () => {
  for (const { type } of FORMATS.flatMap(({ feedParameters }) => feedParameters)) {
    const { reason } = notAllowed('X', '?', allowedText(type.allowed));
    const isText = type.allowed.kind === 'text';
    expect(detailIn('es', reason)).toMatch(
      isText ? /^es «\?», lo que no se admite$/ : /^es «\?»; se admite: (de \d|\w+(, |$))/,
    );
  }
});
