import type * as z from 'zod';
import { readSetting } from '../../accounts/accounts.ts';
import { json, ok } from '../../api/operation.ts';
import { type Caller, Resource } from '../../api/resource.ts';
import { NOT_CACHED } from '../../api/schemas.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS, nowInSeconds } from '../../lib/time/time.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { existing, type FieldError, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { findChannelId } from '../channels.ts';
import { findPropertyRevisions, listDeliveries } from '../deliveries.ts';
import { changedPolicy } from '../policy.ts';
import * as store from '../readers.ts';
import { listDeliveredStates } from './delivered-state.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { changeReader, newReader } from './reader.ts';
import * as schemas from './schemas.ts';
import { feedView, readerView, readerViews } from './view.ts';

const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

/** The reader of the examples, and as lists show it. */
const IDEALISTA = EXAMPLES.getReader.examples.reader.body;
const { feeds: _, format_settings: __, ...SUMMARY } = IDEALISTA;

/** Manages the readers of the account that the token belongs to. */
export const readers = new Resource(
  'Readers',
  {
    kind: 'reader',
    scope: 'readers',
    schema: schemas.readerWithFeeds,
    example: IDEALISTA,
    entry: { schema: schemas.reader, example: SUMMARY },
    contents: 'The reader and what it has received of each feed that it has requested.',
    list: async ({ env }, account, after, limit) =>
      readerViews(
        env.DB,
        account,
        await store.listReaders(env.DB, account, after, limit),
        nowInSeconds(),
      ),
    find: async ({ env: { DB } }, { accountId, name }) => {
      const found = await store.findReader(DB, { accountId, name });
      if (found === null) return null;
      const [feeds, settings] = await Promise.all([
        listDeliveries(DB, accountId, [name]),
        readSetting(DB, accountId, 'formatSettings'),
      ]);
      return {
        ...readerView(found, feeds, nowInSeconds()),
        feeds: feeds.map(feedView),
        format_settings: settings,
      };
    },
    remove: (c, address) => changing(c, store.deleteReader(c.env.DB, address)),
  },
  EXAMPLES,
);

readers.write({
  method: 'post',
  path: '/v1/readers',
  operationId: 'createReader',
  summary: 'Create a reader',
  description:
    'A portal or program that fetches the account’s feed, with a key that it uses instead of the account’s password. ' +
    'The response contains the key; no later one does.',
  middleware: requireScope('readers:write'),
  limited: true,
  request: { body: json(schemas.newReaderBody, 16 * 1024) },
  responses: { 201: ok(schemas.readerWithKey, 'The reader with its key.', 'Location') },
  examples: {
    created: {
      request: { body: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true } },
      body: { ...IDEALISTA, key: KEY },
    },
  },
  handle: async (c, { body: { channel, withhold, place, kind, ...others } }) => {
    const { accountId } = c.var.caller;
    const channelId = await channelIdOf(c, channel);
    const policy = changedPolicy(await readSetting(c.env.DB, accountId, 'policy'), {
      withhold,
      place,
      kind,
    });
    const created = newReader({ ...others, accountId, channelId, policy });
    if ('errors' in created) throw invalidPreset(created.errors);
    const { name } = created.reader;
    if (!(await changing(c, store.createReader(c.env.DB, created.reader)))) {
      throw new ProblemError({
        code: 'reader_in_use',
        detail: `The account already has a reader ${name}.`,
      });
    }
    const body = { ...(await readers.current(c, { accountId, name })), key: created.key };
    return {
      status: 201,
      body: body as z.input<typeof schemas.readerWithKey>,
      headers: { Location: `/v1/readers/${name}` },
    };
  },
});

readers.reads();

readers.changes('rotate', {
  operationId: 'rotateReader',
  summary: 'Create another key',
  description:
    'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
  body: schemas.readerRotationBody,
  responses: { 200: ok(schemas.readerWithKey, 'The reader with its new key.') },
  sent: { old_key_days: 14 },
  after: { keys: 2, old_keys_expire_at: '2026-12-06T09:30:00Z', key: KEY },
  handle: async (c, address, { old_key_days: days }) => {
    const key = newReaderKey();
    await changing(c, store.rotateKey(c.env.DB, address, sha256Hex(key), days * DAY_SECONDS));
    return { key };
  },
});

readers.changes('revoke', {
  operationId: 'revokeOldKeys',
  summary: 'Revoke old keys',
  description: 'All except the newest are rejected within a second.',
  handle: (c, address) => changing(c, store.revokeOldKeys(c.env.DB, address)),
});

readers.changes('disable', {
  operationId: 'disableReader',
  summary: 'Disable a reader',
  description: 'Its keys are rejected within a second.',
  after: { disabled: true },
  handle: (c, address) => changing(c, store.setReaderDisabled(c.env.DB, address, true)),
});

readers.changes('enable', {
  operationId: 'enableReader',
  summary: 'Enable a reader',
  description: 'Its keys are accepted again.',
  handle: (c, address) => changing(c, store.setReaderDisabled(c.env.DB, address, false)),
});

readers.changes(null, {
  operationId: 'changeReader',
  summary: 'Change what a reader gets',
  description:
    'Its preset, whether that is fixed, its channel, and what it may see; a field that is not given stays. Its feed shows the change ' +
    'within a second; its keys stay as they are.',
  body: schemas.readerChangeBody,
  sent: { preset: 'FV=3&T=RENT' },
  after: { preset: 'FV=3&T=RENT' },
  handle: async (c, address, { channel, ...given }) => {
    const change = {
      ...given,
      ...(channel !== undefined && { channelId: await channelIdOf(c, channel) }),
    };
    const result = await changing(c, changeReader(c.env.DB, address, change));
    if (result === 'fixed without preset') throw invalid(schemas.FIXED_WITHOUT_PRESET);
    if (typeof result === 'object') throw invalidPreset(result.errors);
  },
});

readers.deletes({ description: 'Its keys are rejected within a second.' });

readers.read({
  path: '/v1/properties/{property}/deliveries',
  operationId: 'getPropertyDeliveries',
  summary: 'Which readers have a property',
  description:
    'For each reader and feed: since when it has the current state of the property, or when the state that it still has ' +
    'was delivered.',
  middleware: requireScope('readers:read'),
  request: { params: schemas.byProperty },
  responses: { 200: ok(schemas.propertyDeliveries, 'What each reader has.') },
  handle: async (c, { params: { property } }) => {
    const { accountId } = c.var.caller;
    const found = await findPropertyRevisions(c.env.DB, accountId, property);
    const changed = existing(found, notFound('property', property));
    const deliveries = await listDeliveredStates(c.env.DB, accountId, changed);
    return { body: { property, deliveries }, headers: NOT_CACHED };
  },
});

/** The result of a change; even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
function changing<Result>(c: Caller, change: Promise<Result>): Promise<Result> {
  return change.finally(() => invalidateReaders(c.var.caller.accountId));
}

/**
 * The id of a channel of the account; `null` for all properties.
 *
 * @throws ProblemError if the account has none with this name
 */
async function channelIdOf(c: Caller, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const id = await findChannelId(c.env.DB, { accountId: c.var.caller.accountId, name });
  if (id !== null) return id;
  throw invalid({
    pointer: '/channel',
    detail: `must be a channel of the account, not ${JSON.stringify(name)}`,
  });
}

function invalidPreset(errors: readonly ParameterError[]): ProblemError {
  return invalid(
    ...errors.map(({ parameter, reason }) => ({
      pointer: '/preset',
      detail: `${parameter} ${reason}`,
    })),
  );
}

function invalid(...errors: readonly FieldError[]): ProblemError {
  return new ProblemError(invalidFields(errors));
}
