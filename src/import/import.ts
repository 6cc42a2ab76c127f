import type { Env } from '../env.ts';
import { evictStale } from '../feed/invalidation/evict.ts';
import type { Actor } from '../portfolio/actor.ts';
import { applyBatches, FIRST, type ImportCursor } from './apply.ts';
import type { Input } from './input/input.ts';
import { countRejected } from './notes.ts';
import { type ImportPlan, type PlanOptions, planImport } from './plan.ts';
import type { Kind } from './record.ts';
import { INTERPRETATIONS } from './values/interpretation.ts';

interface ImportOptions extends Omit<PlanOptions, 'check'> {
  /** Who imports the file. */
  readonly actor: Actor;
  readonly dryRun: boolean;
  /** Called when writing begins, with the number of records. */
  readonly onPlan?: (records: number) => void;
  /** Called for each batch, with the number of its records. */
  readonly onBatch?: (records: number) => void;
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
  { actor, dryRun, onPlan, onBatch, ...options }: ImportOptions,
): Promise<ImportReport> {
  const plan = await planImport(env.DB, accountId, input, { ...options, check: options.strict || dryRun });
  onPlan?.(plan.valid);
  try {
    const cursor = await applyBatches({ db: env.DB, accountId, actor, input, plan, dryRun, onBatch }, FIRST);
    return reportOf(plan, cursor, dryRun);
  } finally {
    // Remaining stale snapshots are never used, and expire.
    if (!dryRun) await evictStale(env, accountId).catch(() => {});
  }
}

export type ImportReport = ReturnType<typeof reportOf>;

/** The report on an imported file, or on a dry run. */
export function reportOf(plan: ImportPlan, { counts, rejections, ...done }: ImportCursor, dryRun = false) {
  const counted = (...kinds: readonly Kind[]) => {
    const sum = (of: (kind: Kind) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
    return {
      read: sum((kind) => plan.read[kind]),
      created: sum((kind) => counts[kind].created),
      updated: sum((kind) => counts[kind].updated),
      unchanged: sum((kind) => counts[kind].unchanged),
      rejected: countRejected(plan.rejections, kinds) + countRejected(rejections, kinds),
    };
  };
  const properties = counted('property');
  const { read, ...others } = properties;
  return {
    format: plan.format,
    dry_run: dryRun,
    properties: {
      read,
      written: properties.created + properties.updated,
      ...others,
      withdrawn: dryRun ? plan.missing.length : done.withdrawn,
    },
    entries: counted('type', 'category', 'feature'),
    developments: counted('development'),
    units: counted('unit'),
    in_other_sources: plan.inSources,
    new_channels: done.channels.filter((name) => !plan.channels.includes(name)).sort(),
    rejected_records: [...plan.rejections.records, ...rejections.records]
      .map(({ line, kind, id = null, problems }) => ({ line, kind, id, problems }))
      .sort((a, b) => a.line - b.line),
    interpreted: plan.interpreted.map(({ node, kind, ...rest }) => ({
      node,
      interpretation: kind,
      meaning: INTERPRETATIONS[kind],
      ...rest,
    })),
    ignored: plan.ignored,
    unknown_names: plan.unknownNames,
  };
}
