import { type CodedMessage, message } from '../../messages/messages.ts';
import {
  FORMATS,
  LINES_FORMATS,
  type LinesFormat,
  XML_FORMATS,
  type XmlFormat,
} from '../formats/formats.ts';
import { ImportError } from '../pipeline/error.ts';
import type { XmlShape } from '../xml/elements.ts';
import { childText, type XmlNode } from '../xml/node.ts';

/** Nodes that records of feeds usually have, in every format. */
const USUAL = [
  'id',
  'ref',
  'price',
  'currency',
  'price_freq',
  'type',
  'town',
  'province',
  'beds',
  'baths',
  'images',
];

/** How many of these a record must have to be recognised. */
const MIN_USUAL = 4;

const USUAL_RECORD = 'property';

/** What elements mean before the format is known: the root may state it. */
export const SHAPE: XmlShape = {
  wrappers: new Set([
    'properties',
    ...XML_FORMATS.flatMap(({ content }) => (content.isWrapper ? content.element : [])),
  ]),
  recordIn: (root) =>
    XML_FORMATS.find(({ content }) => content.element === root)?.content.record ?? USUAL_RECORD,
};

/**
 * The format of an XML document, by its first elements up to the first record.
 *
 * @throws ImportError naming a format that cannot be imported, or that the file states instead of the wanted one
 */
export function formatOfXml(
  root: string,
  first: readonly XmlNode[],
  wanted: string | undefined,
): XmlFormat {
  const named = (element: string) => first.find(({ name }) => name === element);
  const states = (element: string) => root === element || named(element) !== undefined;
  const wantedFormat = XML_FORMATS.find(({ name }) => name === wanted);
  // Of two that a file states, it is the later one of the list.
  const stated = XML_FORMATS.findLast(({ content }) => states(content.element));
  if (stated !== undefined && wantedFormat !== undefined && wantedFormat !== stated) {
    const formats = { format: stated.title, wanted: wantedFormat.title };
    throw new ImportError('unsupported_format', message('other_format', formats));
  }
  const format = stated ?? wantedFormat;
  if (format !== undefined) return format;
  if (named('thinkspain')) throw unsupported(message('other_feed', { name: 'ThinkSPAIN' }));
  const names = new Set(named(USUAL_RECORD)?.children.map(({ name }) => name));
  const count = (of: readonly string[]) => of.filter((name) => names.has(name)).length;
  const byNodes = XML_FORMATS.toSorted(
    (one, other) => count(other.content.ownNodes) - count(one.content.ownNodes),
  );
  if (count(USUAL) >= MIN_USUAL) return byNodes[0]!;
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

/**
 * The format of a text that is not XML, by its beginning without white space; nothing if it is XML.
 *
 * @throws ImportError naming a format that cannot be imported
 */
export function formatOfText(start: string, wanted: string | undefined): LinesFormat | undefined {
  const wantedFormat = LINES_FORMATS.find(({ name }) => name === wanted);
  const isError = ERRORS.some((pattern) => pattern.test(start));
  if (isError && !/^\{"kind"/.test(start)) {
    throw new ImportError('bad_file', message('server_message', { said: firstWords(start) }));
  }
  const markup = MARKUP.find(([pattern]) => pattern.test(start));
  if (markup !== undefined) throw unsupported(beginning(markup[1], start));
  if (start.startsWith('<') && wantedFormat === undefined) return undefined;
  const format = wantedFormat ?? LINES_FORMATS.find(({ content }) => content.beginning.test(start));
  if (format !== undefined) return format;
  const known = OTHERS.find(([pattern]) => pattern.test(start))?.[1];
  throw unsupported(known ?? beginning(message('unknown_text'), start));
}

function unsupported(kind: CodedMessage): ImportError {
  const supported = FORMATS.map(({ title }) => title).reduce((others, format) =>
    message('and_format', { others, format }),
  );
  return new ImportError('unsupported_format', message('unsupported_file', { kind, supported }));
}
