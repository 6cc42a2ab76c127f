import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { ACCOUNT_EVENTS, type AccountEvent } from '../../accounts/events.ts';
import { namedValues } from '../../api/requests.ts';
import { namedObject, time } from '../../api/schemas.ts';

/** Changes that a webhook can receive, with what the `id` of each is. */
const CHANGE_EVENTS = {
  'property.changed': 'the property',
  'property.removed': 'the property, which no feed shows any more',
  'unit.changed': 'the unit, in the development `development_id`',
  'unit.removed': 'the unit, in the development `development_id`',
};

export type WebhookEvent = keyof typeof CHANGE_EVENTS | AccountEvent;

/** The news that a webhook can receive, with what the `id` of each is. */
export const EVENT_SUBJECTS: Readonly<Record<WebhookEvent, string>> = {
  ...CHANGE_EVENTS,
  ...(Object.fromEntries(
    Object.entries(ACCOUNT_EVENTS).map(([type, { subject }]) => [type, subject]),
  ) as Record<AccountEvent, string>),
};

/** The news that a webhook can receive. */
export const EVENTS = Object.keys(EVENT_SUBJECTS) as [WebhookEvent, ...WebhookEvent[]];

/** Maximum number of news in a call. */
export const MAX_NEWS = 100;

const event = namedObject('WebhookEvent', {
  type: z.enum(EVENTS),
  number: z
    .int()
    .describe('The number of the account’s change. A unit and its property have the same.'),
  development_id: z.string().optional().describe('The development of a unit.'),
  id: z
    .string()
    .nullable()
    .describe(
      `What it is about. ${EVENTS.map((type) => `\`${type}\`: ${EVENT_SUBJECTS[type]}`).join('; ')}.`,
    ),
});

const account = z.string().describe('The account’s code.');

/** A call with news. */
export const eventsCall = namedObject('WebhookEventsCall', {
  type: z.literal('events'),
  timestamp: time,
  data: z.object({
    account,
    changes_url: z
      .string()
      .meta({ format: 'uri' })
      .describe('Everything after the last call that was confirmed: properties, for a token.'),
    unit_changes_url: z.string().meta({ format: 'uri' }).describe('The same of units.'),
    events: z
      .array(event)
      .min(1)
      .max(MAX_NEWS)
      .describe('In the order of their numbers. Ignore types that you do not know.'),
  }),
});

/** A call of `POST /v1/webhooks/{webhook}/test`. */
export const pingCall = namedObject('WebhookPingCall', {
  type: z.literal('ping'),
  timestamp: time,
  data: z.object({ account }),
});

/** What a call says: the members that Standard Webhooks recommends. */
export type CallBody = z.output<typeof eventsCall> | z.output<typeof pingCall>;

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'Of the message: a call that is repeated has the same, and the same body.',
    example: 'msg_1795512600_1_3_0_121',
  }),
  'webhook-timestamp': z.string().meta({
    description: 'The time of this attempt, in seconds since 1970. Refuse old ones.',
    example: '1795512600',
  }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`, ' +
      'whose key is what follows `whsec_` in the secret, decoded from base64; several, separated ' +
      'by spaces, while a secret is rotated.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }),
});

const timestamp = '2026-11-24T09:30:00Z';
const EXAMPLE: z.output<typeof eventsCall> = {
  type: 'events',
  timestamp,
  data: {
    account: 'DEMO',
    changes_url: 'https://feeds.example/v1/changes?after=MS4xMjAuMC5wLTEtLUFsbC0wMDAt',
    unit_changes_url: 'https://feeds.example/v1/units/changes?after=MS4xMjAuMC51LTE',
    events: [
      { type: 'property.changed', number: 121, id: 'R4100001' },
      { type: 'unit.changed', number: 121, development_id: 'sol-azul', id: 'A-101' },
    ],
  },
};
const PING: z.output<typeof pingCall> = { type: 'ping', timestamp, data: { account: 'DEMO' } };

/** A call as the OpenAPI document describes it: what a receiver gets, and what its answer means. */
function describedCall<Schema extends z.ZodType>(
  path: string,
  operationId: string,
  summary: string,
  description: string,
  schema: Schema,
  example: z.output<Schema>,
): RouteConfig {
  const content = { 'application/json': { schema, examples: namedValues({ [path]: example }) } };
  return {
    method: 'post',
    path,
    operationId,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    request: { headers, body: { required: true, content } },
    responses: {
      '2XX': { description: 'It has been received. Answer within ten seconds.' },
      410: { description: 'The webhook is disabled.' },
      default: {
        description:
          'Everything else, redirects included: the call is repeated after 5 s, 20 s, … up to 4 ' +
          'hours, for three days. Then the webhook is disabled.',
      },
    },
  };
}

/** The calls of webhooks. */
export const calls: readonly RouteConfig[] = [
  describedCall(
    'events',
    'receiveEvents',
    'News of the account',
    `Up to ${MAX_NEWS} news since the last call that was confirmed, of the kinds that the webhook ` +
      'is for, at least once and in their order. Of several changes of one property, only the ' +
      'last has to arrive.',
    eventsCall,
    EXAMPLE,
  ),
  describedCall(
    'ping',
    'receivePing',
    'A test',
    'It has no news. `POST /v1/webhooks/{webhook}/test` returns what the receiver answers.',
    pingCall,
    PING,
  ),
];
