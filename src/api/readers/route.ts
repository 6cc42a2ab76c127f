import type { Context } from 'hono';
import { readerPolicyOf } from '../../db/accounts/accounts.ts';
import { readFormatSettings } from '../../db/accounts/formats.ts';
import { findChannelId } from '../../db/readers/channels.ts';
import { findPropertyRevisions, listDeliveries } from '../../db/readers/deliveries.ts';
import {
  createReader,
  deleteReader,
  findReader,
  listReaders,
  type ReaderAddress,
  revokeOldKeys,
  rotateKey,
  setReaderDisabled,
} from '../../db/readers/readers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { byName } from '../../http/schemas.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { changedPolicy } from '../../portfolio/policy.ts';
import { existing, type FieldError, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { readerHoldings } from '../deliveries/holding.ts';
import { changeReader, DAY_SECONDS, newReader } from './reader.ts';
import {
  byProperty,
  NOTHING_IS_FIXED,
  newReaderBody,
  propertyDeliveries,
  readerChangeBody,
  readerRotationBody,
  readersPage,
  readerWithFeeds,
  readerWithKey,
} from './schemas.ts';
import { feedView, readerView, readerViews } from './view.ts';

const READERS = '/v1/readers';
const READER = `${READERS}/{reader}` as const;
const MAX_BYTES = 16 * 1024;
const READ = { middleware: requireScope('readers:read') };
const WRITE = { middleware: requireScope('readers:write'), limited: true } as const;

const params = byName('reader', 'idealista');

const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

/** The reader of the examples, as lists show it. */
const SUMMARY = {
  name: 'idealista',
  preset: 'FV=3&T=SALE',
  fixed: true,
  channel: null,
  withhold: ['price_minimum', 'commission', 'email'],
  place: 'exact' as const,
  kind: null,
  disabled: false,
  created_at: '2026-11-22T09:30:00Z',
  keys: 1,
  old_keys_expire_at: null,
  last_visit_at: null,
  last_delivery_at: null,
  usual_interval: null,
  late: false,
};

const IDEALISTA = { ...SUMMARY, feeds: [], format_settings: {} };

/** Manages the readers of the account that the token belongs to. */
export const readers = new Api('Readers');

readers.write({
  method: 'post',
  path: READERS,
  operationId: 'createReader',
  summary: 'Create a reader',
  description:
    'A portal or program that fetches the account’s feed, with a key that it uses instead of the account’s password. ' +
    'The response contains the key; no later one does.',
  ...WRITE,
  request: { body: json(newReaderBody, MAX_BYTES) },
  responses: { 201: ok(readerWithKey, 'The reader with its key.', 'Location') },
  problems: {
    reader_in_use: {
      description: 'the name is in use.',
      detail: 'The account already has a reader idealista.',
      request: { body: { name: 'idealista' } },
    },
    invalid_fields: {
      request: { body: { name: 'fotocasa', presets: 'FV=3' } },
      errors: [{ pointer: '/presets', detail: 'is not a known field' }],
    },
  },
  examples: {
    created: {
      request: { body: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true } },
      body: { ...IDEALISTA, key: KEY },
    },
  },
  handle: async (c, { body }) => {
    const { channel, withhold, place, kind, ...others } = body;
    const { accountId } = c.var.caller;
    const channelId = await channelIdOf(c, channel);
    const policy = changedPolicy(await readerPolicyOf(c.env.DB, accountId), { withhold, place, kind });
    const created = newReader({ ...others, accountId, channelId, policy });
    if ('errors' in created) throw invalidPreset(created.errors);
    const { reader, key } = created;
    if (!(await changing(c, createReader(c.env.DB, reader)))) {
      throw new ProblemError({ code: 'reader_in_use', detail: `The account already has a reader ${reader.name}.` });
    }
    const headers = { Location: `${READERS}/${reader.name}` };
    return { status: 201, body: { ...(await current(c, reader)), key }, headers };
  },
});

readers.list({
  path: READERS,
  operationId: 'listReaders',
  summary: 'List readers',
  description: 'Ordered by name.',
  ...READ,
  responses: { 200: ok(readersPage, 'The account’s readers.', 'Link') },
  examples: { readers: { body: { readers: [SUMMARY] } } },
  handle: async (c, _, after, limit) => {
    const { accountId } = c.var.caller;
    const found = await listReaders(c.env.DB, accountId, after, limit);
    const views = await readerViews(c.env.DB, accountId, found, nowInSeconds());
    return views.map((view) => [view.name, view]);
  },
});

readers.read({
  path: READER,
  operationId: 'getReader',
  summary: 'Get a reader',
  description: 'With what it was given of each feed that it has requested.',
  ...READ,
  request: { params },
  responses: { 200: ok(readerWithFeeds, 'The reader.') },
  examples: { reader: { body: IDEALISTA } },
  handle: async (c, { params }) => ({ body: await current(c, addressOf(c, params)) }),
});

readers.write({
  method: 'post',
  path: `${READER}/rotate`,
  operationId: 'rotateReader',
  summary: 'Create another key',
  description: 'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
  ...WRITE,
  request: { params, body: json(readerRotationBody, MAX_BYTES) },
  responses: { 200: ok(readerWithKey, 'The reader with its new key.') },
  problems: {
    invalid_fields: {
      request: { body: { old_key_days: 366 } },
      errors: [{ pointer: '/old_key_days', detail: 'must be an integer from 0 to 365' }],
    },
  },
  examples: {
    rotated: {
      request: { body: { old_key_days: 14 } },
      body: { ...IDEALISTA, keys: 2, old_keys_expire_at: '2026-12-06T09:30:00Z', key: KEY },
    },
  },
  handle: async (c, { params, body }) => {
    const address = addressOf(c, params);
    const key = newReaderKey();
    await changing(c, rotateKey(c.env.DB, address, sha256Hex(key), body.old_key_days * DAY_SECONDS));
    return { body: { ...(await current(c, address)), key } };
  },
});

/** Changes without a body, by the last segment of their paths. */
const CHANGES = {
  revoke: {
    operationId: 'revokeOldKeys',
    summary: 'Revoke old keys',
    description: 'All but the newest are rejected within a second.',
    change: revokeOldKeys,
    after: IDEALISTA,
  },
  disable: {
    operationId: 'disableReader',
    summary: 'Disable a reader',
    description: 'Its keys are rejected within a second.',
    change: (db: D1Database, address: ReaderAddress) => setReaderDisabled(db, address, true),
    after: { ...IDEALISTA, disabled: true },
  },
  enable: {
    operationId: 'enableReader',
    summary: 'Enable a reader',
    description: 'Its keys are accepted again.',
    change: (db: D1Database, address: ReaderAddress) => setReaderDisabled(db, address, false),
    after: IDEALISTA,
  },
};

for (const [verb, { change, after, ...documented }] of Object.entries(CHANGES)) {
  readers.write({
    ...documented,
    method: 'post',
    path: `${READER}/${verb}`,
    ...WRITE,
    request: { params },
    responses: { 200: ok(readerWithFeeds, 'The reader’s current state.') },
    examples: { [verb]: { body: after } },
    handle: async (c, { params }) => {
      const address = addressOf(c, params);
      await changing<unknown>(c, change(c.env.DB, address));
      return { body: await current(c, address) };
    },
  });
}

readers.write({
  method: 'patch',
  path: READER,
  operationId: 'changeReader',
  summary: 'Change what a reader gets',
  description:
    'Its preset, whether that is fixed, its channel, and what it may see; a field that is not given stays. Its feed shows the change ' +
    'within a second; its keys stay as they are.',
  ...WRITE,
  request: { params, body: json(readerChangeBody, MAX_BYTES) },
  responses: { 200: ok(readerWithFeeds, 'The reader’s current state.') },
  problems: {
    invalid_fields: {
      request: { body: { preset: 'FV=9' } },
      errors: [{ pointer: '/preset', detail: "FV is '9'; allowed: 1, 2, 3" }],
    },
  },
  examples: {
    changed: {
      request: { body: { preset: 'FV=3&T=RENT' } },
      body: { ...IDEALISTA, preset: 'FV=3&T=RENT' },
    },
  },
  handle: async (c, { params, body: { channel, ...given } }) => {
    const address = addressOf(c, params);
    const change = { ...given, ...(channel !== undefined && { channelId: await channelIdOf(c, channel) }) };
    const result = await changing(c, changeReader(c.env.DB, address, change));
    if (result === 'nothing is fixed') throw invalid(NOTHING_IS_FIXED);
    if (typeof result === 'object') throw invalidPreset(result.errors);
    return { body: await current(c, address) };
  },
});

readers.write({
  method: 'delete',
  path: READER,
  operationId: 'deleteReader',
  summary: 'Delete a reader',
  description: 'Its keys are rejected within a second.',
  ...WRITE,
  request: { params },
  responses: { 204: empty('The reader is deleted.') },
  examples: { deleted: {} },
  handle: async (c, { params }) => {
    const existed = await changing(c, deleteReader(c.env.DB, addressOf(c, params)));
    if (!existed) throw new ProblemError(notFound('reader', params.reader));
    return {};
  },
});

readers.read({
  path: '/v1/properties/{property}/deliveries',
  operationId: 'getPropertyDeliveries',
  summary: 'Which readers have a property',
  description:
    'For each reader and feed: since when it has the current state of the property, or when the state that it still has ' +
    'was delivered.',
  ...READ,
  request: { params: byProperty },
  responses: { 200: ok(propertyDeliveries, 'What each reader has.') },
  examples: {
    deliveries: {
      when: 'the reader exists',
      body: {
        property: 'R4100001',
        deliveries: [{ reader: 'idealista', feed: null, state: 'never delivered' }],
      },
    },
  },
  handle: async (c, { params: { property } }) => {
    const { accountId } = c.var.caller;
    const found = await findPropertyRevisions(c.env.DB, accountId, property);
    const changed = existing(found, notFound('property', property));
    const deliveries = await readerHoldings(c.env.DB, accountId, changed);
    return { body: { property, deliveries }, headers: NOT_CACHED };
  },
});

function addressOf(c: Context<CallerEnv>, { reader: name }: { readonly reader: string }): ReaderAddress {
  return { accountId: c.var.caller.accountId, name };
}

/**
 * A reader's current state with what it was given of each feed.
 *
 * @throws ProblemError if the account has no such reader
 */
async function current(c: Context<CallerEnv>, { accountId, name }: ReaderAddress) {
  const found = existing(await findReader(c.env.DB, { accountId, name }), notFound('reader', name));
  const [feeds, settings] = await Promise.all([
    listDeliveries(c.env.DB, accountId, [name]),
    readFormatSettings(c.env.DB, accountId),
  ]);
  const view = readerView(found, feeds, nowInSeconds());
  return { ...view, feeds: feeds.map(feedView), format_settings: settings };
}

/** The result of a change; even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
function changing<Result>(c: Context<CallerEnv>, change: Promise<Result>): Promise<Result> {
  return change.finally(() => invalidateReaders(c.var.caller.accountId));
}

/**
 * The id of a channel of the account; `null` for all properties.
 *
 * @throws ProblemError if the account has none with this name
 */
async function channelIdOf(c: Context<CallerEnv>, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const id = await findChannelId(c.env.DB, { accountId: c.var.caller.accountId, name });
  if (id !== null) return id;
  throw invalid({ pointer: '/channel', detail: `must be a channel of the account, not ${JSON.stringify(name)}` });
}

function invalidPreset(errors: readonly ParameterError[]): ProblemError {
  return invalid(...errors.map(({ parameter, reason }) => ({ pointer: '/preset', detail: `${parameter} ${reason}` })));
}

function invalid(...errors: readonly FieldError[]): ProblemError {
  return new ProblemError(invalidFields(errors));
}
