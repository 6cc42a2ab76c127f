import type { Reporting } from '../pipeline/notes.ts';
import type { XmlNode } from './node.ts';

/** The characters of the bytes 0x80 to 0x9f in Windows-1252; all others are those of Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** A character that is a byte of a UTF-8 character, except the first. */
const CONTINUATION = `[\\u0080-\\u00bf${WINDOWS_1252}]`;

/**
 * Characters that are the bytes of one UTF-8 character, each read as Windows-1252: `Ã¡`, `Â²`,
 * `â‚¬`, `ðŸ¡`. Only characters with which hardly any text begins such a sequence, so that a text
 * which means what it says stays.
 */
const MOJIBAKE = new RegExp(`[ÂÃ]${CONTINUATION}|â${CONTINUATION}{2}|ðŸ${CONTINUATION}{2}`, 'g');

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text in which UTF-8 that was read as Windows-1252 is read as UTF-8, where it can be nothing
 * else.
 */
function withoutMojibake(text: string): string {
  // French quotation marks may follow a capital letter with an accent.
  if (!/[ÂÃâð]/.test(text) || text.includes('«')) return text;
  return text.replaceAll(MOJIBAKE, (characters) => {
    const bytes = [...characters].map((character) => {
      const place = WINDOWS_1252.indexOf(character);
      return place < 0 ? character.charCodeAt(0) : place + 0x80;
    });
    try {
      const decoded = UTF_8.decode(Uint8Array.from(bytes));
      return /\p{Cc}/u.test(decoded) ? characters : decoded;
    } catch {
      return characters;
    }
  });
}

/**
 * Repairs the texts of a record, and reports line ends that are written as the two characters `\n`.
 */
export function repairTexts(record: XmlNode, reporting: Reporting, parents = ''): void {
  for (const node of record.children) {
    const repaired = withoutMojibake(node.text);
    const hasLineEnd = /(?<!:)\\[nr]/.test(node.text);
    if (node.children.length === 0 && repaired === node.text && !hasLineEnd) continue;
    const path = parents + node.name;
    if (hasLineEnd)
      reporting.interpreted(path, 'literal_line_end', node.line, node.text, node.text);
    if (repaired !== node.text)
      reporting.interpreted(path, 'mojibake', node.line, node.text, repaired);
    node.text = repaired;
    repairTexts(node, reporting, `${path}/`);
  }
}

/**
 * A text whose line ends are line feeds, also those that a program has escaped twice, or CR LF as
 * it has them.
 */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/&#(13|x0?d);/gi, '\r').replaceAll(/\r(?!\n)/g, '\n');
}
