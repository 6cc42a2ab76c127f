import * as z from 'zod';
import { named, time } from '../../http/schemas.ts';

const holding = named(
  'ReaderHolding',
  z.object({
    reader: z.string(),
    feed: z.string().nullable().meta({ description: 'The format and its parameters; null if it has requested none.' }),
    state: z.enum(['current', 'outdated', 'never delivered', 'not in its channel', 'not for its kind']),
    delivery: z.enum(['sent', 'confirmed']).optional().meta({
      description:
        'sent: the runtime took the whole body. confirmed: the reader came back with its ETag or Last-Modified.',
    }),
    since: time.optional().meta({ description: 'Since when it has had the current state.' }),
    delivered_at: time.optional().meta({ description: 'When the outdated state that it still has was delivered.' }),
  }),
);

/** What the readers of an account have of one property. */
export const holdings = z
  .array(holding)
  .readonly()
  .meta({ description: 'For each reader and feed: whether it has the current state.' });
