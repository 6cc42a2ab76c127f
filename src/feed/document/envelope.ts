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
  storePiece,
} from './gzip.ts';

/** Bytes between two parts, uncompressed and as a piece. */
interface Joint {
  readonly plain: Uint8Array;
  readonly piece: DeflatedPiece;
}

/** What surrounds the parts of a feed, uncompressed and compressed: the same bytes for the same format and head. */
export type Envelope = ReturnType<typeof newEnvelope>;

/** By the head of the document, which can depend on parameters. */
const envelopes = boundedCache<Envelope>(500);

export function envelopeOf(format: PartFormat, parameters: FeedParameters): Envelope {
  const head = format.head(parameters);
  const envelope = envelopes.get(head) ?? newEnvelope(format, head);
  envelopes.set(head, envelope);
  return envelope;
}

function newEnvelope(format: PartFormat, start: string) {
  const [head, tail] = [encode(start), encode(format.tail)];
  const [storedHead, storedTail] = [storePiece(head), storePiece(tail)];
  return {
    head,
    tail,
    /** The gzip header and the compressed head. */
    opening: Buffer.concat([GZIP_HEADER, storedHead.deflated]),
    checksum: appendChecksum(EMPTY_CHECKSUM, storedHead),
    /** The compressed tail, the final block and the trailer, given the checksum of everything before. */
    closing: (checksum: Checksum) =>
      Buffer.concat([storedTail.deflated, gzipTrailer(appendChecksum(checksum, storedTail))]),
    closingLength: storedTail.deflated.length + GZIP_TRAILER_LENGTH,
    /** What is between two parts with records; `null` for nothing. */
    separator: jointOf(format.separator),
    /** Written before the first part of developments that has records, instead of the separator. */
    developments: jointOf(format.developments),
    mediaType: format.mediaType ?? XML_TYPE,
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function jointOf(text: string | undefined): Joint | null {
  if (text === undefined) return null;
  const plain = encode(text);
  return { plain, piece: storePiece(plain) };
}

/** What precedes each part of a feed that has records, part by part in document order; `null` for nothing. */
export function jointsOf({ separator, developments }: Envelope): (isDevelopment: boolean) => Joint | null {
  let [hasRecords, hasDevelopments] = [false, false];
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
