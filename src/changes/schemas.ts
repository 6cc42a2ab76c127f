import * as z from 'zod';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../api/requests.ts';
import { integerParameter, namedObject, optionalHeaders, time } from '../api/schemas.ts';
import { because } from '../messages/messages.ts';
import { unit } from '../units/schemas.ts';
import { type Cursor, decodeCursor } from './cursor.ts';

/** The query of a request for changes: from where on, and how many. */
export const changesQuery = z.object({
  limit: integerParameter(1, MAX_LIMIT, DEFAULT_LIMIT).describe(
    'Maximum number of changes in a response; long texts make it fewer.',
  ),
  after: z
    .string()
    .transform((text, context): Cursor => {
      const cursor = decodeCursor(text);
      if (cursor !== null) return cursor;
      context.addIssue({ code: 'custom', ...because('not_next') });
      return z.NEVER;
    })
    .nullable()
    .default(null)
    .describe('The `next` of the last response. Without it, everything that is listed.'),
});

/** The longest time for which a response is held. */
export const MAX_WAIT_SECONDS = 30;

/** The header that asks for a long poll. */
export const preferHeader = optionalHeaders({
  Prefer: {
    description:
      '`wait=30` (RFC 7240): a response without a change is held for up to ' +
      `${MAX_WAIT_SECONDS} seconds, until there is one.`,
  },
});

/** What to do about a cursor that has expired. */
export const BEGIN_AGAIN =
  'Begin again without after: the first load contains everything that is listed.';

const number = z.int().describe('Advances with every change of the account.');

function page<Change extends z.ZodType>(id: string, change: Change) {
  return namedObject(id, {
    changes: z.array(change).describe('In the order of the changes, each property or unit once.'),
    next: z.string().describe('`after` of the next request. It does not expire.'),
    has_more: z.boolean().describe('Whether more changes follow at once.'),
    as_of: time,
  });
}

export const propertyChanges = page(
  'PropertyChanges',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('changed'),
      id: z.string(),
      number,
      property: z
        .looseObject({})
        .describe(
          'The property as it is now, in the form of `lindero export`, with the status, sale ' +
            'price and directions of its unit. A reader gets what feeds show.',
        ),
    }),
    z.object({ kind: z.literal('removed'), id: z.string(), number }),
  ]),
);

export const unitChanges = page(
  'UnitChanges',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('changed'), number, unit }),
    z.object({
      kind: z.literal('removed'),
      number,
      development_id: z.string(),
      UntName: z.string(),
    }),
  ]),
);
