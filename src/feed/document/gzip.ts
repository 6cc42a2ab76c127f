import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * A piece of a document, compressed by itself: raw deflate (RFC 1951) that ends in a full flush, so that pieces in a row
 * are one deflate stream, and each can be inflated alone.
 */
export interface DeflatedPiece {
  readonly deflated: Uint8Array;
  readonly crc: number;
  readonly length: number;
}

/** A piece that is not compressed, with its bytes as they are. */
export interface StoredPiece extends DeflatedPiece {
  readonly plain: Uint8Array;
}

export interface Checksum {
  readonly crc: number;
  readonly length: number;
}

/** RFC 1952 section 2.3: no name, no time, no extra field, unknown system, so that the bytes are constant. */
export const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export const GZIP_TRAILER_LENGTH = 10;

export const EMPTY_CHECKSUM: Checksum = { crc: 0, length: 0 };

const DEFLATE = {
  // The first reader waits the shortest, for a fifth more bytes than at the default level.
  level: 1,
  // The most memory that zlib uses for its tables, half a megabyte: 5% less time, and fewer bytes.
  memLevel: 9,
  // Bytes of its output buffers: with its default of 16 KB, a segment is concatenated from fifty.
  chunkSize: 1_048_576,
  finishFlush: constants.Z_FULL_FLUSH,
};

export function deflatePiece(bytes: Uint8Array): DeflatedPiece {
  if (bytes.length === 0) return { deflated: new Uint8Array(0), crc: 0, length: 0 };
  const deflated = deflateRawSync(bytes, DEFLATE);
  return { deflated, crc: crc32(bytes), length: bytes.length };
}

/**
 * Up to 65,535 bytes uncompressed, in a stored block (RFC 1951 section 3.2.4), whose length does not depend on the version
 * of zlib.
 */
export function storePiece(plain: Uint8Array): StoredPiece {
  const { length } = plain;
  const deflated = new Uint8Array(5 + length);
  const view = new DataView(deflated.buffer);
  view.setUint16(1, length, true);
  view.setUint16(3, ~length, true);
  deflated.set(plain, 5);
  return { deflated, crc: crc32(plain), length, plain };
}

/** An empty block that ends raw deflate (RFC 1951 section 3.2.3). */
export const FINAL_BLOCK = new Uint8Array([0x03, 0x00]);

/** The final block, and the member's CRC-32 and length modulo 2^32 (RFC 1952 section 2.3.1). */
export function gzipTrailer({ crc, length }: Checksum): Uint8Array {
  const trailer = new Uint8Array(GZIP_TRAILER_LENGTH);
  trailer.set(FINAL_BLOCK);
  const view = new DataView(trailer.buffer);
  view.setUint32(2, crc, true);
  view.setUint32(6, length, true);
  return trailer;
}

/**
 * A block of the reserved type (RFC 1951 section 3.2.3), which every decoder rejects: after a piece, it makes the member
 * invalid, which neither a complete nor a truncated one is.
 */
export const BROKEN_BLOCK = new Uint8Array([0x07]);

export function appendChecksum(first: Checksum, second: Checksum): Checksum {
  return {
    crc: (multiply(powerOfX(second.length * 8), first.crc) ^ second.crc) >>> 0,
    length: first.length + second.length,
  };
}

/** The polynomial of RFC 1952 section 8, with its lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** The product of two polynomials over GF(2) modulo that of the CRC: appending n zero bits multiplies by x^n. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** x to the power of 2^n, by n; enough for the bits of 128 GB. */
const POWERS_OF_X = [ONE >>> 1];
while (POWERS_OF_X.length < 40)
  POWERS_OF_X.push(multiply(POWERS_OF_X.at(-1)!, POWERS_OF_X.at(-1)!));

function powerOfX(exponent: number): number {
  let power = ONE;
  for (let rest = exponent, n = 0; rest > 0; rest = Math.floor(rest / 2), n++) {
    if (rest % 2 === 1) power = multiply(power, POWERS_OF_X[n]!);
  }
  return power;
}
