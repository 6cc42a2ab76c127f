import type { CodedMessage } from '../../messages/messages.ts';
import type { Notes } from '../pipeline/notes.ts';
import type { ReadingOptions, Source } from '../pipeline/record.ts';
import type { XmlNode } from '../xml/node.ts';
import type { RecordFormat } from './nodes.ts';

/** A format of files that can be imported: all that the rest of the service knows of it. */
export interface ImportFormat {
  /** In the API, in the command line and in the database. */
  readonly name: string;
  /** In messages; `named_format` has a name that is the same in every language. */
  readonly title: CodedMessage;
  /** Whether a record may come twice without a contradiction, unless the file is read strictly. */
  readonly mayRepeat: boolean;
  readonly content: XmlContent | LinesContent;
}

/** A document of XML. */
export interface XmlContent {
  readonly kind: 'xml';
  /** The element that states the format: the root, or one before the first record. */
  readonly element: string;
  /** Whether that element, in another root, may have the records in it. */
  readonly isWrapper: boolean;
  /** The element of a record, where the root states the format; in all other roots, it is `property`. */
  readonly record: string;
  /** Nodes by which records are recognised without the element, if they have the usual ones too. */
  readonly ownNodes: readonly string[];
  /** The nodes that are imported, which documents list. */
  readonly nodes: RecordFormat;
  /** The records among the elements of the root, and those around the first record. */
  records(
    elements: AsyncIterable<XmlNode>,
    options: ReadingOptions,
    notes: Notes,
  ): Source['records'];
}

/** A text that is not XML. */
export interface LinesContent {
  readonly kind: 'lines';
  /** How it begins, without white space. */
  readonly beginning: RegExp;
  /** The records in the pieces of the text. */
  records(chunks: AsyncIterable<string>, options: ReadingOptions, notes: Notes): Source['records'];
}
