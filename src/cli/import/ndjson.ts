import { DocumentError, type PortfolioDocument, parseDocument } from '../../portfolio/documents.ts';
import { Failure } from '../failure.ts';
import { KINDS } from './kinds.ts';
import { type Line, lines } from './lines.ts';
import type { Source, SourceRecord } from './record.ts';

/** The project's own format: a document of `portfolio/documents.ts` a line. */
export function ndjsonSource(chunks: AsyncIterable<string>): Source {
  return {
    format: 'ndjson',
    async *records() {
      for await (const line of lines(chunks)) yield recordOf(line);
    },
    vocabulary: () => ({ set: [], fallback: [] }),
    ignored: () => new Map(),
  };
}

function recordOf({ number, text }: Line): SourceRecord {
  const value = parseLine(number, text);
  try {
    return { line: number, document: parseDocument(value) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { line: number, id: propertyId(value), problems: error.problems };
  }
}

function parseLine(number: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('bad_file', `Line ${number} is not JSON: the file has broken off there, or is not NDJSON.`);
  }
}

/** The identifier of what may be a property; `null` where it cannot be told, `undefined` for what is none. */
function propertyId(value: unknown): string | null | undefined {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, id } = value as { kind?: unknown; id?: unknown };
  if (kind !== 'property' && KINDS.includes(kind as PortfolioDocument['kind'])) return undefined;
  return typeof id === 'string' ? id : null;
}
