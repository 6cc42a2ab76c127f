import type { Frequency } from './price.ts';

/** The suffix of a property's identifier in records of one rental offer, by the period of their price. */
const SUFFIXES: Readonly<Record<string, Frequency>> = { '-LT': 'month', '-ST': 'week' };

/** A property's identifier from that of a record, which may have the suffix of its rental offer. */
export function withoutSuffix(id: string, frequency: Frequency): string {
  const suffix = SUFFIXES[id.slice(-3)];
  return id.length > 3 && suffix !== undefined && suffix === frequency ? id.slice(0, -3) : id;
}
