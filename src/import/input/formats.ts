import { ImportError } from '../error.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';

/** A format that can be imported. */
export type Format = 'kyero' | 'resales' | 'ndjson';

/** Formats: the name in the command line, and the name in messages. */
export const FORMATS: Readonly<Record<Format, string>> = {
  kyero: 'Kyero v3 XML',
  resales: 'ReSales-Online feed XML, like the feed of this service',
  ndjson: 'NDJSON as written by export',
};

/** Elements that distinguish the two XML formats: those of both, and those of one only. */
const COMMON = ['id', 'ref', 'price', 'currency', 'price_freq', 'type', 'town', 'province', 'beds', 'baths', 'images'];
const KYERO_ONLY = ['date', 'desc', 'pool', 'features', 'new_build', 'part_ownership', 'leasehold', 'location_detail'];
const RESALES_ONLY = [
  'last_updated',
  'characteristics',
  'has_pool',
  'has_garden',
  'has_garage',
  'Bath',
  'availability',
];

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
    if (count(COMMON) >= ENOUGH) return count(RESALES_ONLY) > count(KYERO_ONLY) ? 'resales' : 'kyero';
  }
  const error = first.find(({ name }) => name === 'error');
  if (error !== undefined) {
    throw new ImportError(
      'bad_file',
      `The file is the error document of a feed: ${childText(error, 'code')}: ${childText(error, 'message')}`,
    );
  }
  const known = XML_FORMATS.get(root.toLowerCase().replace(/^.*:/, ''));
  const nothing = first.every(isEmpty) && first.length === 0 ? ' without elements' : '';
  throw unsupported(known ?? `XML of an unknown format, whose first element is <${root}>${nothing}`);
}

const XML_FORMATS: ReadonlyMap<string, string> = new Map([
  ['html', 'an HTML page'],
  ['openimmo', 'OpenImmo'],
  ['openimmo_feedback', 'OpenImmo'],
  ['propertylist', 'REAXML'],
  ['properties', 'XML of another program, such as Inmoweb or PropertyList'],
  ['ads', 'a Trovit, Mitula or Thribee feed'],
  ['trovit', 'a Trovit feed'],
  ['listings', 'a Zillow or Zoopla listings feed'],
  ['hash', 'a Zillow feed'],
  ['adverts', 'an OLX feed'],
  ['realty-feed', 'a Yandex feed'],
  ['inmuebles', 'XML of another program, such as Inmovilla'],
  ['propiedades', 'XML of another program, such as Inmovilla'],
  ['datos', 'XML of another program, such as Inmovilla'],
  ['publication', 'a ThinkSPAIN feed'],
  ['thinkspain', 'a ThinkSPAIN feed'],
  ['rss', 'an RSS feed'],
  ['feed', 'an Atom feed'],
  ['urlset', 'a site map'],
  ['sitemapindex', 'a site map'],
  ['envelope', 'a SOAP message'],
  ['workbook', 'an Excel workbook'],
]);

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

/** Whether a text is a feed of HomesOverseas, all of whose records are in one element. */
export function isHomesOverseas(head: string): boolean {
  return /<objects>\s*<object>\s*<objectid>/.test(head);
}

/** Whether a text is an HTML page, which is rarely well-formed XML. */
export function isHtml(head: string): boolean {
  return /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)\b/i.test(head);
}

export function unsupported(what: string): ImportError {
  return new ImportError(
    'unsupported_format',
    `The file is ${what}, which cannot be imported. Supported: ${Object.values(FORMATS).join('; ')}; each plain or gzipped.`,
  );
}
