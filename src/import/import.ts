import type { Env } from '../env.ts';
import { evictStale } from '../feed/invalidation/evict.ts';
import { type ApplyOptions, applyBatches, FIRST, type ImportCursor } from './apply.ts';
import type { Input } from './input/input.ts';
import { type ImportPlan, type PlanOptions, planImport } from './plan.ts';

export interface ImportOptions extends Omit<PlanOptions, 'check'>, Pick<ApplyOptions, 'onBatch'> {
  readonly dryRun: boolean;
  /** Called when writing begins, with the number of records. */
  readonly onPlan?: (records: number) => void;
}

/**
 * Imports a file into an account's portfolio, record by record under its key; repeating it changes nothing. The complete
 * file is read before anything is written. Then records are written in batches, each in one transaction: an import that is
 * killed leaves complete records, and repeating it completes it.
 */
export async function importPortfolio(
  env: Env,
  accountId: number,
  input: Input,
  { dryRun, onPlan, onBatch, ...options }: ImportOptions,
): Promise<{ plan: ImportPlan; cursor: ImportCursor }> {
  const plan = await planImport(env.DB, accountId, input, { ...options, check: options.strict || dryRun });
  onPlan?.(plan.valid);
  try {
    const cursor = await applyBatches(env.DB, accountId, input, plan, FIRST, { dryRun, ...(onBatch && { onBatch }) });
    return { plan, cursor };
  } finally {
    // Remaining stale snapshots are never used, and expire.
    if (!dryRun) await evictStale(env, accountId).catch(() => {});
  }
}
