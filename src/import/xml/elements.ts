import { ImportError } from '../error.ts';
import { MAX_RECORD_LENGTH } from '../input/lines.ts';
import type { XmlNode } from './node.ts';
import { type Repair, type XmlParts, XmlScanner } from './scanner.ts';

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
 * @param repaired called for each repair of the text; without it, one is an error
 * @throws ImportError with the line of the error if the text is not well-formed, now or while elements are read
 */
export async function openXml(
  pieces: AsyncIterable<string>,
  repaired?: (repair: Repair) => void,
): Promise<XmlDocument> {
  const elements = elementsOf(pieces, repaired);
  // The first element is the root's start tag, without content.
  const first = await elements.next();
  if (first.done) throw new ImportError('bad_file', 'The file has no XML element.');
  return { root: first.value.name, elements };
}

/** The root's tag, then the elements in the root. */
async function* elementsOf(
  pieces: AsyncIterable<string>,
  repaired?: (repair: Repair) => void,
): AsyncGenerator<XmlNode> {
  const records = new Records();
  const scanner = new XmlScanner(records, repaired);
  let held = '';
  for await (const piece of pieces) {
    // A line may end in CR and LF, which the next piece may continue.
    const text = held + piece;
    held = text.endsWith('\r') ? '\r' : '';
    scanner.add((held === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n'));
    records.checkLength(scanner.length);
    yield* records.take();
  }
  scanner.end();
  yield* records.take();
}

/** Builds the elements of the root from the parts of a document. */
class Records implements XmlParts {
  readonly #open: XmlNode[] = [];
  #done: XmlNode[] = [];
  /** The depth of the element that contains the records. */
  #base = 1;
  /** Where the record began, or what precedes it ended. */
  #began = 0;

  take(): XmlNode[] {
    const taken = this.#done;
    this.#done = [];
    return taken;
  }

  open(name: string, attributes: XmlNode['attributes'], line: number, end: number): void {
    const parent = this.#open.at(-1);
    const node: XmlNode = { name, attributes, line, at: parent?.text.length ?? 0, children: [], text: '' };
    const depth = this.#open.push(node);
    if (depth === 1) this.#done.push({ ...node });
    else if (depth === 2 && name === WRAPPER) this.#base = 2;
    else if (depth > this.#base + 1) parent!.children.push(node);
    if (depth <= this.#base) this.#began = end;
    if (depth > DEEPEST) {
      throw new ImportError('bad_file', `The record at line ${this.#open[this.#base]!.line} is nested too deeply.`);
    }
  }

  close(end: number): void {
    const closed = this.#open.pop()!;
    if (this.#open.length < this.#base) this.#base = 1;
    else if (this.#open.length === this.#base) {
      this.checkLength(end, closed.line);
      this.#done.push(closed);
      this.#began = end;
    }
  }

  text(text: string): void {
    // Text of the root separates its children, and would grow with the file.
    if (this.#open.length > this.#base) this.#open.at(-1)!.text += text;
  }

  other(end: number): void {
    if (this.#open.length <= this.#base) this.#began = end;
  }

  /** Bounds the memory: whatever is being read began after the last record. */
  checkLength(end: number, line = this.#open[this.#base]?.line): void {
    if (end - this.#began <= MAX_RECORD_LENGTH) return;
    const where = line === undefined ? 'A record' : `The record at line ${line}`;
    throw new ImportError('bad_file', `${where} exceeds the maximum length of a record.`);
  }
}
