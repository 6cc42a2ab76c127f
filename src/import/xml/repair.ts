import { decodeHTMLStrict } from 'entities/decode';
import { ImportError } from '../error.ts';

/** A place where the text of an XML document was repaired. */
interface Repair {
  readonly line: number;
  readonly text: string;
  readonly as: string;
}

/** Characters held back at the end of a piece of text, since an entity or a marker may continue in the next one. */
const HELD_BACK = 40;

/** What may need a repair, and the beginnings of what needs none. */
const MARK = /&(?:#?\w{1,32};)?|<!\[CDATA\[|<!--/g;

const END_OF = { '<![CDATA[': ']]>', '<!--': '-->' } as const;

/**
 * A document in which HTML's entities are the characters they stand for, and an ampersand that begins no entity is written
 * `&amp;`: neither can mean anything else. CDATA sections and comments remain unchanged.
 *
 * @param repaired called for each repair; without it, one is an error
 * @throws ImportError naming the line
 */
export async function* repairedXml(
  pieces: AsyncIterable<string>,
  repaired?: (repair: Repair) => void,
): AsyncGenerator<string> {
  const repairer = new Repairer(repaired);
  for await (const piece of pieces) yield repairer.add(piece);
  yield repairer.end();
}

class Repairer {
  readonly #repaired: ((repair: Repair) => void) | undefined;
  #rest = '';
  /** The line in which the rest begins. */
  #line = 1;
  /** What ends the CDATA section or comment in which the rest begins. */
  #end: string | undefined;

  constructor(repaired?: (repair: Repair) => void) {
    this.#repaired = repaired;
  }

  add(piece: string): string {
    const text = this.#rest + piece;
    return this.#repairedUpTo(text, text.length - HELD_BACK);
  }

  end(): string {
    return this.#repairedUpTo(this.#rest, this.#rest.length) + this.#rest;
  }

  /** What can be decided of a text: everything that begins before a place. The remainder is held back. */
  #repairedUpTo(text: string, limit: number): string {
    let [done, from] = ['', 0];
    let at = 0;
    while (at < limit) {
      if (this.#end !== undefined) {
        const end = text.indexOf(this.#end, at);
        at = end < 0 ? Math.max(at, limit) : end + this.#end.length;
        if (end < 0) break;
        this.#end = undefined;
      }
      MARK.lastIndex = at;
      const found = MARK.exec(text);
      if (found === null || found.index >= limit) {
        at = Math.max(at, limit);
        break;
      }
      const [mark] = found;
      at = found.index + mark.length;
      if (mark in END_OF) {
        this.#end = END_OF[mark as keyof typeof END_OF];
        continue;
      }
      const replacement = replacementOf(mark);
      if (replacement === mark) continue;
      done += text.slice(from, found.index) + replacement;
      this.#report(text, found.index, mark, replacement);
      from = at;
    }
    at = Math.max(at, 0);
    done += text.slice(from, at);
    this.#rest = text.slice(at);
    this.#line += newlines(text, at);
    return done;
  }

  #report(text: string, at: number, mark: string, as: string): void {
    const line = this.#line + newlines(text, at);
    if (this.#repaired !== undefined) this.#repaired({ line, text: mark, as });
    else if (mark === '&') {
      throw notWellFormed(line, 'an ampersand that begins no entity must be written &amp;.');
    } else throw notWellFormed(line, `XML does not define the entity ${mark}`);
  }
}

function notWellFormed(line: number, why: string): ImportError {
  return new ImportError('bad_file', `The file is not well-formed XML, at line ${line}: ${why}`);
}

function replacementOf(mark: string): string {
  if (mark === '&') return '&amp;';
  if (mark.startsWith('&#') || /^&(amp|lt|gt|quot|apos);$/.test(mark)) return mark;
  const character = decodeHTMLStrict(mark);
  if (character === mark) return `&amp;${mark.slice(1)}`;
  return character.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function newlines(text: string, until: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
