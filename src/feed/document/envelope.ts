import { Buffer } from 'node:buffer';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { XML_TYPE } from '../../lib/bytes/xml.ts';
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
  type StoredPiece,
  storePiece,
} from './gzip.ts';

/** What surrounds the parts of a feed, uncompressed and compressed: the same bytes for the same format and head. */
export interface Envelope {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** The gzip header and the compressed head. */
  readonly opening: Uint8Array;
  /** Of the head. */
  readonly checksum: Checksum;
  /** The compressed tail, the final block and the trailer, given the checksum of everything before. */
  closing(checksum: Checksum): Uint8Array;
  readonly closingLength: number;
  /** What is between two parts with records; `null` for nothing. */
  readonly separator: StoredPiece | null;
  /** Written before the first part of developments that has records, instead of the separator. */
  readonly developments: StoredPiece | null;
  readonly mediaType: string;
}

/** By the head of the document, which can depend on parameters. */
const envelopes = boundedCache<Envelope>(500);

export function envelopeOf(format: PartFormat, parameters: FeedParameters): Envelope {
  const head = format.head(parameters);
  const envelope = envelopes.get(head) ?? newEnvelope(format, head);
  envelopes.set(head, envelope);
  return envelope;
}

function newEnvelope(format: PartFormat, start: string): Envelope {
  const head = stored(start);
  const tail = stored(format.tail);
  return {
    head: head.plain,
    tail: tail.plain,
    opening: Buffer.concat([GZIP_HEADER, head.deflated]),
    checksum: appendChecksum(EMPTY_CHECKSUM, head),
    closing: (checksum: Checksum) =>
      Buffer.concat([tail.deflated, gzipTrailer(appendChecksum(checksum, tail))]),
    closingLength: tail.deflated.length + GZIP_TRAILER_LENGTH,
    separator: format.separator === undefined ? null : stored(format.separator),
    developments: format.developments === undefined ? null : stored(format.developments),
    mediaType: format.mediaType ?? XML_TYPE,
  };
}

function stored(text: string): StoredPiece {
  return storePiece(new TextEncoder().encode(text));
}

/** What precedes each part of a feed that has records, part by part in document order; `null` for nothing. */
export function jointsOf({
  separator,
  developments,
}: Envelope): (isDevelopment: boolean) => StoredPiece | null {
  let hasRecords = false;
  let hasDevelopments = false;
  return (isDevelopment) => {
    const joint = isDevelopment && !hasDevelopments ? developments : hasRecords ? separator : null;
    hasRecords = true;
    hasDevelopments ||= isDevelopment;
    return joint;
  };
}

/** The compressed feed that consists of one part: that part's snapshot. */
export function wrapped(part: DeflatedPiece, { opening, checksum, closing }: Envelope): Uint8Array {
  return Buffer.concat([opening, part.deflated, closing(appendChecksum(checksum, part))]);
}

/** The part in a feed that {@link wrapped} has made, still compressed. */
export function unwrapped(feed: Uint8Array, { opening, closingLength }: Envelope): Uint8Array {
  return feed.subarray(opening.length, feed.length - closingLength);
}

/** Bytes that a snapshot of a given length contributes to a compressed feed. */
export function unwrappedLength(bytes: number, { opening, closingLength }: Envelope): number {
  return bytes === 0 ? 0 : bytes - opening.length - closingLength;
}
