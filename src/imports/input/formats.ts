import { type CodedMessage, message } from '../../messages/messages.ts';
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
    const other = message('other_format', { format: message(stated), wanted: message(wanted) });
    throw new ImportError('unsupported_format', other);
  }
  const format = stated ?? wanted;
  if (format !== undefined) return format;
  if (named('thinkspain')) throw unsupported(message('other_feed', { name: 'ThinkSPAIN' }));
  const names = new Set(named('property')?.children.map(({ name }) => name));
  const count = (of: readonly string[]) => of.filter((name) => names.has(name)).length;
  // Elements that both formats have, and those that distinguish them.
  const { both, kyero, resales } = KNOWN.elements;
  if (count(both) >= MIN_ELEMENTS) return count(resales) > count(kyero) ? 'resales' : 'kyero';
  const error = named('error');
  if (error !== undefined) {
    const what = `${childText(error, 'code')}: ${childText(error, 'message')}`;
    throw new ImportError('bad_file', message('error_document', { said: what }));
  }
  const name = root.toLowerCase().replace(/^.*:/, '');
  const isAtom = name === 'feed' && first.some((element) => /^(entry|updated)$/.test(element.name));
  const known = isAtom ? message('atom') : Object.hasOwn(OTHER_XML, name) && OTHER_XML[name];
  throw unsupported(known || message(first.length === 0 ? 'empty_xml' : 'unknown_xml', { root }));
}

const PROGRAM = message('other_program', { names: 'Inmovilla' });

/** What the root element of another XML document shows it to be. */
const OTHER_XML: Readonly<Record<string, CodedMessage>> = {
  html: message('html'),
  openimmo: message('named_format', { name: 'OpenImmo' }),
  openimmo_feedback: message('named_format', { name: 'OpenImmo' }),
  propertylist: message('named_format', { name: 'REAXML' }),
  properties: message('other_program', { names: 'Inmoweb, PropertyList' }),
  ads: message('other_feed', { name: 'Trovit, Mitula, Thribee' }),
  trovit: message('other_feed', { name: 'Trovit' }),
  listings: message('other_feed', { name: 'Zillow, Zoopla' }),
  hash: message('other_feed', { name: 'Zillow' }),
  adverts: message('other_feed', { name: 'OLX' }),
  'realty-feed': message('other_feed', { name: 'Yandex' }),
  inmuebles: PROGRAM,
  propiedades: PROGRAM,
  datos: PROGRAM,
  publication: message('other_feed', { name: 'ThinkSPAIN' }),
  thinkspain: message('other_feed', { name: 'ThinkSPAIN' }),
  rss: message('rss'),
  urlset: message('site_map'),
  sitemapindex: message('site_map'),
  envelope: message('soap'),
  workbook: message('workbook'),
};

/** Markup of other formats: an HTML page is rarely well-formed XML, and HomesOverseas has all records in one element. */
const MARKUP: readonly [RegExp, CodedMessage][] = [
  [
    /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html|head|body)\b/i,
    message('html'),
  ],
  [/<objects>\s*<object>\s*<objectid>/, message('homes_overseas')],
];

const TABLE = message('table');

const OTHERS: readonly [RegExp, CodedMessage][] = [
  [/^#HEADER#/i, message('blm')],
  [/^[[{]/, message('other_json')],
  [/^%PDF/, message('pdf')],
  [/^\ufffd\ufffd|\0/, message('binary')],
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

function beginning(kind: CodedMessage, text: string): CodedMessage {
  const said = firstWords(text);
  return said === '' ? kind : message('beginning_with', { kind, said });
}

/** The format of a text, by its beginning without white space; an error names one that cannot be imported. */
export function formatOfText(start: string, wanted: Format | undefined): 'xml' | 'ndjson' {
  if (ERRORS.some((pattern) => pattern.test(start)) && !/^\{"kind"/.test(start)) {
    throw new ImportError('bad_file', message('server_message', { said: firstWords(start) }));
  }
  const markup = MARKUP.find(([pattern]) => pattern.test(start));
  if (markup !== undefined) throw unsupported(beginning(markup[1], start));
  if (start.startsWith('<') && wanted !== 'ndjson') return 'xml';
  if (wanted === 'ndjson' || /^\{.*"kind"\s*:/s.test(start)) return 'ndjson';
  const known = OTHERS.find(([pattern]) => pattern.test(start))?.[1];
  throw unsupported(known ?? beginning(message('unknown_text'), start));
}

function unsupported(kind: CodedMessage): ImportError {
  return new ImportError('unsupported_format', message('unsupported_file', { kind }));
}
