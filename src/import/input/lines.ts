import { ImportError } from '../error.ts';

/** Maximum length of a record in characters: more than the database accepts. */
export const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

/** A line of a text, with its number, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines of a text, without line endings and without blank lines. */
export async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 1;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = chunk.split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    for (const text of parts) {
      if (text.trim() !== '') yield { number, text };
      number++;
    }
    if (rest.length > MAX_RECORD_LENGTH)
      throw new ImportError('bad_file', `Line ${number} exceeds the maximum length of a record.`);
  }
  if (rest.trim() !== '') yield { number, text: rest };
}
