import { Buffer } from 'node:buffer';
import type { ImportNames } from '../../../src/db/schema.ts';
import type { Input } from '../../../src/imports/input/input.ts';
import {
  type KeptRecord,
  keepRecords,
  keptRecords,
  type RecordStore,
} from '../../../src/imports/pipeline/kept.ts';
import type { Interpretation } from '../../../src/imports/pipeline/notes.ts';
import type { BadRecord } from '../../../src/imports/pipeline/record.ts';
import { type Scan, scan } from '../../../src/imports/pipeline/scan.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/properties/documents.ts';

/** The content of a file, read without a database. */
interface SourceContent {
  readonly scan: Scan;
  readonly records: readonly KeptRecord[];
  readonly documents: readonly PortfolioDocument[];
  readonly properties: readonly PropertyDocument[];
  readonly bad: readonly BadRecord[];
  readonly interpreted: readonly Interpretation[];
}

interface FileOptions {
  readonly strict?: boolean;
  readonly format?: string;
  readonly names?: ImportNames;
  /** Bytes per chunk. */
  readonly size?: number;
}

/** The time at which files are read. */
export const READ_AT = '2026-05-01T09:30:00Z';

/** Reads a file, and then its records, as an import does. */
export async function readSource(
  content: string | Uint8Array,
  { strict = false, size, ...options }: FileOptions = {},
): Promise<SourceContent> {
  const input = inputOf(content, size);
  const store = recordsInMemory();
  const reading = { ...options, now: READ_AT, strict };
  const { scan: scanned } = await scan(input, reading, (found) => keepRecords(store, found));
  const records: KeptRecord[] = [];
  for await (const record of keptRecords(store, { ...scanned, skipped: [] })) records.push(record);
  const documents = records.flatMap(({ document, needs = [] }) => [...needs, document]);
  return {
    scan: scanned,
    records,
    documents,
    properties: documents.filter((document) => document.kind === 'property'),
    bad: scanned.rejections.records,
    interpreted: scanned.interpreted,
  };
}

/** A file with this content, which is read in small chunks, as from a network. */
export function inputOf(content: string | Uint8Array, size = 1_000): Input {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    async *open() {
      for (let start = 0; start < bytes.length; start += size)
        yield bytes.slice(start, start + size);
    },
  };
}

/** A store of records, which are read in small chunks. */
export function recordsInMemory(): RecordStore {
  let stored = new Uint8Array();
  return {
    async write(chunks) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      stored = Buffer.concat(parts);
    },
    open: (position) => inputOf(stored.subarray(position)).open(),
  };
}
