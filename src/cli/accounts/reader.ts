import type { InferredOptionTypes } from 'yargs';
import { OTHER_FORMATS } from '../../feed/formats/formats.ts';
import { OFFERS } from '../../properties/offers.ts';
import { READER_KINDS } from '../../properties/restrictions.ts';
import { group } from '../command/command.ts';
import { choice, listIn, NONE, number, POLICY, text, texts } from '../command/options.ts';
import { fields, list, shownOnce, stateOf } from '../command/print.ts';
import { deletion, listing, request, statedIn, toggles } from '../command/request.ts';
import type { Body, ServiceClient } from '../service/client.ts';

const READER = '/v1/readers/{reader}';

/** How many days of counts the text shows; the JSON document has all. */
const SHOWN_DAYS = 7;

const range = (describe: string) =>
  ({ type: 'string', requiresArg: true, describe: `${describe}, or ${NONE}` }) as const;

/** Rules that select properties. */
const RULES = {
  offers: {
    ...texts(`Give it only properties for one of these offers, or ${NONE} for all`),
    choices: [...OFFERS, NONE],
  },
  types: texts(`Codes of types, of which its properties have one, or ${NONE} for all`),
  towns: texts(`Towns, of which its properties are in one, or ${NONE} for all`),
  features: texts(`Codes of features, all of which its properties have, or ${NONE}`),
  'min-price': range('The lowest price, for a rental a month or a week'),
  'max-price': range('The highest price'),
  photographs: number('How many photographs its properties have at least'),
  include: texts(`Ids of properties that need not fulfil the other rules, or ${NONE}`),
  exclude: texts(`Ids of properties that it does not get, or ${NONE}`),
  selection: { type: 'boolean', describe: 'Takes all rules away with --no-selection' },
} as const;

const OTHERS = {
  preset: text('Feed parameters that apply unless a request gives others, as a query; "" for none'),
  fixed: {
    type: 'boolean',
    describe: 'Requests must not contradict the preset; --no-fixed if they may',
  },
  channel: text('Give it only the properties of this channel; --no-channel for all'),
  ...POLICY,
  kind: choice(
    [...READER_KINDS, NONE],
    'The kind of reader: it does not get listings that are not for that kind',
  ),
} as const;

const SETTINGS = { ...OTHERS, ...RULES } as const;

/** What the options say about a reader. */
function settingsIn(args: InferredOptionTypes<typeof SETTINGS>) {
  // yargs turns --no-channel into false.
  const channel = args.channel as string | false | undefined;
  const settings = {
    ...args,
    channel: channel === false ? null : channel?.toLowerCase(),
    withhold: listIn(args.withhold),
    kind: args.kind === NONE ? null : args.kind,
  };
  const { offers, types, towns, features, include, exclude, photographs } = args;
  const lists = { offers, types, towns, features, include, exclude };
  const price = { min: amountIn(args['min-price']), max: amountIn(args['max-price']) };
  const rules = {
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, listIn(list)])),
    photographs,
    price: Object.values(price).some((amount) => amount !== undefined) ? price : undefined,
  };
  const isGiven = Object.values(rules).some((rule) => rule !== undefined);
  const selection = args.selection === false ? null : isGiven ? rules : undefined;
  return { ...statedIn(settings, OTHERS), ...(selection !== undefined && { selection }) };
}

/** An amount, `null` for {@link NONE}; the API says what is wrong with a text that is none. */
function amountIn(given: string | undefined): number | string | null | undefined {
  if (given === undefined) return undefined;
  if (given === NONE) return null;
  return Number.isNaN(Number(given)) ? given : Number(given);
}

function feedText({ feed, last_delivery, last_seen_at, days }: Body): string {
  const { text } = list<Body>('days', days.slice(0, SHOWN_DAYS), ['date', 'full', 'not_modified']);
  const { at = 'never', ...delivery } = last_delivery ?? {};
  return `\n${fields({ feed, last_delivery: at, ...delivery, last_seen_at })}${text}`;
}

/** A new key, with the URLs of the account's feeds. */
function keyShown(
  { name: reader, key }: Body,
  { account }: { readonly account?: string },
  { service }: ServiceClient,
) {
  const query = `?U=OWNPROPERTIES@${account}&P=${key}`;
  const path = `/CreateXMLFeedV3.asp${query}`;
  const feed = service.origin + path;
  const others = OTHER_FORMATS.map(({ name, file }) => [name, `${service.origin}/${file}${query}`]);
  return shownOnce({ account, reader, key, path, feed, ...Object.fromEntries(others) }, 'key');
}

export const reader = group(
  'reader',
  'Manage readers: portals that fetch a feed, each with its own key',
  [
    request({
      command: 'create <reader>',
      describe:
        "Create a reader for an account's feed, with the account's policy by default, and show its key once",
      examples: {
        'idealista --account COSTA': 'Create a reader with a key for the portal idealista',
        'idealista --account COSTA --preset "FV=3&Language=1,2&T=SALE" --fixed':
          'Create it so that it gets this feed only',
      },
      options: SETTINGS,
      method: 'POST',
      path: '/v1/readers',
      body: (args) => ({ name: args.reader, ...settingsIn(args) }),
      print: keyShown,
    }),
    listing({
      describe:
        "List an account's readers with their last requests and deliveries, and which of them are overdue",
      examples: { '--account COSTA': 'List the readers of COSTA' },
      path: '/v1/readers',
      columns: ['name', 'preset', 'fixed', 'channel', 'keys', 'last_seen_at', 'last_delivery_at'],
      more: {
        STATE: (reader) => (reader.overdue && !reader.disabled ? 'overdue' : stateOf(reader)),
      },
    }),
    request({
      command: 'show <reader>',
      describe: 'Show a reader, and its last delivery, last request and daily counts for each feed',
      examples: { 'idealista --account COSTA': 'See when idealista last fetched the feed' },
      method: 'GET',
      path: READER,
      print: ({ feeds, format_settings: _, ...view }) => ({
        json: { ...view, feeds },
        text: fields(view) + feeds.map(feedText).join(''),
      }),
    }),
    request({
      command: 'visits <reader>',
      describe: 'Show what a reader was answered: its last requests, newest first',
      examples: { 'idealista --account COSTA': 'See what idealista got, and when' },
      method: 'GET',
      path: `${READER}/visits`,
      print: ({ visits }) =>
        list<Body>('visits', visits, [
          'at',
          'until',
          'requests',
          'answer',
          'status',
          'records',
          'bytes',
          'program',
        ]),
    }),
    request({
      command: 'update <reader>',
      describe:
        'Change what a reader gets; its feed shows the change within a second, and its keys remain valid',
      examples: {
        'idealista --account COSTA --preset "FV=3&T=SALE" --fixed': 'Give it this feed only',
        'idealista --account COSTA --no-channel': 'Give it all properties',
      },
      options: SETTINGS,
      method: 'PATCH',
      path: READER,
      body: settingsIn,
      print: ({ name: reader, preset, fixed, channel, withhold, place, kind, selection }) => ({
        json: { reader, preset, fixed, channel, withhold, place, kind, selection },
      }),
    }),
    request({
      command: 'rotate <reader>',
      describe:
        'Create a new key for a reader, and show it once; the old ones expire later, or when they are revoked',
      examples: {
        'idealista --account COSTA': 'Create a new key; the old one stays valid for 14 days',
        'idealista --account COSTA --old-key-days 0':
          'Create a new key; the old one is rejected within a second',
      },
      options: { 'old-key-days': number('Days for which the old keys stay valid; 14 by default') },
      method: 'POST',
      path: `${READER}/rotate`,
      print: keyShown,
    }),
    request({
      command: 'revoke <reader>',
      describe: 'Revoke all keys of a reader except the newest; they are rejected within a second',
      examples: {
        'idealista --account COSTA': 'Revoke the old key, once idealista uses the new one',
      },
      method: 'POST',
      path: `${READER}/revoke`,
      print: ({ name: reader, keys }) => ({ json: { reader, keys } }),
    }),
    ...toggles(
      'reader',
      'Disable a reader; its keys are rejected within a second',
      'idealista --account COSTA',
      (disabled) => ({
        method: 'POST',
        path: `${READER}/${disabled ? 'disable' : 'enable'}`,
      }),
    ),
    deletion('reader', READER, 'Delete a reader and its keys, which are rejected within a second', {
      'idealista --account COSTA': 'Delete the reader idealista',
    }),
  ],
);
