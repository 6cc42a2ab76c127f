import { ImportError } from '../error.ts';
import { childText, type XmlNode } from '../xml/node.ts';
import KNOWN from './formats.json' with { type: 'json' };

/** A format that can be imported. */
export type Format = keyof typeof KNOWN.names;

/** Formats: the name in the command line, and the name in messages. */
export const FORMATS: Readonly<Record<Format, string>> = KNOWN.names;

/** How many of these elements a record must have at least. */
const ENOUGH = 4;

/**
 * The format of an XML document.
 *
 * @param first its first elements, up to the first record
 * @throws ImportError that names the format if it cannot be imported
 */
export function formatOfXml(root: string, first: readonly XmlNode[]): Format {
  if (first.some(({ name }) => name === 'resalesonline') || root === 'resalesonline') return 'resales';
  if (first.some(({ name }) => name === 'kyero') || root === 'kyero') return 'kyero';
  if (first.some(({ name }) => name === 'thinkspain')) throw unsupported('a ThinkSPAIN feed');
  const record = first.find(({ name }) => name === 'property');
  if (record !== undefined) {
    const names = new Set(record.children.map(({ name }) => name));
    const count = (of: readonly string[]) => of.filter((name) => names.has(name)).length;
    // Elements that both formats have, and those that distinguish them.
    const { both, kyero, resales } = KNOWN.elements;
    if (count(both) >= ENOUGH) return count(resales) > count(kyero) ? 'resales' : 'kyero';
  }
  const error = first.find(({ name }) => name === 'error');
  if (error !== undefined) {
    const what = `${childText(error, 'code')}: ${childText(error, 'message')}`;
    throw new ImportError('bad_file', `The file is the error document of a feed: ${what}`);
  }
  const known = new Map(Object.entries(KNOWN.others)).get(root.toLowerCase().replace(/^.*:/, ''));
  const nothing = first.length === 0 ? ' without elements' : '';
  throw unsupported(known ?? `XML of an unknown format, whose first element is <${root}>${nothing}`);
}

/**
 * The failure for a text that is neither XML nor NDJSON; it names the format if it is known.
 *
 * @param head its beginning, without leading white space
 */
export function unsupportedText(head: string): ImportError {
  if (/^#HEADER#/i.test(head)) return unsupported('BLM, the Rightmove format');
  if (head.startsWith('[') || head.startsWith('{')) return unsupported('JSON of another program');
  if (head.startsWith('%PDF')) return unsupported('a PDF document');
  if (head.startsWith('\ufffd\ufffd') || head.includes('\0')) return unsupported('a binary format');
  const [first = '', second = ''] = head.split(/\r?\n/);
  const isTable = [',', ';', '\t', '|', '^', '~'].some((separator) => {
    const columns = first.split(separator).length;
    return columns > 2 || (columns === 2 && second.split(separator).length === 2);
  });
  return unsupported(isTable ? 'CSV or another table of text' : 'in an unknown format');
}

export function unsupported(what: string): ImportError {
  return new ImportError(
    'unsupported_format',
    `The file is ${what}, which cannot be imported. Supported: ${Object.values(FORMATS).join('; ')}; each plain or gzipped.`,
  );
}
