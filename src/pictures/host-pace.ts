import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { HostBusy } from '../http/outbound.ts';

/** Milliseconds between two requests to a host, whoever sends them, and for whichever account. */
const INTERVAL_MS = 1_000;

/** How late within its second a request may still be sent. */
const LATE_MS = 200;

/** How far ahead a host may be claimed: whoever would wait longer comes back later. */
const PATIENCE_MS = 20_000;

/** Seconds that are claimed at a time: of an isolate that ends, so many are lost at most. */
const MOST_CLAIMED = 10;

/** At most one request a second to each host: the database gives out its seconds, to all isolates and for all accounts. */
export class HostPace {
  readonly #db: D1Database;
  /** How many addresses of each host are still to be requested, as far as it is known. */
  readonly #planned = new Map<string, number>();
  /** When claimed seconds begin, by the clock of this isolate. */
  readonly #claimed = new Map<string, number[]>();

  /** @param addresses that are going to be requested: for so many of a host, one statement is enough */
  constructor(db: D1Database, addresses: readonly string[]) {
    this.#db = db;
    for (const host of addresses.map(hostOf))
      this.#planned.set(host, (this.#planned.get(host) ?? 0) + 1);
  }

  /** Waits until a request to this address may be sent. @throws HostBusy */
  async turn(address: string): Promise<void> {
    const host = hostOf(address);
    for (;;) {
      const begins = this.#claimed.get(host)?.shift() ?? (await this.#claim(host));
      if (begins > Date.now()) await scheduler.wait(begins - Date.now());
      // A second that has passed meanwhile may be followed by one of somebody else.
      if (Date.now() - begins <= LATE_MS) break;
    }
    this.#planned.set(host, (this.#planned.get(host) ?? 1) - 1);
  }

  /** Claims seconds of a host. @returns when the first of them begins */
  async #claim(host: string): Promise<number> {
    const count = Math.min(Math.max(this.#planned.get(host) ?? 1, 1), MOST_CLAIMED);
    const wait = await claimSeconds(this.#db, host, count);
    if (wait === null) throw new HostBusy(host);
    const first = Date.now() + wait;
    const others = Array.from(
      { length: count - 1 },
      (_, index) => first + INTERVAL_MS * (index + 1),
    );
    this.#claimed.set(host, others);
    return first;
  }
}

/** Claims seconds of a host that follow each other. @returns the milliseconds until the first; `null` if that is too long */
async function claimSeconds(db: D1Database, host: string, count: number): Promise<number | null> {
  const now = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
  const length = count * INTERVAL_MS;
  const [row] = await drizzle(db).all<{ wait: number }>(sql`
    INSERT INTO host_paces (host, free_at) VALUES (${host}, ${now} + ${length})
        ON CONFLICT (host) DO UPDATE SET free_at = max(free_at, ${now}) + ${length}
     WHERE free_at <= ${now} + ${PATIENCE_MS}
    RETURNING free_at - ${length} - ${now} AS wait`);
  return row === undefined ? null : row.wait;
}

/** Forgets hosts that nobody has asked for a day. */
export async function forgetHosts(db: D1Database): Promise<void> {
  await drizzle(db).run(sql`DELETE FROM host_paces WHERE free_at < (unixepoch() - 86400) * 1000`);
}

/** The host of an address; empty if it is none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
