import { expect, test } from 'vitest';
import { Utf8Writer } from '../../../src/lib/bytes/utf8.ts';

test('texts shorter and longer than a batch: their UTF-8 in order', () => {
  const texts = ['', 'a', 'Ñandú Ж 🏡'.repeat(9_000), 'x'.repeat(65_536), '', '🏡'.repeat(600_000), 'end'];
  const writer = new Utf8Writer();
  for (const text of texts) writer.write(text);
  expect(Buffer.concat(writer.chunks()).equals(Buffer.from(texts.join('')))).toBe(true);
});
