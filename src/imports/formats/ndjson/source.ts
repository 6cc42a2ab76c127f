import { type CodedMessage, message } from '../../../messages/messages.ts';
import { parseDocument } from '../../../properties/documents.ts';
import { ImportError } from '../../pipeline/error.ts';
import { Vocabulary } from '../../pipeline/names.ts';
import type { Notes } from '../../pipeline/notes.ts';
import {
  attempt,
  EMPTY_SUMMARY,
  isBad,
  KINDS,
  listingOf,
  type ReadingOptions,
  type Source,
  type SourceRecord,
} from '../../pipeline/record.ts';
import { MAX_RECORD_LENGTH } from '../../xml/elements.ts';
import { channelName } from '../../xml/reading.ts';
import type { ImportFormat } from '../format.ts';

/** The format of an export, of which no record may come twice. */
export const NDJSON_FORMAT: ImportFormat = {
  name: 'ndjson',
  title: message('ndjson'),
  mayRepeat: false,
  content: { kind: 'lines', beginning: /^\{.*"kind"\s*:/s, records: ndjsonRecords },
};

/** The first line of an export. An export is complete only if it ends with {@link closingLine}. */
export const OPENING_LINE = '{"kind":"portfolio"}\n';

/** The last line of an export, with the number of its documents. */
export function closingLine(documents: number): string {
  return `${JSON.stringify({ kind: 'end', documents })}\n`;
}

/**
 * The project's own format: one document of `properties/documents.ts` per line, with or without the first and last line of
 * an export.
 */
async function* ndjsonRecords(
  chunks: AsyncIterable<string>,
  { names, now }: ReadingOptions,
  notes: Notes,
): Source['records'] {
  const mapped = new Vocabulary(names);
  let documents: number | null = null;
  for await (const { line, text } of linesOf(chunks)) {
    const value = parseLine(line, text);
    const { kind, documents: counted } = membersOf(value);
    if (kind === 'portfolio') {
      if (documents !== null) throw truncated(message('second_portfolio', { line }));
      documents = 0;
    } else if (kind === 'end') {
      if (documents !== counted) {
        throw truncated(
          documents === null
            ? message('lacks_beginning', { line })
            : message('lacks_documents', { count: documents, line }),
        );
      }
      documents = null;
    } else {
      if (documents !== null) documents++;
      const record = recordOf(line, value, now, notes);
      notes.belongTo(listingOf(record));
      yield withMappedNames(record, mapped);
    }
  }
  if (documents !== null) throw truncated(message('lacks_end'));
  return { ...EMPTY_SUMMARY, vocabulary: mapped.entries() };
}

function withMappedNames(record: SourceRecord, mapped: Vocabulary): SourceRecord {
  if (isBad(record) || record.document.kind !== 'property') return record;
  const { document } = record;
  const type = mapped.mappedCode('type', document.type) ?? document.type;
  const features = document.features.map((code) => mapped.mappedCode('feature', code) ?? code);
  const renamed = { ...document, type, features: [...new Set(features)] };
  mapped.use(renamed);
  return { ...record, document: renamed };
}

/** The lines of a text with their numbers, from 1, without line endings and without blank lines. */
async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text: string }> {
  let line = 1;
  let rest = '';
  for await (const chunk of chunks) {
    // Only the chunk is split: a long line would be copied for each.
    const parts = chunk.split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop()!;
    for (const text of parts) {
      if (text.trim() !== '') yield { line, text };
      line++;
    }
    if (rest.length > MAX_RECORD_LENGTH) {
      throw new ImportError('bad_file', message('long_line', { line }));
    }
  }
  if (rest.trim() !== '') yield { line, text: rest };
}

function truncated(how: CodedMessage): ImportError {
  return new ImportError('bad_file', how);
}

function parseLine(line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImportError('bad_file', message('not_ndjson', { line }));
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A property without the time of its listing is listed now, or keeps the stored time, as when it is put. */
function recordOf(line: number, value: unknown, now: string, notes: Notes): SourceRecord {
  const { kind, id, channels, listed_at } = membersOf(value);
  const isListedNow = kind === 'property' && listed_at === undefined;
  const given =
    kind === 'property'
      ? {
          ...(value as object),
          ...(isListedNow && { listed_at: now }),
          ...(Array.isArray(channels) && { channels: validChannels(line, channels, notes) }),
        }
      : value;
  const document = attempt(() => parseDocument(given));
  if (!('problems' in document))
    return { line, document, ...(isListedNow && { open: ['listed_at'] as const }) };
  // It is a property unless it states another kind.
  const other = KINDS.find((one) => one === kind && one !== 'property');
  const subject =
    other === undefined
      ? ({ kind: 'property', id: typeof id === 'string' ? id : null } as const)
      : { kind: other };
  return { line, ...subject, ...document };
}

function validChannels(line: number, channels: readonly unknown[], notes: Notes): string[] {
  return channels.flatMap((text) => {
    const name = typeof text === 'string' ? channelName(text) : undefined;
    const shown = typeof text === 'object' ? '' : String(text);
    if (name === undefined) notes.interpreted('channels', 'unreadable', line, shown, undefined);
    return name ?? [];
  });
}
