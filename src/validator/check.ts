import type { Listing } from './listing.ts';
import type { FoundIn } from './rule.ts';
import { LISTING_RULES } from './rules.ts';
import { type Trace, traceOf } from './trace.ts';

/** A place where a property breaks a rule. */
export interface Finding extends FoundIn {
  /** The rule's code. */
  readonly rule: string;
}

/** The result for some properties of an account: what was found in each, and what the comparison with others needs. */
export interface PartialReport {
  readonly traces: readonly Trace[];
  readonly findings: readonly Finding[];
}

/** Characters of a value that a report shows. */
const SHOWN = 120;

/** Applies the rules about one property to each. */
export function checkListings(listings: readonly Listing[]): PartialReport {
  return { traces: listings.map(traceOf), findings: listings.flatMap(checkListing) };
}

function checkListing(listing: Listing): Finding[] {
  return LISTING_RULES.flatMap((rule) =>
    rule.check(listing).map((detail) => finding(rule.code, { property: listing.id, ...detail })),
  );
}

/** A finding whose value is short enough to be shown. */
export function finding(rule: string, found: FoundIn): Finding {
  const { property, node, value, ...times } = found;
  return { rule, property, node, value: shortened(value), ...times };
}

function shortened(value: string): string {
  return value.length <= SHOWN
    ? value
    : `${value
        .slice(0, SHOWN - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}
