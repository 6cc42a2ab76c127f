import type { Usage } from '../../support/platform/usage.ts';

/** What an operation uses, with its processor time in milliseconds. */
export type Cost = Usage & { readonly cpu: number };

/** What is billed by its number, in a month. */
export type Billed = Pick<
  Cost,
  'rowsRead' | 'rowsWritten' | 'kvReads' | 'kvWrites' | 'kvDeletes' | 'cpu'
> & {
  readonly requests: number;
  /** Gigabytes of the log that are written, and kept at a time. */
  readonly logged: number;
  readonly logStorage: number;
  /** Points in Analytics Engine: one for each request. */
  readonly dataPoints: number;
  /** Gigabytes. */
  readonly d1Storage: number;
  readonly kvStorage: number;
  /** Operations of queues: three for each message. */
  readonly queueOperations: number;
  /** Writes to R2, reads, and gigabytes there. */
  readonly r2Writes: number;
  readonly r2Reads: number;
  readonly r2Storage: number;
};

/** Dollars a month of the paid plan. */
const PLAN = 5;

/**
 * Dollars per million, or per gigabyte, beyond what the plan includes each month; of December 2026.
 * https://developers.cloudflare.com/workers/platform/pricing/, …/d1/platform/pricing/, …/kv/platform/pricing/, …/queues/platform/pricing/,
 * …/r2/pricing/, …/workers/observability/logs/workers-logs/#pricing and …/analytics/analytics-engine/pricing/.
 */
const PRICES: Readonly<Record<keyof Billed, { readonly each: number; readonly included: number }>> =
  {
    requests: { each: 0.3 / 1e6, included: 10e6 },
    cpu: { each: 0.02 / 1e6, included: 30e6 },
    rowsRead: { each: 0.001 / 1e6, included: 25e9 },
    rowsWritten: { each: 1 / 1e6, included: 50e6 },
    kvReads: { each: 0.5 / 1e6, included: 10e6 },
    kvWrites: { each: 5 / 1e6, included: 1e6 },
    kvDeletes: { each: 5 / 1e6, included: 1e6 },
    logged: { each: 0.25, included: 50 },
    logStorage: { each: 0.1, included: 12 },
    dataPoints: { each: 0.25 / 1e6, included: 10e6 },
    d1Storage: { each: 0.75, included: 5 },
    kvStorage: { each: 0.5, included: 1 },
    queueOperations: { each: 0.4 / 1e6, included: 1e6 },
    r2Writes: { each: 4.5 / 1e6, included: 1e6 },
    r2Reads: { each: 0.36 / 1e6, included: 10e6 },
    r2Storage: { each: 0.015, included: 10 },
  };

/** A month's bill in dollars, by what is billed, without the plan. */
function billOf(used: Billed): Readonly<Record<keyof Billed, number>> {
  const entries = Object.entries(PRICES).map(([name, { each, included }]) => [
    name,
    Math.max(0, used[name as keyof Billed] - included) * each,
  ]);
  return Object.fromEntries(entries);
}

/** A month's bill in dollars with the plan. */
export function totalOf(used: Billed): number {
  return Object.values(billOf(used)).reduce((sum, item) => sum + item, PLAN);
}
