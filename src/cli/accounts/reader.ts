import { accountCommand, group, toggles } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { flag, integer, KIND, number, POLICY, policyGiven, text } from '../command/options.ts';
import { fields, list, shownOnce, stateOf } from '../command/print.ts';

const PRESET = 'Feed parameters that apply unless a request gives others, as a query; "" for none';
const FIXED = 'Requests must not contradict the preset';

/** How many days of counts the text shows; the JSON document has all. */
const SHOWN_DAYS = 7;

const at = (reader: string) => `/v1/readers/${encodeURIComponent(reader)}`;

function keyShown(origin: string, account: string, reader: string, key: string) {
  const query = `?U=OWNPROPERTIES@${account}&P=${key}`;
  const path = `/CreateXMLFeedV3.asp${query}`;
  const [kyero, idealista] = ['kyero.xml', 'idealista.json'].map(
    (file) => `${origin}/${file}${query}`,
  );
  return shownOnce('key', { account, reader, key, path, feed: origin + path, kyero, idealista });
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
type Body = any;

function feedText({ feed, last_delivery, last_seen_at, days }: Body): string {
  const { text } = list<Body>('days', days.slice(0, SHOWN_DAYS), ['date', 'full', 'not_modified']);
  const { at = 'never', ...delivery } = last_delivery ?? {};
  return `\n${fields({ feed, last_delivery: at, ...delivery, last_seen_at })}${text}`;
}

/** What the options say about a reader, without what they do not say. */
function settingsGiven(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const reader = group(
  'reader',
  'Manage readers: portals that fetch a feed, each with its own key',
  [
    accountCommand({
      command: 'create <reader>',
      describe:
        "Create a reader for an account's feed, with the account's policy by default, and show its key once",
      options: {
        preset: { ...text(PRESET), default: '', defaultDescription: 'none' },
        channel: text('Give it only the properties of this channel; all by default'),
        fixed: flag(FIXED),
        ...POLICY,
        ...KIND,
      },
      async run({ reader: name, preset, fixed, channel, ...args }, { client, account }) {
        const settings = settingsGiven({
          name,
          preset,
          fixed,
          channel: channel?.toLowerCase(),
          ...policyGiven(args),
        });
        const { key } = await client.post('/v1/readers', settings);
        return keyShown(client.service.origin, account, name, key);
      },
    }),
    accountCommand({
      command: 'list',
      describe:
        "List an account's readers with their last requests and deliveries, and which of them are overdue",
      async run(_, { client }) {
        const columns = [
          'name',
          'preset',
          'fixed',
          'channel',
          'keys',
          'last_seen_at',
          'last_delivery_at',
        ];
        const state = (reader: Body) =>
          reader.overdue && !reader.disabled ? 'overdue' : stateOf(reader);
        return list<Body>('readers', await client.list('/v1/readers'), columns, { STATE: state });
      },
    }),
    accountCommand({
      command: 'show <reader>',
      describe: 'Show a reader, and its last delivery, last request and daily counts for each feed',
      async run({ reader }, { client }) {
        const { feeds, format_settings: _, ...view } = await client.get(at(reader));
        return { json: { ...view, feeds }, text: fields(view) + feeds.map(feedText).join('') };
      },
    }),
    accountCommand({
      command: 'update <reader>',
      describe:
        'Change what a reader gets; its feed shows the change within a second, and its keys remain valid',
      options: {
        preset: text(PRESET),
        channel: text('Give it only the properties of this channel; --no-channel for all'),
        fixed: { type: 'boolean', describe: `${FIXED}; --no-fixed if they may` },
        ...POLICY,
        ...KIND,
      },
      async run({ reader: name, preset, fixed, ...args }, { client }) {
        // yargs turns --no-channel into false.
        const given = args.channel as string | false | undefined;
        const channel = given === false ? null : given?.toLowerCase();
        const change = settingsGiven({ preset, fixed, channel, ...policyGiven(args) });
        if (Object.keys(change).length === 0) {
          const options =
            '--preset, --fixed, --channel, --no-channel, --withhold, --place or --kind';
          throw usageFailure(`Nothing to change: use ${options}.`);
        }
        const changed = await client.patch(at(name), change);
        const { withhold, place, kind } = changed;
        const json = {
          reader: name,
          preset: changed.preset,
          fixed: changed.fixed,
          channel: changed.channel,
        };
        return { json: { ...json, withhold, place, kind } };
      },
    }),
    accountCommand({
      command: 'rotate <reader>',
      describe:
        'Create a new key for a reader, and show it once; the old ones expire later, or when they are revoked',
      options: {
        'old-key-days': number(14, 'Days for which the old keys stay valid', integer(0)),
      },
      async run({ reader: name, ...args }, { client, account }) {
        const { key } = await client.post(`${at(name)}/rotate`, {
          old_key_days: args['old-key-days'],
        });
        return keyShown(client.service.origin, account, name, key);
      },
    }),
    accountCommand({
      command: 'revoke <reader>',
      describe: 'Revoke all keys of a reader except the newest; they are rejected within a second',
      async run({ reader }, { client }) {
        const { keys } = await client.post(`${at(reader)}/revoke`);
        return { json: { reader, keys } };
      },
    }),
    ...toggles(
      'reader',
      'Disable a reader; its keys are rejected within a second',
      async ({ client }, reader, disabled) => {
        await client.post(`${at(reader)}/${disabled ? 'disable' : 'enable'}`);
        return { reader, disabled };
      },
    ),
    accountCommand({
      command: 'delete <reader>',
      describe: 'Delete a reader and its keys, which are rejected within a second',
      async run({ reader }, { client }) {
        await client.delete(at(reader));
        return { json: { reader, deleted: true } };
      },
    }),
  ],
);
