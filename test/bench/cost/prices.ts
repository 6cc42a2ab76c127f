import type { Usage } from '../../support/platform/usage.ts';

/** What an operation uses, with its processor time in milliseconds. */
export type Cost = Usage & { readonly cpu: number };

/** A price in dollars per million, beyond what the plan includes each month, in millions. */
interface Price {
  readonly perMillion: number;
  readonly included: number;
}

/** Dollars a month of the paid plan. */
const PLAN = 5;

/**
 * The paid plan in 2026: https://developers.cloudflare.com/workers/platform/pricing/,
 * https://developers.cloudflare.com/d1/platform/pricing/, https://developers.cloudflare.com/kv/platform/pricing/.
 * Storage is left out: 10 GB of D1 cost $3.75 a month, 10 GB of KV $4.50.
 */
const PRICES = {
  requests: { perMillion: 0.3, included: 10 },
  cpu: { perMillion: 0.02, included: 30 },
  rowsRead: { perMillion: 0.001, included: 25_000 },
  rowsWritten: { perMillion: 1, included: 50 },
  kvReads: { perMillion: 0.5, included: 10 },
  kvWrites: { perMillion: 5, included: 1 },
  kvDeletes: { perMillion: 5, included: 1 },
  kvLists: { perMillion: 5, included: 1 },
} satisfies Record<string, Price>;

type Billed = keyof typeof PRICES;

/** How often an operation happens, per feed that is requested. */
export interface Share {
  readonly cost: Cost;
  readonly perFeed: number;
  /** Whether it is a request to the Worker; an import is not. */
  readonly isRequest: boolean;
}

/** A month's bill in dollars, by what is billed. */
export interface Bill {
  readonly items: Readonly<Record<Billed, number>>;
  readonly total: number;
}

const HOURS_A_MONTH = 730;

/** The bill of a service from which so many feeds are requested each hour. */
export function monthlyBill(feedsAnHour: number, shares: readonly Share[]): Bill {
  const feeds = feedsAnHour * HOURS_A_MONTH;
  const used = (billed: Billed) =>
    shares.reduce((sum, { cost, perFeed, isRequest }) => {
      const each = billed === 'requests' ? Number(isRequest) : cost[billed];
      return sum + each * perFeed * feeds;
    }, 0);
  const items = Object.fromEntries(
    (Object.keys(PRICES) as Billed[]).map((billed) => {
      const { perMillion, included } = PRICES[billed];
      return [billed, Math.max(0, used(billed) / 1e6 - included) * perMillion];
    }),
  ) as Record<Billed, number>;
  return { items, total: Object.values(items).reduce((sum, item) => sum + item, PLAN) };
}
