import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { ask, type CompleteResponse } from '../worker/ask.ts';
import { validate } from './schema.ts';
import { parseXml, XmlElement } from './xml.ts';

/** A response to a feed request, whose document has been validated. */
export interface FeedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The document's text; empty for a HEAD and a 304. */
  readonly xml: string;
  /** The document's root; an element without name or children for a HEAD and a 304. */
  readonly document: XmlElement;
}

/** A query string, or its parameters; `U` and `P` included. */
type FeedQuery = string | Readonly<Record<string, string | number>>;

/**
 * Requests a feed, waits for the background tasks, and checks the response as {@link checkFeedResponse} does.
 *
 * @param init the request's method and headers
 */
export async function fetchFeed(query: FeedQuery, init: RequestInit = {}): Promise<FeedResponse> {
  return checkFeedResponse(await ask(feedUrl(query), init));
}

/** The address of a feed. */
export function feedUrl(query: FeedQuery): string {
  return `https://feeds.example/CreateXMLFeedV3.asp?${queryText(query)}`;
}

/** A query as the text that follows the question mark. */
function queryText(query: FeedQuery): string {
  if (typeof query === 'string') return query;
  return new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
}

type ReceivedFeed = Pick<CompleteResponse, 'status' | 'headers' | 'bytes'>;

/**
 * Checks a response to a feed request: its content type; a feed against the schema of its version and for empty elements;
 * anything else against the schema of errors.
 */
export function checkFeedResponse(response: ReceivedFeed): Promise<FeedResponse> {
  return checkDocument(response, (document) => {
    const version = document.textOf('resalesonline/feed_version');
    expect(version).toMatch(/^[123]$/);
    expectNoEmptyElements(document, ['ref', 'town', 'province']);
    return `feed-v${version}.xsd`;
  });
}

/**
 * Checks the content type of a response to a feed request, and its document against its schema.
 *
 * @param schemaOf checks a feed, and returns the name of its schema
 */
async function checkDocument(
  { status, headers, bytes }: ReceivedFeed,
  schemaOf: (document: XmlElement) => string,
): Promise<FeedResponse> {
  if (bytes.length === 0) return { status, headers, xml: '', document: new XmlElement('', {}) };
  const plain = isGzip(bytes) ? new Uint8Array(gunzipSync(bytes)) : bytes;
  const xml = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  expect(headers.get('Content-Type'), xml.slice(0, 200)).toBe('application/xml; charset=utf-8');
  const document = parseXml(xml);
  expect(await validate(plain, status === 200 ? schemaOf(document) : 'error.xsd')).toEqual([]);
  return { status, headers, xml, document };
}

const checkedShapes = new Set<string>();

/**
 * The same check, but of only one of the responses that differ in nothing but digits, for tests that request hundreds of
 * feeds: the check takes longer than the request.
 */
export async function checkFeedShape(response: ReceivedFeed): Promise<void> {
  const { status, headers, bytes } = response;
  const shape = createHash('sha256')
    .update(`${status} ${headers.get('Content-Type')} `)
    .update(withoutNumbers(isGzip(bytes) ? gunzipSync(bytes) : bytes))
    .digest('hex');
  if (checkedShapes.has(shape)) return;
  await checkFeedResponse(response);
  checkedShapes.add(shape);
}

/** With a zero for each number. In a loop, because replacing them in a text took a quarter of the time of some tests. */
function withoutNumbers(bytes: Uint8Array): Uint8Array {
  const shortened = new Uint8Array(bytes.length);
  let length = 0;
  let isInNumber = false;
  for (const byte of bytes) {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!isDigit || !isInNumber) shortened[length++] = isDigit ? 0x30 : byte;
    isInNumber = isDigit;
  }
  return shortened.subarray(0, length);
}

/** Whether a body is still compressed: a fetch within workerd decodes it by itself. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Requests a Kyero feed, waits for the background tasks, and checks the response: its content type; a feed against its
 * schema and for empty elements; anything else against the schema of errors.
 */
export async function fetchKyero(query: FeedQuery, init: RequestInit = {}): Promise<FeedResponse> {
  return checkDocument(await ask(kyeroUrl(query), init), (document) => {
    expect(document.textOf('kyero/feed_version')).toBe('3');
    expectNoEmptyElements(document, ['desc', 'images']);
    return document.all('property').some((record) => record.has('status'))
      ? 'kyero-extended.xsd'
      : 'kyero.xsd';
  });
}

/** The address of a Kyero feed. */
export function kyeroUrl(query: FeedQuery): string {
  return `https://feeds.example/kyero.xml?${queryText(query)}`;
}

/** @param allowed elements that the format requires whatever their content */
function expectNoEmptyElements(document: XmlElement, allowed: readonly string[]): void {
  const leaves = (element: XmlElement): XmlElement[] =>
    element.children.length > 0 ? element.children.flatMap(leaves) : [element];
  const empty = document
    .all('property')
    .flatMap(leaves)
    .filter(({ name, text }) => text === '' && !allowed.includes(name));
  expect(empty.map(({ name }) => name)).toEqual([]);
}
