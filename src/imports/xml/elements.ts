import { SaxesParser } from 'saxes';
import { message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';
import type { XmlNode } from './node.ts';

/** Maximum length of a record in characters: more than the database accepts. */
export const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

/** Maximum number of elements in a record: each takes about 400 bytes of memory, even an empty one. */
const MAX_ELEMENTS = 20_000;

/** What elements of a document mean. */
export interface XmlShape {
  /** Elements of the root that contain what is in the root of other feeds, such as the version. */
  readonly wrappers: ReadonlySet<string>;
  /** The element of a record, at whatever depth. One within a record is a part of it. */
  recordIn(root: string): string;
}

/** Maximum nesting depth: a record has five levels, and ignored parts of it may have more. */
const MAX_DEPTH = 100;

/**
 * Reads a document up to its root, and returns the root's name and an iterator of the root's complete children.
 * @throws ImportError naming the line if the text is not well-formed, also while the children are read
 */
export async function openXml(pieces: AsyncIterable<string>, shape: XmlShape) {
  const elements = elementsOf(pieces, shape);
  // The first element is the root's start tag, without content.
  const first = await elements.next();
  if (first.done) throw new ImportError('bad_file', message('no_element'));
  return { root: first.value.name, elements };
}

/**
 * The root's tag, then the elements in the root. Where records begin deeper in it, those around
 * them are wrappers: what each has before them is an element of its own.
 */
async function* elementsOf(
  pieces: AsyncIterable<string>,
  { wrappers, recordIn }: XmlShape,
): AsyncGenerator<XmlNode> {
  const parser = new SaxesParser({ xmlns: false });
  const open: XmlNode[] = [];
  let done: XmlNode[] = [];
  /** The depth of the element that contains the records. */
  let base = 1;
  /** Where the record began, or where what precedes it ended. */
  let began = { position: 0, line: 1 };
  let closed: XmlNode | undefined;
  let closedAt = -1;
  let isAtEnd = false;
  /** The elements since then. */
  let elements = 0;
  let recordName = '';
  /** How many records are open, one within the other. */
  let records = 0;

  const beginRecord = () => {
    began = { position: parser.position, line: parser.line };
    elements = 0;
  };
  /** Bounds the parser's memory: whatever it is reading began after the last record. */
  const checkLength = () => {
    if (parser.position - began.position <= MAX_RECORD_LENGTH && elements <= MAX_ELEMENTS) return;
    const { name, line } = open[base] ?? { name: recordName, line: began.line };
    throw new ImportError(
      'bad_file',
      name === recordName
        ? message('long_record', { line })
        : message('long_element', { name, line }),
    );
  };
  /** Makes the elements around a record wrappers, and gives out what they have had until then. */
  const unwrap = (depth: number) => {
    for (const [index, wrapper] of open.entries()) {
      if (index < base) continue;
      const children = wrapper.children.filter((child) => child !== open[index + 1]);
      done.push({ ...wrapper, children });
      wrapper.children.length = 0;
      wrapper.text = '';
    }
    base = depth;
  };
  const failure = (text: string) => {
    const { line, column } = parser;
    // It closes every element until the one whose end it has read.
    const unclosed = isAtEnd ? open.at(-1) : closedAt === parser.position ? closed : undefined;
    if (unclosed !== undefined) {
      const { name, line: begun } = unclosed;
      const code = isAtEnd ? 'unclosed_at_end' : 'unclosed_element';
      return new ImportError('bad_file', message(code, { name, line: begun, end: line }));
    }
    const said = text.slice(text.indexOf(' ') + 1);
    return new ImportError('bad_file', message('not_well_formed', { line, column, said }));
  };

  // At most seven handlers: with an eighth property, V8 stores the parser as a dictionary, and reading is five times slower. So
  // there is none for errors, which the parser then throws.
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1);
    const node: XmlNode = {
      name,
      attributes,
      line: parser.line,
      at: parent?.text.length ?? 0,
      children: [],
      text: '',
    };
    if (recordName === '') recordName = recordIn(name);
    const isRecord = name === recordName && ++records === 1;
    if (isRecord && open.length > base) unwrap(open.length);
    const depth = open.push(node);
    elements++;
    const isWrapper = depth === 2 && wrappers.has(name);
    if (isWrapper) base = 2;
    if (isWrapper || depth === 1) done.push({ ...node });
    else if (depth > base + 1) parent!.children.push(node);
    if (depth <= base) beginRecord();
    if (depth > MAX_DEPTH) {
      throw new ImportError('bad_file', message('deep_record', { line: open[base]!.line }));
    }
  });
  const addText = (text: string) => {
    // Text of the root separates its children, and would grow with the file.
    if (open.length > base) open.at(-1)!.text += text;
    else beginRecord();
  };
  parser.on('text', addText);
  // Some programs escape line ends even here, where that has no meaning.
  parser.on('cdata', (text) =>
    addText(text.replaceAll(/&#1[03];/g, (mark) => (mark === '&#13;' ? '\r' : '\n'))),
  );
  parser.on('doctype', (type) => {
    if (type.includes('<!ENTITY'))
      throw new ImportError('bad_file', message('declared_entities', { line: parser.line }));
  });
  for (const event of ['comment', 'processinginstruction'] as const) {
    parser.on(event, () => {
      if (open.length <= base) beginRecord();
    });
  }
  parser.on('closetag', () => {
    closed = open.pop()!;
    closedAt = parser.position;
    if (closed.name === recordName) records--;
    if (open.length < base) base = 1;
    else if (open.length === base) {
      checkLength();
      done.push(closed);
      beginRecord();
    }
  });

  /** The elements that end in a piece of the text, or remain at its end. */
  const elementsIn = (piece: string | null) => {
    try {
      isAtEnd = piece === null;
      if (piece === null) parser.close();
      else {
        parser.write(piece);
        checkLength();
      }
    } catch (error) {
      throw error instanceof ImportError ? error : failure((error as Error).message);
    }
    const complete = done;
    done = [];
    return complete;
  };
  for await (const piece of pieces) yield* elementsIn(piece);
  yield* elementsIn(null);
}
