import { MAX_RECORD_LENGTH } from '../input/lines.ts';

/** Part of a feed. */
export interface Section {
  /** In UTF-8. */
  readonly bytes: Uint8Array;
  /** Whether the part before it, or after it, is empty. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The end tag of a record. */
const END = '</property>';

/**
 * A feed in UTF-8 in sections of at least so many bytes, each but the last up to the end of a record. They are searched
 * without regard to comments and CDATA, so a section may end in one.
 */
export async function* sectionsOf(chunks: AsyncIterable<Uint8Array>, least: number): AsyncGenerator<Section> {
  let pending: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    pending.push(chunk);
    length += chunk.length;
    if (length < least) continue;
    const bytes = Buffer.concat(pending);
    const end = bytes.lastIndexOf(END) + END.length;
    // A record that is too long is reported by whoever reads the section.
    const cut = end >= END.length ? end : length;
    if (cut === length && length <= MAX_RECORD_LENGTH) continue;
    yield { bytes: bytes.subarray(0, cut), isFirst, isLast: false };
    pending = [bytes.subarray(cut)];
    length -= cut;
    isFirst = false;
  }
  yield { bytes: Buffer.concat(pending), isFirst, isLast: true };
}

/** A section as a document of its own. */
export function asDocument({ bytes, isFirst, isLast }: Section, root: string): Uint8Array {
  return Buffer.concat([Buffer.from(isFirst ? '' : `<${root}>`), bytes, Buffer.from(isLast ? '' : `</${root}>`)]);
}
