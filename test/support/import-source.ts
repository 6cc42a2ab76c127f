import type { Format } from '../../src/import/input/formats.ts';
import { readKyeroNames } from '../../src/import/names/names-table.ts';
import { type BadRecord, isBad, type Source, type ValidRecord } from '../../src/import/record.ts';
import type { Interpretation } from '../../src/import/results/interpretations.ts';
import { openSource } from '../../src/import/source.ts';
import type { PortfolioDocument, PropertyDocument } from '../../src/portfolio/documents.ts';

/** The content of a file, read without a database. */
export interface SourceContent {
  readonly source: Source;
  readonly records: readonly ValidRecord[];
  readonly documents: readonly PortfolioDocument[];
  readonly properties: readonly PropertyDocument[];
  readonly bad: readonly BadRecord[];
  readonly interpreted: readonly Interpretation[];
}

export interface ReadingOptions {
  readonly strict?: boolean;
  readonly format?: Format;
  readonly names?: string;
}

/** The time at which files are read. */
export const READ_AT = new Date('2026-05-01T09:30:00.500Z');

/** Reads a file to its end. */
export async function readSource(content: string | Uint8Array, options: ReadingOptions = {}): Promise<SourceContent> {
  const source = await openSource(inChunks(content), {
    names: () => readKyeroNames(options.names),
    now: READ_AT,
    strict: options.strict ?? false,
    format: options.format,
  });
  const records = [];
  for await (const record of source.records()) records.push(record);
  const good = records.filter((record): record is ValidRecord => 'document' in record);
  const documents = good.map((record) => source.completed(record).document);
  return {
    source,
    records: good,
    documents,
    properties: documents.filter((document) => document.kind === 'property'),
    bad: records.filter(isBad),
    interpreted: source.interpretations.list(),
  };
}

/** Bytes in chunks, as in a stream. */
async function* inChunks(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let start = 0; start < bytes.length; start += 1_000) yield bytes.subarray(start, start + 1_000);
}
