import { findReader, type ReaderAddress, updateReader } from '../../db/readers/readers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { changedPolicy, type PolicyChange } from '../../portfolio/policy.ts';
import { type ReaderFeedRequest, readerFeed } from './new-reader.ts';

/** The result of changing a reader. */
export type ReaderChange =
  | 'changed'
  | 'not found'
  /** The reader would have a fixed preset that is empty. */
  | 'nothing is fixed'
  | { readonly errors: readonly ParameterError[] };

/**
 * Changes what a reader gets. What is not stated stays as it is, whoever else changes it at the same time.
 *
 * @throws what D1 throws
 */
export async function changeReader(
  db: D1Database,
  address: ReaderAddress,
  { withhold, place, kind, ...request }: Partial<Omit<ReaderFeedRequest, 'policy'>> & PolicyChange,
): Promise<ReaderChange> {
  for (;;) {
    const before = await findReader(db, address);
    if (before === null) return 'not found';
    const { preset, fixed, channelId } = { ...before, ...request };
    const policy = changedPolicy(before.policy, { withhold, place, kind });
    if (fixed && preset === '') return 'nothing is fixed';
    const after = readerFeed({ preset, fixed, channelId, policy });
    if ('errors' in after) return after;
    // Otherwise somebody else has changed it since it was read.
    if (await updateReader(db, address, before, after)) return 'changed';
  }
}
