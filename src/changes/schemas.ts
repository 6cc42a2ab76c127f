import * as z from 'zod';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../api/requests.ts';
import { integerParameter, named, namedObject, optionalHeaders, time } from '../api/schemas.ts';
import { because } from '../messages/messages.ts';
import { property } from '../properties/api/schemas.ts';
import { labels, labelsParameter } from '../properties/api/vocabulary.ts';
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

function page<Change extends z.ZodType, More extends z.ZodRawShape>(
  id: string,
  change: Change,
  more: More = {} as More,
) {
  return namedObject(id, {
    changes: z.array(change).describe('In the order of the changes, each property or unit once.'),
    next: z.string().describe('`after` of the next request. It does not expire.'),
    has_more: z.boolean().describe('Whether more changes follow at once.'),
    as_of: time,
    ...more,
  });
}

/** The query of a request for changes of properties. */
export const propertyChangesQuery = changesQuery.extend({ labels: labelsParameter });

const shownProperty = named(
  'ShownProperty',
  property
    .partial()
    .required({ kind: true, id: true })
    .describe(
      'The property as it is now, in the form of `lindero export`, with the status, sale price ' +
        'and directions of its unit. A reader gets the fields that feeds show.',
    ),
);

export const propertyChanges = page(
  'PropertyChanges',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('changed'),
      id: z.string(),
      number,
      property: shownProperty,
    }),
    z.object({ kind: z.literal('removed'), id: z.string(), number }),
  ]),
  { labels: labels.optional() },
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
