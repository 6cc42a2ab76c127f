import type { Sample } from '../measures/rounds.ts';

/** One row of the table: a figure of Lindero, and that of a peer or of Lindero under other conditions. */
export interface Row {
  /** The measure's name, by which it can be chosen. */
  readonly measure: string;
  readonly what: string;
  /** Of what: requests a second, megabytes of XML a second, milliseconds, megabytes of memory, kilobytes, or nothing. */
  readonly unit: '/s' | 'MB/s' | 'ms' | 'MB' | 'KB' | '';
  readonly ours: number;
  readonly other: number | null;
  /** What the figure is compared with. */
  readonly against: string;
  /** `ours / other`, or `ours` if there is no other. */
  readonly ratio: number;
  /** The same ratio of the servers' processor times. */
  readonly byProcessor: number | null;
  readonly target: Target | null;
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

/** The minimum or maximum of a ratio. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export function isMet({ ratio, target }: Row): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}
