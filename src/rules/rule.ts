import type { EpochSeconds } from '../lib/time/time.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Listing } from './listing.ts';
import type { Portal } from './portals.ts';

/** `error`: a portal rejects or misreads the property. `warning`: it costs readers or trust. `info`: it could be better. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Where what a rule states is published, and when somebody last compared it with that. */
export interface Source {
  readonly name: string;
  readonly url: string;
  readonly checked: string;
  /** Where it applies, if it is a region's: the first two digits of the postcodes of its provinces. */
  readonly provinces?: string;
}

/** A rule, apart from how it is checked. Its texts are English; the console has them in its other languages. */
export interface Rule {
  /** Stable: programs filter by it. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, and why it matters. */
  readonly explanation: string;
  /** What to do. */
  readonly fix: string;
  /** The portals that it applies to, all if absent: a rule for some counts only in a report for one of them. */
  readonly portals?: readonly Portal[];
  /** Whether these portals refuse the property, so that our feeds for them leave it out. */
  readonly isRefusal?: true;
  readonly sources?: readonly Source[];
}

/** Where a property breaks a rule: the node of the feed, and its value. */
export interface Detail {
  readonly node: string;
  /** As the node has it, or related to another node or property, such as `= R102`; it is shown in every language. */
  readonly value: string;
  /** If it depends on the time: from when and until when it holds. */
  readonly from?: EpochSeconds;
  readonly until?: number;
}

export interface ListingRule extends Rule {
  check(listing: Listing): readonly Detail[];
}

export type ListingChecks = Readonly<Record<string, ListingRule['check']>>;

export interface FoundIn extends Detail {
  readonly property: string;
}

export interface AccountRule extends Rule {
  /** @param languages the languages that the account is expected to have */
  compare(traces: readonly Fingerprint[], languages: readonly string[]): readonly FoundIn[];
}

export const NONE: readonly Detail[] = [];

export function when(condition: boolean, node: string, value: unknown): readonly Detail[] {
  return condition ? [{ node, value: String(value) }] : NONE;
}
