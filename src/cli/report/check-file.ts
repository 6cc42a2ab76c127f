import type { Input } from '../../import/input/input.ts';
import type { ReadingOptions } from '../../import/record.ts';
import { recordsOf } from '../../import/records.ts';
import { type Scan, scan } from '../../import/scan.ts';
import type { FeatureDocument, PropertyDocument, TypeDocument } from '../../portfolio/documents.ts';
import { checkListings, type PartialReport } from '../../rules/check.ts';
import { labelsOf, listingOfDocument } from '../../rules/listing.ts';

/** Maximum number of properties that are in memory at a time. */
const BATCH = 500;

export interface CheckedFile {
  readonly parts: readonly PartialReport[];
  readonly scan: Scan;
}

/**
 * Checks the properties of a file that can be imported.
 *
 * @param each called with every property
 * @throws ImportError if the file is truncated or invalid
 */
export async function checkFile(
  input: Input,
  reading: ReadingOptions,
  each: (property: PropertyDocument) => void,
): Promise<CheckedFile> {
  const entries: (TypeDocument | FeatureDocument)[] = [];
  const { scan: scanned } = await scan(input, reading, ({ document }) => {
    if (document.kind === 'type' || document.kind === 'feature') entries.push(document);
  });
  const labels = labelsOf([...scanned.vocabulary.map(({ document }) => document), ...entries]);
  const parts: PartialReport[] = [];
  let batch: PropertyDocument[] = [];
  const checkBatch = () => {
    if (batch.length > 0) parts.push(checkListings(batch.map((property) => listingOfDocument(property, labels))));
    batch = [];
  };
  for await (const { document } of recordsOf(input, scanned)) {
    if (document.kind !== 'property') continue;
    each(document);
    batch.push(document);
    if (batch.length === BATCH) checkBatch();
  }
  checkBatch();
  return { parts, scan: scanned };
}
