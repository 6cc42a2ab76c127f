import type { Actor } from '../../src/accounts/actor.ts';
import type { Env } from '../../src/env.ts';
import type { Input } from '../../src/imports/input/input.ts';
import { applyBatches, FIRST } from '../../src/imports/pipeline/apply.ts';
import { type PlanOptions, planImport } from '../../src/imports/pipeline/plan.ts';
import { type ImportReport, reportOf } from '../../src/imports/pipeline/report.ts';
import { recordsInMemory } from './documents/import-source.ts';

interface ImportOptions extends Omit<PlanOptions, 'check'> {
  /** Who imports the file. */
  readonly actor: Actor;
  readonly dryRun: boolean;
}

/** Imports a file at once, without the steps that the service takes one after the other. */
export async function importPortfolio(
  env: Env,
  accountId: number,
  input: Input,
  { actor, dryRun, ...options }: ImportOptions,
): Promise<ImportReport> {
  const records = recordsInMemory();
  const plan = await planImport(env.DB, accountId, input, records, {
    ...options,
    check: options.strict || dryRun,
  });
  const cursor = await applyBatches({ db: env.DB, accountId, actor, records, plan, dryRun }, FIRST);
  return reportOf(plan, cursor, dryRun);
}
