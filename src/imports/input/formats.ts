import { ImportError } from '../pipeline/error.ts';
import { childText, type XmlNode } from '../xml/node.ts';
import KNOWN from './formats.json' with { type: 'json' };

export type Format = keyof typeof KNOWN.names;

/** Formats: the name in the command line, and the name in messages. */
export const FORMATS: Readonly<Record<Format, string>> = KNOWN.names;

/** Elements of both formats that a record must have to be recognised. */
const MIN_ELEMENTS = 4;

/**
 * The format of an XML document, by its first elements up to the first record.
 *
 * @throws ImportError naming a format that cannot be imported, or that the file states instead of the wanted one
 */
export function formatOfXml(
  root: string,
  first: readonly XmlNode[],
  wanted: Format | undefined,
): Format {
  const named = (element: string) => first.find(({ name }) => name === element);
  const states = (element: string) => root === element || named(element) !== undefined;
  const stated = states('resalesonline') ? 'resales' : states('kyero') ? 'kyero' : undefined;
  if (stated !== undefined && wanted !== undefined && wanted !== stated) {
    const detail = `The file is ${FORMATS[stated]}, not ${FORMATS[wanted]}. Leave out the format.`;
    throw new ImportError('unsupported_format', detail);
  }
  const format = stated ?? wanted;
  if (format !== undefined) return format;
  if (named('thinkspain')) throw unsupported('a ThinkSPAIN feed');
  const names = new Set(named('property')?.children.map(({ name }) => name));
  const count = (of: readonly string[]) => of.filter((name) => names.has(name)).length;
  // Elements that both formats have, and those that distinguish them.
  const { both, kyero, resales } = KNOWN.elements;
  if (count(both) >= MIN_ELEMENTS) return count(resales) > count(kyero) ? 'resales' : 'kyero';
  const error = named('error');
  if (error !== undefined) {
    const what = `${childText(error, 'code')}: ${childText(error, 'message')}`;
    throw new ImportError('bad_file', `The file is the error document of a feed: ${what}`);
  }
  const name = root.toLowerCase().replace(/^.*:/, '');
  const isAtom = name === 'feed' && first.some((element) => /^(entry|updated)$/.test(element.name));
  const known = isAtom ? 'an Atom feed' : new Map(Object.entries(KNOWN.others)).get(name);
  const nothing = first.length === 0 ? ' without elements' : '';
  throw unsupported(
    known ?? `XML of an unknown format, whose first element is <${root}>${nothing}`,
  );
}

/** Markup of other formats: an HTML page is rarely well-formed XML, and HomesOverseas has all records in one element. */
const MARKUP: readonly [RegExp, string][] = [
  [
    /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html|head|body)\b/i,
    'an HTML page',
  ],
  [/<objects>\s*<object>\s*<objectid>/, 'a HomesOverseas feed'],
];

const TABLE = 'CSV or another table of text';

const OTHERS: readonly [RegExp, string][] = [
  [/^#HEADER#/i, 'BLM, the Rightmove format'],
  [/^[[{]/, 'JSON of another program'],
  [/^%PDF/, 'a PDF document'],
  [/^\ufffd\ufffd|\0/, 'a binary format'],
  [/^[^\r\n]*([,;\t|^~])[^\r\n]*\1/, TABLE],
  // Two columns, in two lines.
  [/^[^\n]*([,;\t|^~])[^\n]*\n(?:(?!\1)[^\n])*\1(?:(?!\1)[^\r\n])*(\r?\n|$)/, TABLE],
];

/** Error messages of programs and servers that arrive instead of a feed. */
const ERRORS: readonly RegExp[] = [
  /^(<br\s*\/?>\s*)?(<b>)?(PHP )?(Warning|Notice|Deprecated|Fatal error|Parse error)(<\/b>)?:/i,
  /^(<\?xml[^>]*>\s*)?<(error|errors|exception|fault)\b/i,
  /^\{[^{}]*"(error|errors|message|exception)"\s*:/i,
];

const MAX_QUOTED = 120;

/** The first words of a text, without markup. */
function firstWords(text: string): string {
  const plain = text
    .replaceAll(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replaceAll(/<[^>]*>?/g, ' ');
  const words = plain.replaceAll(/\s+/g, ' ').trim();
  return words.length > MAX_QUOTED ? `${words.slice(0, MAX_QUOTED)}…` : words;
}

function beginning(text: string): string {
  const words = firstWords(text);
  return words === '' ? '' : ` that begins "${words}"`;
}

/** The format of a text, by its beginning without white space; an error names one that cannot be imported. */
export function formatOfText(start: string, wanted: Format | undefined): 'xml' | 'ndjson' {
  if (ERRORS.some((pattern) => pattern.test(start)) && !/^\{"kind"/.test(start)) {
    const said = `The file is not a feed, but a message of its server: "${firstWords(start)}".`;
    throw new ImportError('bad_file', `${said} Ask whoever runs the server.`);
  }
  const markup = MARKUP.find(([pattern]) => pattern.test(start));
  if (markup !== undefined) throw unsupported(`${markup[1]}${beginning(start)}`);
  if (start.startsWith('<') && wanted !== 'ndjson') return 'xml';
  if (wanted === 'ndjson' || /^\{.*"kind"\s*:/s.test(start)) return 'ndjson';
  const known = OTHERS.find(([pattern]) => pattern.test(start))?.[1];
  throw unsupported(known ?? `text in an unknown format${beginning(start)}`);
}

function unsupported(what: string): ImportError {
  const supported = Object.values(FORMATS).join('; ');
  const detail = `The file is ${what}, which cannot be imported. Supported: ${supported}; each plain or gzipped.`;
  return new ImportError('unsupported_format', detail);
}
