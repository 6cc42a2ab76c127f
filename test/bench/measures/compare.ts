import type { Row, Target } from '../report/row.ts';
import { median, medianFigure, type Sample } from './rounds.ts';

/** The description of a comparison, for a row of the table. */
export interface Comparison {
  readonly measure: string;
  readonly what: string;
  readonly unit: Row['unit'];
  readonly against: string;
  readonly target: Target | null;
}

/** The row for two contestants' figures. */
export function compare(comparison: Comparison, ours: readonly Sample[], other: readonly Sample[]): Row {
  const [a, b] = [medianFigure(ours), medianFigure(other)];
  return {
    ...comparison,
    ours: a,
    other: b,
    ratio: a / b,
    byProcessor: ratioByProcessor(comparison.unit, ours, other),
    samples: { ours, other },
  };
}

/** The row of a figure with an absolute target. */
export function alone({ measure, what, unit, target }: Comparison, samples: readonly Sample[]): Row {
  const ours = medianFigure(samples);
  return {
    ...{ measure, what, unit, ours, target, other: null, against: '', ratio: ours, byProcessor: null },
    samples: { samples },
  };
}

/** The ratio of processor times alone, which is more stable if other programs are running. */
function ratioByProcessor(unit: Row['unit'], ours: readonly Sample[], other: readonly Sample[]): number | null {
  const [a, b] = [ours, other].map((samples) => samples.flatMap(({ processor }) => processor ?? []));
  if (unit === 'MB' || !a?.length || !b?.length) return null;
  const [mine, theirs] = [median(a), median(b)];
  if (mine === 0 || theirs === 0) return null;
  return unit === 'ms' ? mine / theirs : theirs / mine;
}
