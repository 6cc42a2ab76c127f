import { crc32, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendChecksum,
  deflatePiece,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  GZIP_TRAILER_LENGTH,
  gzipTrailer,
  storePiece,
} from '../../../src/feed/document/gzip.ts';

const pieces = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string().map((text) => new TextEncoder().encode(text.repeat(50))),
  ),
  { maxLength: 20 },
);

test('pieces between header and trailer: one gzip member of their bytes in order', () => {
  fc.assert(
    fc.property(pieces, (plain) => {
      const deflated = plain.map((bytes, index) =>
        index % 3 === 0 ? storePiece(bytes) : deflatePiece(bytes),
      );
      const checksum = deflated.reduce(appendChecksum, EMPTY_CHECKSUM);
      const member = Buffer.concat([
        GZIP_HEADER,
        ...deflated.map((piece) => piece.deflated),
        gzipTrailer(checksum),
      ]);
      const document = Buffer.concat(plain);
      expect(gunzipSync(member).equals(document)).toBe(true);
      expect(checksum).toEqual({ crc: crc32(document), length: document.length });
      const lengths = deflated.map((piece) => piece.deflated.length);
      expect(member.length).toBe(
        lengths.reduce((sum, length) => sum + length, GZIP_HEADER.length + GZIP_TRAILER_LENGTH),
      );
    }),
    { seed: 1 },
  );
});

test('gzipTrailer of more than 4 GiB: the length modulo 2^32', () => {
  const trailer = gzipTrailer({ crc: 0x01020304, length: 2 ** 32 + 5 });
  expect([...trailer]).toEqual([3, 0, 4, 3, 2, 1, 5, 0, 0, 0]);
});
