import type { Context } from 'hono';
import type * as z from 'zod';
import { readSetting } from '../../accounts/accounts.ts';
import { clientWriter } from '../../accounts/actor.ts';
import { serveCollection } from '../../api/collection.ts';
import { NOT_CACHED } from '../../api/headers.ts';
import {
  json,
  KIB,
  limitChanges,
  mergePatch,
  pageOf,
  pageQuery,
  typesOf,
} from '../../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  error,
  errors,
  fields,
  missing,
  ok,
  page,
} from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { byName } from '../../api/schemas.ts';
import type { Address } from '../../db/statements.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { newReaderKey } from '../../feed/request/credentials.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { DAY_SECONDS, nowInSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import type { Issue } from '../../messages/parsed.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import {
  existing,
  type FieldError,
  fieldError,
  invalidFields,
  jsonPointer,
  notFound,
  ProblemError,
} from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { findChannelId } from '../channels.ts';
import { listDeliveries } from '../deliveries.ts';
import { changedPolicy, policyIn } from '../policy.ts';
import * as store from '../readers.ts';
import { listVisits, visitCursor } from '../visits.ts';
import { listDeliveredStates } from './delivered-state.ts';
import { unknownNames } from './known-names.ts';
import { changeReader, newReader } from './reader.ts';
import * as schemas from './schemas.ts';
import { feedView, readerView, readerViews, visitView } from './view.ts';

const READ = { tags: ['Readers'], ...withScope('readers:read') };
const WRITE = { tags: ['Readers'], ...withScope('readers:write') };
const READERS = '/v1/readers';
const READER = `${READERS}/{reader}` as const;

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 128 * KIB;

const CHANGE_ERRORS = [...clientChanges('readers:write'), missing('reader')];

const BY_NAME = byName('reader', 'idealista');
const NOW = 'The reader as it is now.';

const SUMMARY: z.output<typeof schemas.reader> = {
  name: 'idealista',
  preset: 'FV=3&T=SALE',
  fixed: true,
  channel: null,
  withhold: ['price_minimum', 'commission', 'email'],
  place: 'exact',
  kind: null,
  selection: null,
  disabled: false,
  created_at: '2026-11-22T09:30:00Z',
  keys: 1,
  old_keys_expire_at: null,
  last_seen_at: null,
  last_delivery_at: null,
  usual_interval: null,
  overdue: false,
};
const IDEALISTA: z.output<typeof schemas.readerWithFeeds> = {
  ...SUMMARY,
  feeds: [],
  format_settings: {},
};
const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

/** Manages the readers of the account that the token belongs to. */
export const readers = new Router();

readers.use(`${READERS}/*`, serves('readers'));
readers.use('/v1/properties/:property/deliveries', serves('deliveries'));

const createReader = createRoute({
  method: 'post',
  path: READERS,
  operationId: 'createReader',
  summary: 'Create a reader',
  description:
    'A portal or program that fetches the account’s feed, with a key that it uses instead of ' +
    'the account’s password. The response contains the key; no later one does.',
  ...WRITE,
  request: {
    body: json(schemas.newReaderBody, MAX_BYTES, {
      created: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true },
    }),
  },
  responses: {
    201: ok(schemas.readerWithKey, 'The reader with its key.', {
      headers: ['Location'],
      examples: { created: { ...IDEALISTA, key: KEY } },
    }),
    ...errors(
      clientChanges('readers:write'),
      body(MAX_BYTES),
      fields({ '/presets': message('unknown_field') }),
      error('reader_in_use', 'the name is in use.', 'The account already has a reader idealista.'),
    ),
  },
});

readers.openapi(createReader, async (c) => {
  const { channel, withhold, place, kind, selection, ...others } = c.req.valid('json');
  await limitChanges(c);
  const { accountId } = c.var.caller;
  const channelId = await channelIdOf(c, channel);
  const usual = await readSetting(c.env.DB, accountId, 'policy');
  const policy = changedPolicy(usual, { withhold, place, kind, selection });
  const unknown = await unknownNames(c.env.DB, accountId, policyIn(policy).selection, null);
  if (unknown.length > 0) throw invalidRules(unknown);
  const created = newReader({ ...others, accountId, channelId, policy });
  if ('errors' in created) throw invalidPreset(created.errors);
  const { name } = created.reader;
  if (!(await changing(c, store.createReader(c.env.DB, created.reader)))) {
    throw new ProblemError({
      code: 'reader_in_use',
      detail: `The account already has a reader ${name}.`,
    });
  }
  const view = { ...(await current(c, { accountId, name })), key: created.key };
  return c.json(view, 201, { ...NOT_CACHED, Location: `${READERS}/${name}` });
});

serveCollection(readers, {
  kind: 'reader',
  tag: 'Readers',
  scope: 'readers',
  list: {
    entry: schemas.reader,
    examples: [SUMMARY],
    async read({ env: { DB }, var: { caller } }, after, limit) {
      const found = await store.listReaders(DB, caller.accountId, after, limit);
      return readerViews(DB, caller.accountId, found, nowInSeconds());
    },
  },
  get: {
    description: 'The reader and what it has received of each feed that it has requested.',
    schema: schemas.readerWithFeeds,
    example: IDEALISTA,
    read: (c, name) => current(c, addressOf(c, name)),
  },
  delete: {
    description: 'Its keys are rejected within a second.',
    remove: (c, name) => changing(c, store.deleteReader(c.env.DB, addressOf(c, name))),
  },
});

const rotateReader = createRoute({
  method: 'post',
  path: `${READER}/rotate`,
  operationId: 'rotateReader',
  summary: 'Create another key',
  description:
    'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
  ...WRITE,
  request: {
    params: BY_NAME,
    body: json(schemas.readerRotationBody, MAX_BYTES, { rotateReader: { old_key_days: 14 } }),
  },
  responses: {
    200: ok(schemas.readerWithKey, 'The reader with its new key.', {
      examples: {
        rotateReader: {
          ...IDEALISTA,
          keys: 2,
          old_keys_expire_at: '2026-12-06T09:30:00Z',
          key: KEY,
        },
      },
    }),
    ...errors(CHANGE_ERRORS, body(MAX_BYTES)),
  },
});

readers.openapi(rotateReader, async (c) => {
  const { old_key_days: days } = c.req.valid('json');
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').reader);
  const key = newReaderKey();
  await changing(c, store.rotateKey(c.env.DB, address, sha256Hex(key), days * DAY_SECONDS));
  return c.json({ ...(await current(c, address)), key }, 200, NOT_CACHED);
});

const revokeOldKeys = createRoute({
  method: 'post',
  path: `${READER}/revoke`,
  operationId: 'revokeOldKeys',
  summary: 'Revoke old keys',
  description: 'All except the newest are rejected within a second.',
  ...WRITE,
  request: { params: BY_NAME },
  responses: {
    200: ok(schemas.readerWithFeeds, NOW, { examples: { revokeOldKeys: IDEALISTA } }),
    ...errors(CHANGE_ERRORS),
  },
});

readers.openapi(revokeOldKeys, async (c) => {
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').reader);
  await changing(c, store.revokeOldKeys(c.env.DB, address));
  return c.json(await current(c, address), 200, NOT_CACHED);
});

const disableReader = createRoute({
  method: 'post',
  path: `${READER}/disable`,
  operationId: 'disableReader',
  summary: 'Disable a reader',
  description: 'Its keys are rejected within a second.',
  ...WRITE,
  request: { params: BY_NAME },
  responses: {
    200: ok(schemas.readerWithFeeds, NOW, {
      examples: { disableReader: { ...IDEALISTA, disabled: true } },
    }),
    ...errors(CHANGE_ERRORS),
  },
});

readers.openapi(disableReader, async (c) => {
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').reader);
  await changing(c, store.setReaderDisabled(c.env.DB, address, true));
  return c.json(await current(c, address), 200, NOT_CACHED);
});

const enableReader = createRoute({
  method: 'post',
  path: `${READER}/enable`,
  operationId: 'enableReader',
  summary: 'Enable a reader',
  description: 'Its keys are accepted again.',
  ...WRITE,
  request: { params: BY_NAME },
  responses: {
    200: ok(schemas.readerWithFeeds, NOW, { examples: { enableReader: IDEALISTA } }),
    ...errors(CHANGE_ERRORS),
  },
});

readers.openapi(enableReader, async (c) => {
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').reader);
  await changing(c, store.setReaderDisabled(c.env.DB, address, false));
  return c.json(await current(c, address), 200, NOT_CACHED);
});

const CHANGE_BODY = mergePatch(schemas.readerChangeBody, MAX_BYTES, {
  changeReader: { preset: 'FV=3&T=RENT' },
});

const patchReader = createRoute({
  method: 'patch',
  path: READER,
  operationId: 'changeReader',
  summary: 'Change what a reader gets',
  description:
    'Its preset, whether that is fixed, its channel, and what it may see; a field that is not ' +
    'given stays. Its feed shows the change within a second; its keys stay as they are.',
  ...WRITE,
  request: { params: BY_NAME, body: CHANGE_BODY },
  responses: {
    200: ok(schemas.readerWithFeeds, NOW, {
      examples: { changeReader: { ...IDEALISTA, preset: 'FV=3&T=RENT' } },
    }),
    ...errors(
      CHANGE_ERRORS,
      body(MAX_BYTES, typesOf(CHANGE_BODY.content)),
      fields({
        '/preset': message('in_preset', {
          parameter: 'FV',
          problem: message('not_allowed', {
            value: '9',
            allowed: message('words', { choices: ['1', '2', '3'] }),
          }),
        }),
      }),
    ),
  },
});

readers.openapi(patchReader, async (c) => {
  const { channel, ...given } = c.req.valid('json');
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').reader);
  const change = {
    ...given,
    ...(channel !== undefined && { channelId: await channelIdOf(c, channel) }),
  };
  const { actor } = clientWriter(c.var.caller);
  const result = await changing(c, changeReader(c.env.DB, address, change, actor));
  if (result === 'fixed without preset') throw invalid(schemas.FIXED_WITHOUT_PRESET);
  if (typeof result === 'object' && 'rules' in result) throw invalidRules(result.rules);
  if (typeof result === 'object') throw invalidPreset(result.errors);
  return c.json(await current(c, address), 200, NOT_CACHED);
});

const listReaderVisits = createRoute({
  method: 'get',
  path: `${READER}/visits`,
  operationId: 'listReaderVisits',
  summary: 'What a reader was answered',
  description:
    'The requests of the last 90 days, newest first: those that got the same answer one after ' +
    'another are one entry. They are recorded up to ten minutes later. A request without a valid ' +
    'key is nobody’s.',
  ...READ,
  request: { params: BY_NAME, query: pageQuery },
  responses: {
    200: ok(schemas.visits, 'What it was answered.', {
      headers: ['Link'],
      examples: {
        visits: {
          visits: [
            {
              at: '2026-11-22T04:10:00Z',
              until: '2026-11-22T04:10:00Z',
              requests: 1,
              answer: 'full',
              status: 200,
              records: 69,
              bytes: 70_000,
              program: 'feed-reader/2.4',
              feed: 'resales?FV=3&T=SALE',
            },
          ],
        },
      },
    }),
    ...errors(clientReads('readers:read'), missing('reader'), page),
  },
});

readers.openapi(listReaderVisits, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const address = addressOf(c, c.req.valid('param').reader);
  const { name } = address;
  existing(await store.findReader(c.env.DB, address), notFound('reader', name));
  const found = await listVisits(c.env.DB, address, nowInSeconds(), limit + 1, cursor);
  const { entries, headers } = pageOf(c, found, limit, visitCursor);
  return c.json({ visits: entries.map(visitView) }, 200, headers);
});

const getPropertyDeliveries = createRoute({
  method: 'get',
  path: '/v1/properties/{property}/deliveries',
  operationId: 'getPropertyDeliveries',
  summary: 'Which readers have a property',
  description:
    'For each reader and feed: since when it has the current state of the property, or when the ' +
    'state that it still has was delivered.',
  ...READ,
  request: { params: schemas.byProperty },
  responses: {
    200: ok(schemas.propertyDeliveries, 'What each reader has.', {
      examples: {
        deliveries: {
          property: 'R4100001',
          deliveries: [{ reader: 'idealista', feed: null, state: 'never delivered' }],
        },
      },
    }),
    ...errors(clientReads('readers:read'), missing('property', 'R0')),
  },
});

readers.openapi(getPropertyDeliveries, async (c) => {
  const { property } = c.req.valid('param');
  const { accountId } = c.var.caller;
  const found = await listDeliveredStates(c.env.DB, accountId, { identifiers: [property] });
  const deliveries = existing(found, notFound('property', property));
  return c.json({ property, deliveries }, 200, NOT_CACHED);
});

function addressOf(c: Context<CallerEnv>, name: string): Address {
  return { accountId: c.var.caller.accountId, name };
}

/** A reader with its feeds. @throws ProblemError if the account has none with this name */
async function current(
  { env: { DB } }: Context<CallerEnv>,
  { accountId, name }: Address,
): Promise<z.output<typeof schemas.readerWithFeeds>> {
  const found = existing(await store.findReader(DB, { accountId, name }), notFound('reader', name));
  const [feeds, settings] = await Promise.all([
    listDeliveries(DB, accountId, [name]),
    readSetting(DB, accountId, 'formatSettings'),
  ]);
  return {
    ...readerView(found, feeds, nowInSeconds()),
    feeds: feeds.map(feedView),
    format_settings: settings,
  };
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
  throw invalid(fieldError('/channel', message('unknown_channel', { name })));
}

function invalidPreset(errors: readonly ParameterError[]): ProblemError {
  return invalid(
    ...errors.map(({ parameter, problem }) =>
      fieldError('/preset', message('in_preset', { parameter, problem })),
    ),
  );
}

function invalidRules(issues: readonly Issue[]): ProblemError {
  return invalid(
    ...issues.map(({ path, message }) => fieldError(jsonPointer(['selection', ...path]), message)),
  );
}

function invalid(...errors: readonly FieldError[]): ProblemError {
  return new ProblemError(invalidFields(errors));
}
