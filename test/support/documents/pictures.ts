import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';

/** A picture in two halves, red on the left and blue on the right, as a PNG; its pixels need not be as many as it says. */
export function png(width: number, height: number, rows = height, seed = 0): Uint8Array {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++)
    row.set(x < width / 2 ? [255, seed, 0] : [0, seed, 255], 1 + x * 3);
  const pixels = deflateSync(Buffer.concat(Array(rows).fill(row)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND')]),
  );
}

function chunk(type: string, data: Uint8Array = new Uint8Array(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A HEIC of 64 × 48 pixels in two halves, red on the left and blue on the right, which heif-enc of libheif has made of a PNG. */
export const HEIC = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAA' +
    'AAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAA' +
    'AAAAJAACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQ' +
    'IAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEM' +
    'Af//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADAC' +
    'EiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgI' +
    'AAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAACxtZGF0AAAAICgBrw' +
    'tg9eWDr//0HHfxxiDxcWVf/cyQPox//0XwifTg',
  'base64',
);

/** Where the photographs of tests were taken, as Exif would say: no other picture contains it. */
export const SECRET_PLACE = 'SECRET-PLACE-36.5N-4.9W';

/** A JPEG that says which way is up, and where it was taken: in Exif, XMP, a comment, and after its end. */
export function withExif(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = Buffer.from([
    ...[0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0],
    ...[0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0],
  ]);
  const secret = Buffer.from(SECRET_PLACE);
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff, secret]);
  const xmp = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), secret]);
  return new Uint8Array(
    Buffer.concat([
      jpeg.subarray(0, 2),
      segment(0xe1, exif),
      segment(0xe1, xmp),
      segment(0xfe, secret),
      jpeg.subarray(2),
      secret,
    ]),
  );
}

function segment(marker: number, data: Uint8Array): Buffer {
  const length = data.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), data]);
}

/** The segments of a JPEG before its first scan: the markers, and the size that it states. */
export function segmentsOf(jpeg: Uint8Array) {
  const markers: string[] = [];
  let [width, height] = [0, 0];
  for (let at = 2; at < jpeg.length; ) {
    const marker = jpeg[at + 1]!;
    const length = (jpeg[at + 2]! << 8) | jpeg[at + 3]!;
    markers.push(marker.toString(16));
    if (marker === 0xc0 || marker === 0xc2) {
      height = (jpeg[at + 5]! << 8) | jpeg[at + 6]!;
      width = (jpeg[at + 7]! << 8) | jpeg[at + 8]!;
    }
    if (marker === 0xda) break;
    at += 2 + length;
  }
  return { markers, width, height };
}
