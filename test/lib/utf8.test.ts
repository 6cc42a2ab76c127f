import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Utf8Writer } from '../../src/lib/utf8.ts';

test('texts written one after the other, longer and shorter than what is encoded at once → their UTF-8 in order', () => {
  const texts = fc.array(
    fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40_000 }))
      .map(([text, times]) => text.repeat(times).slice(0, 400_000)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(texts, (written) => {
      const whole = written.map((text) => text.toWellFormed());
      const writer = new Utf8Writer();
      for (const text of whole) writer.write(text);
      expect(Buffer.from(writer.bytes()).equals(Buffer.from(whole.join('')))).toBe(true);
    }),
    { numRuns: 40 },
  );
});
