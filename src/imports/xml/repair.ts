import { decodeHTMLStrict } from 'entities/decode';
import { message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';

/** Characters held back at the end of a piece of text, since an entity or a marker may continue in the next one. */
const HELD_BACK = 120;

/** What may need a repair, and where CDATA sections and comments begin and end. */
const MARK = /&(?:#?\w{1,32};)?|<!\[CDATA\[|\]\]>|<!--|-->|\ufeff?<\?xml\s[^>]{0,100}\?>/g;

/** A character that XML does not allow. Texts copied from other documents have some. */
const FORBIDDEN = /[^\t\n\r -\ufffd]/;

/** Either of the two. It takes three times as long, so it is only for texts with such a character, which are rare. */
const EITHER = new RegExp(`${MARK.source}|${FORBIDDEN.source}`, 'g');

const END_OF: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->' };

type Repair = 'entity' | 'declaration' | 'control_characters';

/**
 * A document in which HTML's entities are the characters they stand for, an ampersand that begins no entity is written
 * `&amp;`, a declaration after white space is removed, and characters that XML does not allow are spaces: none of them can mean
 * anything else. Only the last applies to CDATA sections and comments.
 *
 * @param repaired called for each repair with its line, and the text before and after; without it, a repair is an ImportError
 */
export async function* repairedXml(
  pieces: AsyncIterable<string>,
  repaired: (kind: Repair, line: number, text: string, as: string) => void = failure,
): AsyncGenerator<string> {
  let text = '';
  let line = 1;
  /** Characters of white space before the text; `undefined` after anything else. */
  let blank: number | undefined = 0;
  /** What ends the CDATA section or comment in which the text begins. */
  let end: string | undefined;
  /** Repairs all that begins before a place; the remainder is held back. */
  const repair = (limit: number): string => {
    let done = '';
    let from = 0;
    let at = 0;
    const marks = FORBIDDEN.test(text) ? EITHER : MARK;
    marks.lastIndex = 0;
    for (
      let found = marks.exec(text);
      found !== null && found.index < limit;
      found = marks.exec(text)
    ) {
      const [mark] = found;
      at = marks.lastIndex;
      if (end !== undefined && !FORBIDDEN.test(mark)) {
        if (mark === end) end = undefined;
        continue;
      }
      end ??= END_OF[mark];
      const before = text.slice(from, found.index);
      const isLate =
        mark.includes('<?') &&
        blank !== undefined &&
        blank + at > mark.length &&
        (done + before).trim() === '';
      const replacement = isLate ? '' : replacementOf(mark);
      if (replacement === mark) continue;
      line += newlines(before);
      const kind = isLate ? 'declaration' : replacement === ' ' ? 'control_characters' : 'entity';
      const given = FORBIDDEN.test(mark)
        ? `u+${mark.charCodeAt(0).toString(16).padStart(4, '0')}`.toUpperCase()
        : mark;
      repaired(kind, line, given, replacement === ' ' ? 'a space' : replacement);
      line += newlines(mark);
      done += before + replacement;
      from = at;
    }
    at = Math.max(at, limit);
    line += newlines(text.slice(from, at));
    done += text.slice(from, at);
    text = text.slice(at);
    if (blank !== undefined) blank = done.trim() === '' ? blank + done.length : undefined;
    return done;
  };
  for await (const piece of pieces) {
    text += piece;
    yield repair(text.length - HELD_BACK);
  }
  yield repair(text.length) + text;
}

function failure(kind: Repair, line: number, mark: string): never {
  const entity =
    mark === '&'
      ? message('bare_ampersand', { line })
      : message('unknown_entity', { line, entity: mark });
  const why = {
    entity,
    declaration: message('late_declaration', { line }),
    control_characters: message('forbidden_character', { line, character: mark }),
  };
  throw new ImportError('bad_file', why[kind]);
}

function replacementOf(mark: string): string {
  if (mark === '&') return '&amp;';
  if (FORBIDDEN.test(mark)) return ' ';
  if (!mark.startsWith('&') || /^&(amp|lt|gt|quot|apos);$/.test(mark)) return mark;
  const character = decodeHTMLStrict(mark);
  if (mark.startsWith('&#')) {
    // HTML reads these references as Windows-1252, and so do the programs that write them.
    if (/^&#(12[89]|1[345]\d|x[89][\da-f]);$/i.test(mark)) return character;
    return character === '\ufffd' || FORBIDDEN.test(character) ? ' ' : mark;
  }
  if (character === mark) return `&amp;${mark.slice(1)}`;
  return character.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
