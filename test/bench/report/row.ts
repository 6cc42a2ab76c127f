import type { Sample } from '../measures/rounds.ts';

/** One line of the table: a figure of Lindero's beside that of a peer, or of itself under other conditions. */
export interface Row {
  /** The measure's name, by which it can be chosen. */
  readonly measure: string;
  readonly what: string;
  /** Of what: requests a second, megabytes of XML a second, milliseconds, megabytes of memory, kilobytes, or nothing. */
  readonly unit: '/s' | 'MB/s' | 'ms' | 'MB' | 'KB' | '';
  readonly ours: number;
  readonly other: number | null;
  /** Whose figure the other one is. */
  readonly against: string;
  /** `ours / other`, or `ours` where there is no other. */
  readonly ratio: number;
  /** The same ratio, were it made by the servers' processor time alone. */
  readonly byProcessor: number | null;
  readonly target: Target | null;
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

/** What a ratio is to be at least, or at most. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export function isMet({ ratio, target }: Row): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}
