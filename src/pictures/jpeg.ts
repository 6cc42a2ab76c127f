/** A file is not a JPEG, or ends before the picture does. */
export class JpegError extends Error {}

/** What a JPEG says of its picture (ITU T.81). */
export interface JpegFacts {
  width: number;
  height: number;
  /** How the picture is to be turned, 1 to 8: 1 is upright (Exif 2.32, tag 0x0112). */
  orientation: number;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TEM = 0x01;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Frames: all of 0xC0 to 0xCF but tables (DHT, DAC) and a reserved one. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/**
 * A JPEG without what it says of where, when and how it was taken: Exif, XMP, IPTC, comments, previews and whatever follows the
 * picture. What decoders need remains: JFIF and Adobe's marker, the colour profile, and which way is up. Nothing but the
 * current piece is in memory.
 *
 * @param facts are filled in
 * @throws JpegError
 */
export async function* withoutMetadata(
  chunks: AsyncIterable<Uint8Array>,
  facts: JpegFacts,
): AsyncGenerator<Uint8Array> {
  const input = new Input(chunks);
  if (marker(await input.take(2)) !== SOI) throw new JpegError('no JPEG');
  yield Uint8Array.of(0xff, SOI);
  for (;;) {
    const code = await nextMarker(input);
    if (code === EOI) break;
    if (isRestart(code) || code === TEM) {
      yield Uint8Array.of(0xff, code);
      continue;
    }
    const size = await input.take(2);
    const length = (size[0]! << 8) | size[1]!;
    if (length < 2) throw new JpegError('a segment without a length');
    const data = await input.take(length - 2);
    if (isFrame(code)) {
      facts.height = ((data[1] ?? 0) << 8) | (data[2] ?? 0);
      facts.width = ((data[3] ?? 0) << 8) | (data[4] ?? 0);
    }
    const kept = keptSegment(code, data, facts);
    if (kept !== null) {
      const total = kept.length + 2;
      yield Uint8Array.of(0xff, code, total >> 8, total & 0xff);
      yield kept;
    }
    if (code === SOS) {
      if (facts.width === 0 || facts.height === 0) throw new JpegError('no size');
      yield* input.scan();
    }
  }
  if (facts.width === 0) throw new JpegError('no picture');
  yield Uint8Array.of(0xff, EOI);
}

function marker(bytes: Uint8Array): number {
  return bytes[0] === 0xff ? bytes[1]! : -1;
}

async function nextMarker(input: Input): Promise<number> {
  if ((await input.take(1))[0] !== 0xff) throw new JpegError('no marker');
  let code = (await input.take(1))[0]!;
  // Any number of these may precede a marker.
  while (code === 0xff) code = (await input.take(1))[0]!;
  if (code === 0) throw new JpegError('no marker');
  return code;
}

/** What remains of a segment; `null` for nothing. */
function keptSegment(code: number, data: Uint8Array, facts: JpegFacts): Uint8Array | null {
  if (code === COM) return null;
  if (code < APP0 || code > APP15 || code === APP14) return data;
  const starts = (text: string) => [...text].every((one, at) => data[at] === one.charCodeAt(0));
  if (code === APP0) return starts('JFIF\0') ? withoutPreview(data) : null;
  if (code === APP2) return starts('ICC_PROFILE\0') ? data : null;
  if (code !== APP1 || !starts('Exif\0\0')) return null;
  facts.orientation = orientationIn(data.subarray(6));
  return facts.orientation === 1 ? null : exifOf(facts.orientation);
}

/** JFIF can have a preview, whose size is in the last two bytes of its header. */
function withoutPreview(data: Uint8Array): Uint8Array {
  const header = data.slice(0, 14);
  header.fill(0, 12, 14);
  return header;
}

const ORIENTATION = 0x0112;

/** The orientation in the first directory of a TIFF structure; 1 if there is none. */
function orientationIn(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, isLittle);
    const entries = view.getUint16(directory, isLittle);
    for (let entry = 0; entry < entries; entry++) {
      const at = directory + 2 + 12 * entry;
      if (view.getUint16(at, isLittle) !== ORIENTATION) continue;
      const value = view.getUint16(at + 8, isLittle);
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // Beyond the end.
  }
  return 1;
}

/** An Exif segment that says nothing but the orientation. */
function exifOf(orientation: number): Uint8Array {
  return Uint8Array.of(
    ...[0x45, 0x78, 0x69, 0x66, 0, 0],
    // Big-endian, with a directory at 8 that has one entry: a SHORT.
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8],
    ...[0, 1, ORIENTATION >> 8, ORIENTATION & 0xff, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  );
}

/** The bytes of a file, as they arrive. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#rest.length < length) await this.#atLeast(length);
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** The data of a scan up to the next marker; in it, 0xFF is followed by 0, or by the number of a restart. */
  async *scan(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#rest.length < 2) await this.#atLeast(2);
      const data = this.#rest;
      const end = endOfScan(data);
      if (end > 0) yield data.subarray(0, end);
      this.#rest = data.subarray(end);
      // All but what may be the beginning of a marker has been data.
      if (end < data.length - 1) return;
    }
  }

  async #atLeast(length: number): Promise<void> {
    const pieces = [this.#rest];
    let total = this.#rest.length;
    while (total < length) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new JpegError('the file is truncated');
      pieces.push(value);
      total += value.length;
    }
    const joined = new Uint8Array(total);
    let at = 0;
    for (const piece of pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    this.#rest = joined;
  }
}

/** Where the marker after a scan begins; the length of the data, or one less if it ends in 0xFF, if there is none yet. */
function endOfScan(data: Uint8Array): number {
  for (let at = data.indexOf(0xff); at !== -1; at = data.indexOf(0xff, at + 2)) {
    const next = data[at + 1];
    if (next === undefined) return at;
    if (next !== 0 && !isRestart(next)) return at;
  }
  return data.length;
}
