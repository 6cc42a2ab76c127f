import { LRUCache } from 'lru-cache';
import { concatenate } from '../../lib/bytes/bytes.ts';
import type { PartFormat } from '../formats/format.ts';
import type { FeedParameters } from '../formats/parameters.ts';
import {
  appendChecksum,
  type Checksum,
  type DeflatedPiece,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  GZIP_TRAILER_LENGTH,
  gzipTrailer,
  storePiece,
} from './gzip.ts';

/** Bytes between two parts, uncompressed and as a piece. */
export interface Joint {
  readonly plain: Uint8Array;
  readonly piece: DeflatedPiece;
}

/** What surrounds the parts of a feed, uncompressed and compressed: always the same bytes for a format and its version. */
export interface Frame {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** The gzip header and the compressed head. */
  readonly opening: Uint8Array;
  /** The head's. */
  readonly checksum: Checksum;
  /** The compressed tail, the final block and the trailer, given the checksum of everything before. */
  closing(checksum: Checksum): Uint8Array;
  readonly closingLength: number;
  /** What follows each part with records but the last; `null` if nothing does. */
  readonly separator: Joint | null;
  /** What the first part with records of developments follows instead. */
  readonly developments: Joint | null;
  /** The Content-Type of the document. */
  readonly mediaType: string;
}

/** By the head of the document, which may contain what a reader has set. */
const frames = new LRUCache<string, Frame>({ max: 500 });

/** The frame of feeds with certain parameters. */
export function frameOf(format: PartFormat, parameters: FeedParameters): Frame {
  const start = format.head(parameters);
  const known = frames.get(start);
  if (known !== undefined) return known;
  const [head, tail] = [start, format.tail].map((text) => new TextEncoder().encode(text));
  const [storedHead, storedTail] = [storePiece(head!), storePiece(tail!)];
  const frame: Frame = {
    head: head!,
    tail: tail!,
    opening: concatenate([GZIP_HEADER, storedHead.deflated]),
    checksum: appendChecksum(EMPTY_CHECKSUM, storedHead),
    closing: (checksum) => concatenate([storedTail.deflated, gzipTrailer(appendChecksum(checksum, storedTail))]),
    closingLength: storedTail.deflated.length + GZIP_TRAILER_LENGTH,
    separator: jointOf(format.separator),
    developments: jointOf(format.developments),
    mediaType: format.mediaType ?? 'application/xml; charset=utf-8',
  };
  frames.set(start, frame);
  return frame;
}

function jointOf(text: string | undefined): Joint | null {
  if (text === undefined) return null;
  const plain = new TextEncoder().encode(text);
  return { plain, piece: storePiece(plain) };
}

/** What each part of a feed follows, in document order: depends on which parts before it have records. */
export class Joints {
  readonly #frame: Frame;
  #hasRecords = false;
  #hasDevelopments = false;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  /** What a part with records follows; `null` for nothing. */
  before(isDevelopment: boolean): Joint | null {
    const { separator, developments } = this.#frame;
    const joint = isDevelopment && !this.#hasDevelopments ? developments : this.#hasRecords ? separator : null;
    this.#hasRecords = true;
    this.#hasDevelopments ||= isDevelopment;
    return joint;
  }
}

/** The compressed feed that consists of one part: that part's snapshot. */
export function framed(part: DeflatedPiece, { opening, checksum, closing }: Frame): Uint8Array {
  return concatenate([opening, part.deflated, closing(appendChecksum(checksum, part))]);
}

/** The feed without records. */
export function emptyFeed({ head, tail, opening, checksum, closing }: Frame, compressed: boolean): Uint8Array {
  return concatenate(compressed ? [opening, closing(checksum)] : [head, tail]);
}

/** The part in such a feed, still compressed. */
export function unframed(feed: Uint8Array, { opening, closingLength }: Frame): Uint8Array {
  return feed.subarray(opening.length, feed.length - closingLength);
}

/** Bytes that a snapshot of a given length contributes to a compressed feed. */
export function unframedLength(bytes: number, { opening, closingLength }: Frame): number {
  return bytes === 0 ? 0 : bytes - opening.length - closingLength;
}
