import type { EpochSeconds } from '../lib/time/time.ts';
import { LISTING_RULES } from './all.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { Listing } from './listing.ts';
import type { Portal } from './portals.ts';
import type { FoundIn, ListingRule } from './rule.ts';

/** The result for some properties of an account: what was found in each, and what the comparison with others needs. */
export interface PartialReport {
  readonly traces: readonly Fingerprint[];
  /** By the rule's code, in the order of the properties; no entry for a rule without findings. */
  readonly findings: Findings;
}

export type Findings = Readonly<Record<string, readonly FoundIn[]>>;

/** Earlier than any report: a finding that held only until then is left out. */
const CLOCK_START: EpochSeconds = Date.UTC(2026, 0, 1) / 1000;

/** Characters of a value that a finding shows. */
const MAX_VALUE_LENGTH = 120;

export function checkListings(listings: readonly Listing[]): PartialReport {
  const byRule = LISTING_RULES.map(
    ({ code, check }) => [code, listings.flatMap((listing) => found(listing, check))] as const,
  );
  return {
    traces: listings.map(fingerprint),
    findings: Object.fromEntries(byRule.filter(([, all]) => all.length > 0)),
  };
}

/** Whether a portal refuses a property: its feed then leaves the property out, and reports say why by the same rules. */
export function isRefusedBy(portal: Portal, listing: Listing): boolean {
  return LISTING_RULES.some(
    ({ isRefusal, portals, check }) =>
      isRefusal && portals?.includes(portal) && check(listing).length > 0,
  );
}

function found(listing: Listing, check: ListingRule['check']): FoundIn[] {
  const mayHold = check(listing).filter(({ until }) => until === undefined || until > CLOCK_START);
  return mayHold.map((detail) => ({
    property: listing.id,
    ...detail,
    value: shortened(detail.value),
  }));
}

export function shortened(value: string): string {
  if (value.length <= MAX_VALUE_LENGTH) return value;
  const start = value.slice(0, MAX_VALUE_LENGTH - 1).toWellFormed();
  return `${start.replace(/\ufffd$/, '')}…`;
}
