import { decodeHTMLStrict } from 'entities/decode';
import { ImportError } from '../error.ts';

/** Characters held back at the end of a piece of text, since an entity or a marker may continue in the next one. */
const HELD_BACK = 40;

/** What may need a repair, and the beginnings of what needs none. */
const MARK = /&(?:#?\w{1,32};)?|<!\[CDATA\[|<!--/g;

const END_OF: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->' };

/**
 * A document in which HTML's entities are the characters they stand for, and an ampersand that begins no entity is written
 * `&amp;`: neither can mean anything else. CDATA sections and comments remain unchanged.
 *
 * @param repaired called for each repair with its line, and the text before and after; without it, one is an ImportError
 */
export async function* repairedXml(
  pieces: AsyncIterable<string>,
  repaired: (line: number, text: string, as: string) => void = failure,
): AsyncGenerator<string> {
  let [text, line] = ['', 1];
  /** What ends the CDATA section or comment in which the text begins. */
  let end: string | undefined;
  /** Repairs all that begins before a place; the remainder is held back. */
  const repair = (limit: number): string => {
    let [done, from, at] = ['', 0, 0];
    while (at < limit) {
      if (end !== undefined) {
        const found = text.indexOf(end, at);
        at = found < 0 ? limit : found + end.length;
        if (found >= 0) end = undefined;
        continue;
      }
      MARK.lastIndex = at;
      const found = MARK.exec(text);
      if (found === null || found.index >= limit) {
        at = limit;
        break;
      }
      const [mark] = found;
      at = found.index + mark.length;
      end = END_OF[mark];
      const replacement = mark.startsWith('&') ? replacementOf(mark) : mark;
      if (replacement === mark) continue;
      repaired(line + newlines(text.slice(0, found.index)), mark, replacement);
      done += text.slice(from, found.index) + replacement;
      from = at;
    }
    done += text.slice(from, at);
    line += newlines(text.slice(0, at));
    text = text.slice(at);
    return done;
  };
  for await (const piece of pieces) {
    text += piece;
    yield repair(text.length - HELD_BACK);
  }
  yield repair(text.length) + text;
}

function failure(line: number, mark: string): never {
  const why =
    mark === '&'
      ? 'an ampersand that begins no entity must be written &amp;.'
      : `XML does not define the entity ${mark}`;
  throw new ImportError('bad_file', `The file is not well-formed XML, at line ${line}: ${why}`);
}

function replacementOf(mark: string): string {
  if (mark === '&') return '&amp;';
  if (mark.startsWith('&#') || /^&(amp|lt|gt|quot|apos);$/.test(mark)) return mark;
  const character = decodeHTMLStrict(mark);
  if (character === mark) return `&amp;${mark.slice(1)}`;
  return character.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
