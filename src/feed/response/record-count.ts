import type { FeedContext } from '../build/context.ts';
import { loadPart } from '../build/parts.ts';
import type { PlannedPart } from '../manifest/plan.ts';

/** The number of records of a feed, from its snapshots; parts that have none are built, and cached. */
export async function countRecords(parts: readonly PlannedPart[], context: FeedContext): Promise<number> {
  let records = 0;
  for (const part of parts) records += part.snapshot?.records ?? (await countBuilt(part, context));
  return records;
}

async function countBuilt(part: PlannedPart, context: FeedContext): Promise<number> {
  const loaded = await loadPart(part, context);
  switch (loaded.from) {
    case 'snapshot':
      loaded.buffer.release();
      return loaded.snapshot.records;
    case 'other build':
      return loaded.piece.records;
    case 'database': {
      const built = loaded.properties.build();
      built.compact();
      return built.piece.records;
    }
  }
}
