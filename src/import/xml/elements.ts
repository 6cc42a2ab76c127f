import { SaxesParser } from 'saxes';
import { ImportError } from '../error.ts';
import { MAX_RECORD_LENGTH } from '../input/lines.ts';
import type { XmlNode } from './node.ts';

/** An XML document: its root's name, and the root's children, one by one as they are read. */
export interface XmlDocument {
  readonly root: string;
  /** The children of the root, each complete; they can be read once. */
  readonly elements: AsyncGenerator<XmlNode>;
}

/** An element of the root that only contains the records, in feeds of some programs. */
const WRAPPER = 'properties';

/** Maximum nesting depth: a record has five levels, and ignored parts of it may have more. */
const DEEPEST = 100;

/**
 * Opens a document, and reads up to its root.
 *
 * @throws ImportError with the line of the error if the text is not well-formed, now or while elements are read
 */
export async function openXml(pieces: AsyncIterable<string>): Promise<XmlDocument> {
  const elements = elementsOf(pieces);
  // The first element is the root's start tag, without content.
  const first = await elements.next();
  if (first.done) throw new ImportError('bad_file', 'The file has no XML element.');
  return { root: first.value.name, elements };
}

/** The root's tag, then the elements in the root. */
async function* elementsOf(pieces: AsyncIterable<string>): AsyncGenerator<XmlNode> {
  const reader = new ElementReader();
  for await (const piece of pieces) yield* reader.elementsIn(piece);
  yield* reader.end();
}

class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #open: XmlNode[] = [];
  #done: XmlNode[] = [];
  /** The depth of the element that contains the records. */
  #base = 1;
  /** Where the record began, or ended what precedes it. */
  #began = { position: 0, line: 1 };
  #closed: XmlNode | undefined;

  constructor() {
    // At most seven handlers: the eighth property makes V8 keep the parser as a dictionary, and reading five times slower. So there
    // is none for errors, which the parser then throws.
    const parser = this.#parser;
    parser.on('opentag', ({ name, attributes }) => this.#openTag(name, attributes));
    const addText = (text: string) => {
      // Text of the root separates its children, and would grow with the file.
      if (this.#open.length > this.#base) this.#open.at(-1)!.text += text;
      else this.#beginRecord();
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('doctype', (type) => {
      if (type.includes('<!ENTITY')) throw this.#failure('entities of a document type are not supported');
    });
    for (const event of ['comment', 'processinginstruction'] as const) {
      parser.on(event, () => {
        if (this.#open.length <= this.#base) this.#beginRecord();
      });
    }
    parser.on('closetag', () => {
      this.#closed = this.#open.pop();
      if (this.#open.length < this.#base) this.#base = 1;
      else if (this.#open.length === this.#base) this.#endRecord();
    });
  }

  #endRecord(): void {
    this.#checkLength();
    this.#done.push(this.#closed!);
    this.#beginRecord();
  }

  /** The elements that end in the next piece of the text. */
  elementsIn(piece: string): XmlNode[] {
    this.#parse(() => this.#parser.write(piece));
    this.#checkLength();
    return this.#taken();
  }

  /** The elements that remain at the end of the text. */
  end(): XmlNode[] {
    this.#parse(() => this.#parser.close());
    return this.#taken();
  }

  #parse(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      throw error instanceof ImportError ? error : this.#failure((error as Error).message);
    }
  }

  #beginRecord(): void {
    this.#began = { position: this.#parser.position, line: this.#parser.line };
  }

  /** Bounds the parser's memory: whatever it is reading began after the last record. */
  #checkLength(): void {
    if (this.#parser.position - this.#began.position <= MAX_RECORD_LENGTH) return;
    const line = this.#open[this.#base]?.line ?? this.#began.line;
    throw new ImportError('bad_file', `The record at line ${line} exceeds the maximum length of a record.`);
  }

  #taken(): XmlNode[] {
    const taken = this.#done;
    this.#done = [];
    return taken;
  }

  #openTag(name: string, attributes: XmlNode['attributes']): void {
    const parent = this.#open.at(-1);
    const { line } = this.#parser;
    const node: XmlNode = { name, attributes, line, at: parent?.text.length ?? 0, children: [], text: '' };
    const depth = this.#open.push(node);
    if (depth === 1) this.#done.push({ ...node });
    else if (depth === 2 && name === WRAPPER) this.#base = 2;
    else if (depth > this.#base + 1) parent!.children.push(node);
    if (depth <= this.#base) this.#beginRecord();
    if (depth > DEEPEST) {
      throw new ImportError('bad_file', `The record at line ${this.#open[this.#base]!.line} is nested too deeply.`);
    }
  }

  #failure(message: string): ImportError {
    const [, line = '', column = '', what = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
    const unclosed = what.startsWith('unexpected close tag')
      ? this.#closed
      : what.startsWith('unclosed tag')
        ? this.#open.at(-1)
        : undefined;
    const end = what.startsWith('unclosed') ? 'unexpected end of file' : 'another element is closed';
    const where =
      unclosed === undefined
        ? `line ${line || this.#parser.line}${column && `, column ${column}`}: ${what}`
        : `line ${unclosed.line}: <${unclosed.name}> is not closed; ${end} at line ${line}.`;
    return new ImportError('bad_file', `The file is not well-formed XML, at ${where}`);
  }
}
