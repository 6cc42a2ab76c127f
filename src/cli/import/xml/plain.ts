import { MAX_RECORD_LENGTH } from '../lines.ts';
import type { XmlNode } from './node.ts';

/** A document that only the complete parser can read, or that it would reject. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/** Maximum nesting depth that is read here. */
const DEEPEST = 50;

/** Characters that XML does not allow, except lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain them
const DISALLOWED = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const NOT_BLANK = /[^ \t\n]/;

/**
 * The children of the root of a complete document, as `elementsOf` gives them, in a third of its time: what stands between two
 * delimiters is taken as a whole, where the complete parser looks at each character. It reads elements with ASCII names,
 * attributes, text, the entities of XML itself, CDATA sections and comments.
 *
 * @returns how many lines end in the document
 * @throws NotPlain if it contains anything else, or is not well-formed; then the elements so far are correct
 */
export function* plainElements(given: string): Generator<XmlNode, number> {
  const document = given.includes('\r') ? given.replaceAll(/\r\n?/g, '\n') : given;
  if (!document.isWellFormed() || DISALLOWED.test(document) || document.length > MAX_RECORD_LENGTH)
    throw new NotPlain();
  const tags = new Map<string, Tag>();
  const open: XmlNode[] = [];
  let rootIsClosed = false;
  let line = 1;
  let lineEnd = indexOrEnd(document, '\n', 0);
  let at = 0;
  while (at < document.length) {
    const parent = open.at(-1);
    const start = indexOrEnd(document, '<', at);
    if (start > at) {
      const text = document.slice(at, start);
      if (parent === undefined ? NOT_BLANK.test(text) : text.includes(']]>')) throw new NotPlain();
      const read = unescaped(text);
      // Text of the root only separates its children.
      if (open.length > 1) parent!.text += read;
      at = start;
      if (at === document.length) break;
    }
    if (document.startsWith('<!', at)) {
      const isComment = document.startsWith('<!--', at);
      const [first, last] = isComment ? [at + 4, '--'] : [at + 9, ']]>'];
      const end = document.indexOf(last, first);
      if (end < 0) throw new NotPlain();
      if (isComment ? document[end + 2] !== '>' : parent === undefined || !document.startsWith('<![CDATA[', at)) {
        throw new NotPlain();
      }
      if (!isComment && open.length > 1) parent!.text += document.slice(first, end);
      at = end + 3;
      continue;
    }
    const end = document.indexOf('>', at);
    if (end < 0) throw new NotPlain();
    const source = document.slice(at + 1, end);
    let closed: XmlNode | undefined;
    if (source.startsWith('/')) {
      closed = open.pop();
      const name = source.slice(1);
      if (name !== closed?.name && name.replace(/[ \t\n]+$/, '') !== closed?.name) throw new NotPlain();
    } else {
      if (rootIsClosed || open.length >= DEEPEST) throw new NotPlain();
      let tag = tags.get(source);
      if (tag === undefined) {
        tag = tagOf(source);
        tags.set(source, tag);
      }
      for (; lineEnd < end; lineEnd = indexOrEnd(document, '\n', lineEnd + 1)) line++;
      const { name, attributes } = tag;
      const node: XmlNode = { name, attributes, line, at: parent?.text.length ?? 0, children: [], text: '' };
      if (open.length > 1) parent!.children.push(node);
      if (tag.isEmpty) closed = node;
      else open.push(node);
    }
    if (closed !== undefined) {
      if (open.length === 1) yield closed;
      if (open.length === 0) rootIsClosed = true;
    }
    at = end + 1;
  }
  if (!rootIsClosed) throw new NotPlain();
  for (; lineEnd < document.length; lineEnd = indexOrEnd(document, '\n', lineEnd + 1)) line++;
  return line - 1;
}

function indexOrEnd(text: string, delimiter: string, from: number): number {
  const index = text.indexOf(delimiter, from);
  return index < 0 ? text.length : index;
}

/** A start tag, or the tag of an element without content. */
interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
}

const TAG = /^([a-z_:][\w:.-]*)((?:[ \t\n]+[a-z_:][\w:.-]*[ \t\n]*=[ \t\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\n]*(\/?)$/i;
const ATTRIBUTE = /([\w:.-]+)[ \t\n]*=[ \t\n]*("[^"]*"|'[^']*')/g;

/** @param source what stands between the angle brackets */
function tagOf(source: string): Tag {
  const [, name, given, slash] = TAG.exec(source) ?? [];
  if (name === undefined) throw new NotPlain();
  const attributes: Record<string, string> = Object.create(null);
  for (const [, key, value] of given!.matchAll(ATTRIBUTE)) {
    if (key! in attributes) throw new NotPlain();
    attributes[key!] = unescaped(value!.slice(1, -1).replaceAll(/[\t\n]/g, ' '));
  }
  return { name, attributes, isEmpty: slash !== '' };
}

/** Text with its entities replaced. */
function unescaped(text: string): string {
  return text.includes('&') ? text.replaceAll(/&([^;]*;?)/g, (_, entity: string) => characterOf(entity)) : text;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
]);

function characterOf(entity: string): string {
  const named = ENTITIES.get(entity);
  if (named !== undefined) return named;
  const [, decimal, hexadecimal] = /^#(?:(\d{1,7})|x([\da-fA-F]{1,6}));$/.exec(entity) ?? [];
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  if (character === '' || !character.isWellFormed() || DISALLOWED.test(character)) throw new NotPlain();
  return character;
}
