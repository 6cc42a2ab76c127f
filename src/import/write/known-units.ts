import { readStored } from '../../db/portfolio/read.ts';
import { documentKey, keyOf } from '../../portfolio/documents.ts';
import type { StagedRecord } from '../record.ts';
import type { Staged } from './stage.ts';

/** Records that are looked up at a time. */
const BATCH = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * A file without the developments and units of properties that are stored: these keep their own, and a feed has names of
 * developments, but not their identifiers.
 */
export async function withoutKnownUnits(db: D1Database, accountId: number, staged: Staged): Promise<Staged> {
  const needed = new Set<string>();
  for await (const batch of staged.batches('property', BATCH, BATCH_BYTES)) {
    const documents = batch.flatMap(({ document }) =>
      document.kind === 'property' && document.unit ? [document] : [],
    );
    const stored = await readStored(db, accountId, documents);
    for (const document of documents.filter((one) => !stored.has(documentKey(one)))) {
      needed.add(keyOf('unit', document.unit!.development, document.unit!.name));
      needed.add(keyOf('development', document.unit!.development));
    }
  }
  const isNeeded = ({ document, onlyIfMissing }: StagedRecord) => !onlyIfMissing || needed.has(documentKey(document));
  return {
    ...staged,
    async *batches(...limits) {
      for await (const batch of staged.batches(...limits)) {
        const records = batch.filter(isNeeded);
        if (records.length > 0) yield records;
      }
    },
  };
}
