import { INTERPRETATIONS } from '../../messages/interpretations.ts';
import { type CodedMessage, inEnglish } from '../../messages/messages.ts';
import type { DocumentProblem } from '../../properties/documents.ts';
import type { InterpretationKind } from '../values/interpretation.ts';
import type { ImportCursor, WouldChange } from './apply.ts';
import type { IgnoredNode, Interpretation } from './notes.ts';
import type { ImportPlan } from './plan.ts';
import type { BadRecord, Kind, UnknownNames } from './record.ts';
import { countRejected } from './rejections.ts';

/** The report on an imported file, or on a dry run, in JSON. */
export interface ImportReport {
  readonly format: string;
  readonly dry_run: boolean;
  readonly properties: ImportCounts & { readonly written: number; readonly withdrawn: number };
  /** Types, categories and features. */
  readonly entries: ImportCounts;
  readonly developments: ImportCounts;
  readonly units: ImportCounts;
  /** How many of its properties other sources have as well, by their names. */
  readonly in_other_sources: Readonly<Record<string, number>>;
  readonly new_channels: readonly string[];
  /** Of a dry run: the first properties that would be new, and that would change. */
  readonly would_change: readonly WouldChange[];
  /** In the order of the file. */
  readonly rejected_records: readonly RejectedRecord[];
  readonly interpreted: readonly ReportedInterpretation[];
  readonly ignored: readonly IgnoredNode[];
  readonly unknown_names: UnknownNames;
}

/** A rejected record, and what is wrong with it. */
export interface RejectedRecord extends Pick<BadRecord, 'line' | 'kind'> {
  readonly id: string | null;
  readonly problems: readonly ReportedProblem[];
}

/** What is wrong with a field, also in English. */
export interface ReportedProblem extends CodedMessage {
  readonly field: string;
  readonly detail: string;
}

/** Of the records of some kinds: how many there are, and what became of the valid ones. */
export interface ImportCounts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** What was interpreted, and what that means in words. */
export interface ReportedInterpretation extends Omit<Interpretation, 'kind'> {
  readonly interpretation: InterpretationKind;
  readonly meaning: string;
}

/** The report on an imported file, or on a dry run. */
export function reportOf(
  plan: ImportPlan,
  { counts, rejections, ...done }: ImportCursor,
  dryRun = false,
): ImportReport {
  const counted = (...kinds: readonly Kind[]): ImportCounts => {
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
    would_change: done.wouldChange,
    rejected_records: [...plan.rejections.records, ...rejections.records]
      .map(({ line, kind, id = null, problems }) => ({
        line,
        kind,
        id,
        problems: problems.map(reported),
      }))
      .sort((a, b) => a.line - b.line),
    interpreted: [...plan.interpreted, ...done.keptOff].map(({ node, kind, ...rest }) => ({
      node,
      interpretation: kind,
      meaning: INTERPRETATIONS[kind],
      ...rest,
    })),
    ignored: plan.ignored,
    unknown_names: plan.unknownNames,
  };
}

function reported({ field, message }: DocumentProblem): ReportedProblem {
  return { field, ...message, detail: inEnglish(message) };
}
