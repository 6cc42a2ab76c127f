import { ALL_STATES } from '../../db/news/changes.ts';
import type { Lease, News } from '../../db/news/webhook-calls.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { encodeCursor, scopeOf } from '../changes/cursor.ts';

/** The news that a webhook can receive. */
export const EVENTS = [
  'property.changed',
  'property.removed',
  'unit.changed',
  'import.finished',
  'import.failed',
  'reader.overdue',
] as const;

/** What a call says: what has changed, and where to read it. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** How many news it contains. */
  readonly events: number;
}

/**
 * The message with some news. Repeated, it has the same id, and a receiver can ignore the second one: it contains no other
 * news.
 *
 * @param to the number up to which it contains all news
 */
export function newsMessage(
  lease: Lease,
  origin: string,
  news: readonly News[],
  to: number,
  now: EpochSeconds,
): Message {
  const { id, incarnation, replays, account, accountId, confirmedNumber } = lease;
  const after = { incarnation, number: confirmedNumber, loadedAt: 0 };
  const properties = encodeCursor({ ...after, scope: scopeOf('properties', accountId, ALL_STATES, null) });
  const units = encodeCursor({ ...after, scope: scopeOf('units', accountId) });
  const data = {
    account,
    changes_url: `${origin}/v1/changes?after=${properties}`,
    unit_changes_url: `${origin}/v1/units/changes?after=${units}`,
    events: news.map(({ type, number, id, development }) => ({
      type,
      number,
      ...(development === null ? {} : { development_id: development }),
      id,
    })),
  };
  return {
    id: `msg_${[incarnation, id, replays, to].join('_')}`,
    body: bodyOf('events', now, data),
    events: news.length,
  };
}

/** The message of a test, which contains no news. */
export function pingMessage(account: string, now: EpochSeconds): Message {
  return { id: `msg_ping_${crypto.randomUUID()}`, body: bodyOf('ping', now, { account }), events: 0 };
}

/** The members that Standard Webhooks recommends. */
function bodyOf(type: 'events' | 'ping', now: EpochSeconds, data: object): string {
  return JSON.stringify({ type, timestamp: isoTime(now), data });
}
