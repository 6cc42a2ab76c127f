import { SaxesParser } from 'saxes';
import { Failure } from '../../cli/command/failure.ts';
import { textInParts } from '../input/decode.ts';
import { MAX_RECORD_LENGTH } from '../input/lines.ts';
import type { XmlNode } from './node.ts';

/** The root of a document: its name, and the line where it begins. */
export interface Root {
  readonly name: string;
  readonly line: number;
}

/** An XML document: its root, and the root's children, one by one as they are read. */
export interface XmlDocument {
  readonly root: Root;
  /** The children of the root, each complete; they can be read once. */
  readonly elements: AsyncGenerator<XmlNode>;
}

/** Maximum nesting depth: a record has five levels, and ignored parts of it may have more. */
const DEEPEST = 100;

/** Maximum length of an entity, such as `&#x10FFFF;` with leading zeros. */
const LONGEST_ENTITY = 32;

/**
 * Opens a document, and reads up to its root.
 *
 * @param line the number of its first line
 * @param rootLine the line where its root begins, if not in this text
 * @throws Failure with the line of the error if the text is not well-formed, now or while elements are read
 */
export async function openXml(chunks: AsyncIterable<string>, line = 1, rootLine?: number): Promise<XmlDocument> {
  const reader = new ElementReader(line, rootLine);
  const elements = reader.read(chunks);
  // The first element is the root's start tag, without content.
  const first = await elements.next();
  if (first.done) throw new Failure('bad_file', 'The file has no XML element.');
  const { name, line: at } = first.value;
  return { root: { name, line: at }, elements };
}

/** A private field of the pinned version of `saxes`: the entity that is being read, up to a semicolon. */
interface Entities {
  /** The beginning of an entity that continues in the next chunk. */
  readonly entity: string;
  parseEntity(entity: string): string;
}

/**
 * Bytes that are parsed before the elements in them are used, about one record: with more, many elements would outlive
 * a garbage collection, which then takes a fifth of the time.
 */
const AT_A_TIME = 16 * 1024;

/**
 * The children of the root of a complete document; finally returns how many lines end in it.
 *
 * @param document in UTF-8
 * @param line the number of its first line
 * @throws Failure if it is not well-formed
 */
export function* elementsOf(document: Uint8Array, line = 1): Generator<XmlNode, number> {
  const reader = new ElementReader(line);
  let isRoot = true;
  for (const text of textInParts(document, AT_A_TIME)) {
    const elements = reader.elementsIn(text);
    if (isRoot && elements.length > 0) {
      elements.shift();
      isRoot = false;
    }
    yield* elements;
  }
  const last = reader.line;
  yield* reader.end();
  return last - line;
}

class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #entities = this.#parser as unknown as Entities;
  readonly #open: XmlNode[] = [];
  #done: XmlNode[] = [];
  readonly #rootLine: number | undefined;
  #began = 0;
  #closed: XmlNode | undefined;

  constructor(line: number, rootLine?: number) {
    const parser = this.#parser;
    parser.line = line;
    this.#rootLine = rootLine;
    const parseEntity = this.#entities.parseEntity.bind(parser);
    this.#entities.parseEntity = (entity) => {
      this.#checkEntity(entity);
      return parseEntity(entity);
    };
    parser.on('error', ({ message }) => {
      throw this.#failure(message);
    });
    parser.on('opentag', ({ name, attributes }) => this.#openTag(name, attributes));
    const addText = (text: string) => {
      // Text of the root separates its children, and would grow with the file.
      if (this.#open.length > 1) this.#open.at(-1)!.text += text;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', () => {
      this.#closed = this.#open.pop();
      if (this.#open.length !== 1) return;
      this.#checkLength(this.#closed!);
      this.#done.push(this.#closed!);
    });
  }

  /** The root's tag, then the elements in the root. */
  async *read(chunks: AsyncIterable<string>): AsyncGenerator<XmlNode> {
    for await (const chunk of chunks) yield* this.elementsIn(chunk);
    yield* this.end();
  }

  /** The elements that end in the next part of the text. */
  elementsIn(chunk: string): XmlNode[] {
    this.#parser.write(chunk);
    this.#checkEntity(this.#entities.entity);
    if (this.#open.length > 1) this.#checkLength(this.#open[1]!);
    return this.#taken();
  }

  /** The elements that remain at the end of the text. */
  end(): XmlNode[] {
    this.#parser.close();
    return this.#taken();
  }

  /** The line that is being read. */
  get line(): number {
    return this.#parser.line;
  }

  #checkLength({ line }: XmlNode): void {
    if (this.#parser.position - this.#began <= MAX_RECORD_LENGTH) return;
    throw new Failure('bad_file', `The record at line ${line} exceeds the maximum length of a record.`);
  }

  #taken(): XmlNode[] {
    const taken = this.#done;
    this.#done = [];
    return taken;
  }

  #openTag(name: string, attributes: XmlNode['attributes']): void {
    const parent = this.#open.at(-1);
    const node = {
      name,
      attributes,
      line: parent === undefined ? (this.#rootLine ?? this.#parser.line) : this.#parser.line,
      at: parent?.text.length ?? 0,
      children: [],
      text: '',
    };
    const depth = this.#open.push(node);
    if (depth === 1) this.#done.push({ ...node });
    else if (depth === 2) this.#began = this.#parser.position;
    else parent!.children.push(node);
    if (depth > DEEPEST) {
      throw new Failure('bad_file', `The record at line ${this.#open[1]!.line} is nested too deeply.`);
    }
  }

  /** An ampersand that begins no entity is found out at the next semicolon, which may be records away. */
  #checkEntity(entity: string): void {
    if (entity.length > LONGEST_ENTITY || /[^\w#.:-]/.test(entity)) {
      const line = this.#parser.line - (entity.split('\n').length - 1);
      throw new Failure(
        'bad_file',
        `The file is not well-formed XML, at line ${line}: an ampersand that begins no entity must be written &amp;.`,
      );
    }
  }

  #failure(message: string): Failure {
    const [, line = '', column = '', what = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
    if (what.includes('entity')) {
      return new Failure(
        'bad_file',
        `The file has an entity, at line ${line}, that XML does not define; those of a DTD are not supported.`,
      );
    }
    const unclosed = what.startsWith('unexpected close tag')
      ? this.#closed
      : what.startsWith('unclosed tag')
        ? this.#open.at(-1)
        : undefined;
    if (unclosed !== undefined) {
      const end = what.startsWith('unclosed') ? 'unexpected end of file' : 'another element is closed';
      return new Failure(
        'bad_file',
        `The file is not well-formed XML, at line ${unclosed.line}: <${unclosed.name}> is not closed; ${end} at line ${line}.`,
      );
    }
    return new Failure('bad_file', `The file is not well-formed XML, at line ${line}, column ${column}: ${what}`);
  }
}
