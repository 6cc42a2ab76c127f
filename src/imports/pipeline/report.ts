import { INTERPRETATIONS } from '../values/interpretation.ts';
import type { ImportCursor } from './apply.ts';
import type { ImportPlan } from './plan.ts';
import type { Kind } from './record.ts';
import { countRejected } from './rejections.ts';

export type ImportReport = ReturnType<typeof reportOf>;

/** The report on an imported file, or on a dry run. */
export function reportOf(
  plan: ImportPlan,
  { counts, rejections, ...done }: ImportCursor,
  dryRun = false,
) {
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
