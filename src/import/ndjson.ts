import { DocumentError, parseDocument } from '../portfolio/documents.ts';
import { channelName } from './channels.ts';
import { ImportError } from './error.ts';
import { lines } from './input/lines.ts';
import { type BadRecord, KINDS, type Source, type SourceRecord } from './record.ts';
import type { Notes } from './results/notes.ts';

/** The first line of an export. An export is complete only if it ends with {@link closingLine}. */
export const OPENING_LINE = '{"kind":"portfolio"}\n';

/** The last line of an export, with the number of its documents. */
export function closingLine(documents: number): string {
  return `${JSON.stringify({ kind: 'end', documents })}\n`;
}

/**
 * The project's own format: one document of `portfolio/documents.ts` per line, with or without the first and last line of
 * an export.
 */
export function ndjsonSource(chunks: AsyncIterable<string>, notes: Notes): Source {
  return {
    format: 'ndjson',
    notes,
    async *records() {
      let documents: number | null = null;
      for await (const { number, text } of lines(chunks)) {
        const value = parseLine(number, text);
        const kind = kindOf(value);
        if (kind === 'portfolio') {
          if (documents !== null) throw truncated(`line ${number} begins another portfolio before this one has ended`);
          documents = 0;
        } else if (kind === 'end') {
          if (documents !== (value as { documents?: unknown }).documents) {
            throw truncated(`${documents ?? 'not all'} of the documents that line ${number} counts are present`);
          }
          documents = null;
        } else {
          if (documents !== null) documents++;
          yield recordOf(number, withValidChannels(number, value, notes));
        }
      }
      if (documents !== null) throw truncated('the last line of an export is missing');
    },
    summary: () => ({
      vocabulary: [],
      unknownNames: { types: [], features: [] },
      newestFirst: false,
      languages: null,
      completion: {},
    }),
  };
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
}

function truncated(how: string): ImportError {
  return new ImportError('bad_file', `The file is truncated: ${how}.`);
}

function recordOf(number: number, value: unknown): SourceRecord {
  try {
    return { line: number, document: parseDocument(value) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { line: number, ...subjectOf(value), problems: error.problems };
  }
}

/** A document without the names that no channel can have, which are reported. */
function withValidChannels(line: number, value: unknown, notes: Notes): unknown {
  const { channels } = ((typeof value === 'object' ? value : null) as { channels?: unknown }) ?? {};
  if (!Array.isArray(channels)) return value;
  const valid = channels.flatMap((text: unknown) => {
    const name = typeof text === 'string' ? channelName(text) : undefined;
    if (name === undefined) notes.interpreted('channels', 'unreadable', line, String(text), undefined);
    return name ?? [];
  });
  return { ...(value as object), channels: valid };
}

function parseLine(number: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImportError('bad_file', `Line ${number} is not JSON: the file is truncated there or not NDJSON.`);
  }
}

/** The kind of an invalid record: `property` unless it states another one. */
function subjectOf(value: unknown): Pick<BadRecord, 'kind' | 'id'> {
  const { kind, id } = ((typeof value === 'object' ? value : null) as { kind?: unknown; id?: unknown }) ?? {};
  const other = KINDS.find((one) => one === kind && one !== 'property');
  return other === undefined
    ? { kind: 'property', id: typeof id === 'string' ? id : null }
    : { kind: other, id: undefined };
}
