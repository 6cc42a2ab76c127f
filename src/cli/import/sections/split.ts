import { MAX_RECORD_LENGTH } from '../lines.ts';

/** Part of the text of a feed. */
export interface Section {
  readonly text: string;
  /** Whether the text before it, or after it, is empty. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The end tag of a record. */
const END = '</property>';

/**
 * The text of a feed in sections of at least so many characters, each but the last up to the end of a record. The text
 * is searched without regard to comments and CDATA, so a section may end in one.
 */
export async function* sectionsOf(chunks: AsyncIterable<string>, characters: number): AsyncGenerator<Section> {
  let pending: string[] = [];
  let length = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    pending.push(chunk);
    length += chunk.length;
    if (length < characters) continue;
    const text = pending.join('');
    const end = text.lastIndexOf(END) + END.length;
    // A record that is too long is reported by whoever reads the section.
    const cut = end >= END.length ? end : length;
    if (cut === length && length <= MAX_RECORD_LENGTH) continue;
    yield { text: text.slice(0, cut), isFirst, isLast: false };
    pending = [text.slice(cut)];
    length -= cut;
    isFirst = false;
  }
  yield { text: pending.join(''), isFirst, isLast: true };
}

/** A section as a document of its own. */
export function asDocument({ text, isFirst, isLast }: Section, root: string): string {
  return `${isFirst ? '' : `<${root}>`}${text}${isLast ? '' : `</${root}>`}`;
}
