import type { Source } from '../../import/record.ts';
import type { BadRecords } from '../../import/results/bad-records.ts';
import { Spool } from '../../import/write/spool.ts';
import { stage } from '../../import/write/stage.ts';
import type { PortfolioDocument, PropertyDocument } from '../../portfolio/documents.ts';
import { checkListings, type PartialReport } from '../../rules/check.ts';
import { labelsOf, listingOfDocument } from '../../rules/listing-of-document.ts';

/** Maximum number of properties that are in memory at a time, and of their characters of JSON. */
const BATCH = 500;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** A file that was checked. */
export interface CheckedFile {
  readonly parts: readonly PartialReport[];
  /** Records that an import would reject, and why. */
  readonly bad: BadRecords;
}

/**
 * Checks the properties of a file that can be imported.
 *
 * @param each called with every property
 * @throws Failure if the file is truncated or invalid
 */
export async function checkFile(source: Source, each: (property: PropertyDocument) => void): Promise<CheckedFile> {
  const spool = await Spool.create();
  try {
    const { batches, bad } = await stage(source, spool, false);
    const labels = labelsOf(await vocabularyOf(source, batches));
    const parts: PartialReport[] = [];
    for await (const batch of batches('property', BATCH, BATCH_CHARACTERS)) {
      const properties = batch.map(({ document }) => document).filter((document) => document.kind === 'property');
      properties.forEach(each);
      parts.push(checkListings(properties.map((property) => listingOfDocument(property, labels))));
    }
    return { parts, bad };
  } finally {
    await spool.remove();
  }
}

type Batches = Awaited<ReturnType<typeof stage>>['batches'];

/** The types and features that the properties refer to: those of a feed's names, or the entries of an export. */
async function vocabularyOf(source: Source, batches: Batches) {
  const { set, fallback, labelled } = source.vocabulary();
  const documents: PortfolioDocument[] = [...fallback, ...set, ...labelled.map(({ document }) => document)];
  for (const kind of ['type', 'feature'] as const) {
    for await (const batch of batches(kind, BATCH, BATCH_CHARACTERS)) {
      documents.push(...batch.map(({ document }) => document));
    }
  }
  return documents.filter(isEntry);
}

function isEntry(document: PortfolioDocument): document is Extract<PortfolioDocument, { kind: 'type' | 'feature' }> {
  return document.kind === 'type' || document.kind === 'feature';
}
