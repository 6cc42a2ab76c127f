import { MAX_READERS } from '../../api/deliveries/delivered-state.ts';
import { changeReader, DEFAULT_OLD_KEY_DAYS, MAX_OLD_KEY_DAYS, newReader } from '../../api/readers/reader.ts';
import { feedView, readerView, readerViews } from '../../api/readers/view.ts';
import { readSetting } from '../../db/accounts/accounts.ts';
import { listDeliveries } from '../../db/readers/deliveries.ts';
import * as readers from '../../db/readers/readers.ts';
import { sentences } from '../../feed/formats/parameters.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { changedPolicy, policyIn } from '../../portfolio/policy.ts';
import { accountCommand, commandOn, group, type Scope, toggles } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, integer, KIND, number, POLICY, policyGiven, SERVICE, text } from '../command/options.ts';
import { fields, list, shownOnce, stateOf } from '../command/print.ts';
import { originOf } from '../command/service.ts';
import { channelOf } from './channel.ts';

const PRESET = 'Feed parameters that apply unless a request gives others, as a query; "" for none';
const FIXED = 'Requests must not contradict the preset';

/** How many days of counts the text shows; the JSON document has all. */
const SHOWN_DAYS = 7;

function keyShown(origin: string, account: string, reader: string, key: string) {
  const query = `?U=OWNPROPERTIES@${account}&P=${key}`;
  const path = `/CreateXMLFeedV3.asp${query}`;
  const [kyero, idealista] = ['kyero.xml', 'idealista.json'].map((file) => `${origin}/${file}${query}`);
  return shownOnce('key', { account, reader, key, path, feed: origin + path, kyero, idealista });
}

function feedText({ feed, last_delivery, last_seen_at, days }: ReturnType<typeof feedView>): string {
  const { text } = list('days', days.slice(0, SHOWN_DAYS), ['date', 'full', 'not_modified']);
  const { at = 'never', ...delivery }: Partial<NonNullable<typeof last_delivery>> = last_delivery ?? {};
  return `\n${fields({ feed, last_delivery: at, ...delivery, last_seen_at })}${text}`;
}

async function readerOf({ db, accountId, existing }: Scope, name: string) {
  return existing(await readers.findReader(db, { accountId, name }), 'reader', name);
}

export const reader = group('reader', 'Manage readers: portals that fetch a feed, each with its own key', [
  accountCommand({
    command: 'create <reader>',
    describe: "Create a reader for an account's feed, with the account's policy by default, and show its key once",
    options: {
      preset: { ...text(PRESET), default: '', defaultDescription: 'none' },
      channel: text('Give it only the properties of this channel; all by default'),
      fixed: flag(FIXED),
      ...POLICY,
      ...KIND,
      origin: SERVICE,
    },
    async run({ reader: name, preset, fixed, channel, ...args }, scope) {
      const { db, accountId, code } = scope;
      if (!isShortName(name)) throw usageFailure(`Invalid name: "${name}". It must be ${SHORT_NAME_RULE}.`);
      if (fixed && preset === '') throw usageFailure('--fixed requires --preset.');
      // Before a key is created: if this failed afterwards, the key could not be shown.
      const origin = await originOf(args, scope.context);
      const channelId = channel === undefined ? null : await channelOf(scope, channel.toLowerCase());
      const policy = changedPolicy(await readSetting(db, accountId, 'policy'), policyGiven(args));
      const created = newReader({ accountId, name, preset, fixed, channelId, policy });
      if ('errors' in created) throw usageFailure(`--preset: ${sentences(created.errors)}`);
      if (await readers.createReader(db, created.reader)) return keyShown(origin, code, name, created.key);
      throw new Failure('reader_in_use', `Account ${code} already has a reader ${name}.`);
    },
  }),
  accountCommand({
    command: 'list',
    describe: "List an account's readers with their last requests and deliveries, and which of them are overdue",
    async run(_, { db, accountId, context }) {
      const found = await readers.listReaders(db, accountId, null, MAX_READERS);
      const views = await readerViews(db, accountId, found, context.now());
      const columns = ['name', 'preset', 'fixed', 'channel', 'keys', 'last_seen_at', 'last_delivery_at'] as const;
      const state = (reader: (typeof views)[number]) =>
        reader.overdue && !reader.disabled ? 'overdue' : stateOf(reader);
      return list('readers', views, columns, { STATE: state });
    },
  }),
  accountCommand({
    command: 'show <reader>',
    describe: 'Show a reader, and its last delivery, last request and daily counts for each feed',
    async run({ reader: name }, scope) {
      const deliveries = await listDeliveries(scope.db, scope.accountId, [name]);
      const view = readerView(await readerOf(scope, name), deliveries, scope.context.now());
      const feeds = deliveries.map(feedView);
      return { json: { ...view, feeds }, text: fields(view) + feeds.map(feedText).join('') };
    },
  }),
  accountCommand({
    command: 'update <reader>',
    describe: 'Change what a reader gets; its feed shows the change within a second, and its keys remain valid',
    options: {
      preset: text(PRESET),
      channel: text('Give it only the properties of this channel; --no-channel for all'),
      fixed: { type: 'boolean', describe: `${FIXED}; --no-fixed if they may` },
      ...POLICY,
      ...KIND,
    },
    async run({ reader: name, preset, fixed, ...args }, scope) {
      // yargs turns --no-channel into false.
      const channel = args.channel as string | false | undefined;
      const policy = policyGiven(args);
      if ([preset, fixed, channel, ...Object.values(policy)].every((given) => given === undefined)) {
        const options = '--preset, --fixed, --channel, --no-channel, --withhold, --place or --kind';
        throw usageFailure(`Nothing to change: use ${options}.`);
      }
      const channelId = channel ? await channelOf(scope, channel.toLowerCase()) : channel === false ? null : undefined;
      const address = { accountId: scope.accountId, name };
      const result = await changeReader(scope.db, address, { preset, fixed, channelId, ...policy });
      if (result === 'fixed without preset') throw usageFailure('--fixed requires a preset.');
      if (typeof result === 'object') throw usageFailure(`--preset: ${sentences(result.errors)}`);
      const found = await readerOf(scope, name);
      const { withhold, place, kind } = policyIn(found.policy);
      const json = { reader: name, preset: found.preset, fixed: found.fixed, channel: found.channel };
      return { json: { ...json, withhold, place, kind } };
    },
  }),
  accountCommand({
    command: 'rotate <reader>',
    describe: 'Create a new key for a reader, and show it once; the old ones expire later, or when they are revoked',
    options: {
      'old-key-days': number(
        DEFAULT_OLD_KEY_DAYS,
        `Days for which the old keys stay valid: 0 to ${MAX_OLD_KEY_DAYS}`,
        integer(0, MAX_OLD_KEY_DAYS),
      ),
      origin: SERVICE,
    },
    async run({ reader: name, ...args }, { db, accountId, code, context, existing }) {
      const origin = await originOf(args, context);
      const key = newReaderKey();
      const seconds = args['old-key-days'] * DAY_SECONDS;
      const isThere = await readers.rotateKey(db, { accountId, name }, sha256Hex(key), seconds);
      return keyShown(origin, code, name, existing(isThere ? key : null, 'reader', name));
    },
  }),
  commandOn(
    'revoke',
    'reader',
    'Revoke all keys of a reader except the newest; they are rejected within a second',
    async ({ db, accountId }, name) => {
      const revoked = await readers.revokeOldKeys(db, { accountId, name });
      return revoked === null ? null : { json: { reader: name, revoked } };
    },
  ),
  ...toggles(
    'reader',
    'reader',
    'Disable a reader; its keys are rejected within a second',
    ({ db, accountId }, name, disabled) => readers.setReaderDisabled(db, { accountId, name }, disabled),
  ),
  commandOn(
    'delete',
    'reader',
    'Delete a reader and its keys, which are rejected within a second',
    async ({ db, accountId }, name) =>
      (await readers.deleteReader(db, { accountId, name })) ? { json: { reader: name, deleted: true } } : null,
  ),
]);
