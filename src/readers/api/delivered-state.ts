import * as z from 'zod';
import { namedObject, time } from '../../api/schemas.ts';
import { channelIn } from '../../feed/manifest/segments.ts';
import { isoTime } from '../../lib/time/time.ts';
import { mayGet } from '../../properties/restrictions.ts';
import { whyNotSelected } from '../../properties/selection/rules.ts';
import { type ListFilter, listProperties } from '../../properties/store/listings.ts';
import { decidingIn } from '../deciding.ts';
import { type FeedDeliveries, listDeliveries } from '../deliveries.ts';
import { policyIn } from '../policy.ts';
import { listReaders } from '../readers.ts';

/** Maximum number of readers of an account that are read at once; an account has a handful. */
export const MAX_READERS = 10_000;

const deliveredState = namedObject('DeliveredState', {
  reader: z.string(),
  feed: z
    .string()
    .nullable()
    .describe('The format and its parameters; null if it has requested none.'),
  state: z.enum([
    'current',
    'outdated',
    'never delivered',
    'not in its channel',
    'not for its kind',
    'not selected',
  ]),
  delivery: z
    .enum(['sent', 'confirmed'])
    .optional()
    .describe(
      'sent: the runtime took the whole body. confirmed: the reader came back with its ETag or Last-Modified.',
    ),
  since: time.optional().describe('When it received the current state.'),
  delivered_at: time.optional().describe('When it received the outdated state that it still has.'),
});

/** What the readers of an account have of one property. */
export const deliveredStates = z
  .array(deliveredState)
  .readonly()
  .describe('For each reader and feed: whether it has the current state.');

/** What a reader has of a property through one feed. */
export type DeliveredState = z.output<typeof deliveredState>;

/**
 * For each reader of an account and each of its feeds: whether it has the current state of a property, by its identifier or by the
 * unit that it is; `null` if there is none.
 */
export async function listDeliveredStates(
  db: D1Database,
  accountId: number,
  which: Pick<ListFilter, 'identifiers' | 'unit'>,
): Promise<DeliveredState[] | null> {
  const [row] = await listProperties(db, accountId, { ...which, order: 'added', forRules: true });
  if (row === undefined) return null;
  const deciding = decidingIn(row);
  const found = await listReaders(db, accountId, null, MAX_READERS);
  const deliveries = await listDeliveries(db, accountId);
  return found.flatMap(
    ({ name: reader, channel, channelId, policy }): DeliveredState | DeliveredState[] => {
      const { kind, selection } = policyIn(policy);
      const no = (state: DeliveredState['state']) => ({ reader, feed: null, state });
      if (!mayGet(kind, row.restrictions)) return no('not for its kind');
      if (channel !== null && !row.channels.includes(channel)) return no('not in its channel');
      if (whyNotSelected(deciding, selection ?? {}) !== null) return no('not selected');
      // Deliveries of another channel do not tell whether the reader has a property of this one.
      const feeds = deliveries.filter(
        (entry) => entry.reader === reader && channelIn(entry.feed) === channelId,
      );
      if (feeds.length === 0) return no('never delivered');
      return feeds.map((entry) => ({
        reader,
        feed: entry.feed,
        ...deliveredStateOf(entry, row.change),
      }));
    },
  );
}

/**
 * What a reader has of a property through one feed; times in ISO 8601, UTC. A feed without the property shows its absence,
 * which is a state as well.
 *
 * @param change the number of the property's last change
 */
export function deliveredStateOf(
  { delivery, history }: Pick<FeedDeliveries, 'delivery' | 'history'>,
  change: number,
) {
  if (delivery === null) return { state: 'never delivered' } as const;
  if (delivery.revision < change)
    return { state: 'outdated', delivered_at: isoTime(delivery.at) } as const;
  const before = history.findLastIndex(([, revision]) => revision === null || revision < change);
  const shown = history.slice(before + 1);
  const isConfirmed =
    delivery.confirmedAt !== null || shown.some(([, , confirmedAt]) => confirmedAt !== null);
  return {
    state: 'current',
    since: isoTime(shown[0]?.[0] ?? delivery.at),
    delivery: isConfirmed ? 'confirmed' : 'sent',
  } as const;
}
