import type { Context } from 'hono';
import { Hono } from 'hono';
import { findChannelId } from '../db/channels.ts';
import { findPropertyRevisions, listDeliveries } from '../db/deliveries.ts';
import {
  createReader,
  deleteReader,
  findReader,
  listReaders,
  type ReaderAddress,
  revokeOldKeys,
  rotateKey,
  setReaderDisabled,
} from '../db/readers.ts';
import { readerHoldings } from '../deliveries/holding.ts';
import { invalidateReaders } from '../feed/manifest/manifest-cache.ts';
import { newReaderKey } from '../feed/request/reader-key.ts';
import { readJson } from '../http/json-body.ts';
import { REVALIDATED } from '../http/page.ts';
import { pageResponse, readPage } from '../http/page-response.ts';
import { sha256Hex } from '../lib/secrets.ts';
import type { EpochSeconds } from '../lib/time.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, problemResponse, tooManyRequests } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { changeReader } from './change-reader.ts';
import { DAY_SECONDS, newReader } from './new-reader.ts';
import { NOTHING_IS_FIXED, parseReader, parseReaderChange, parseRotation, presetErrors } from './request.ts';
import { invalid, mayChange, NOT_CACHED, unavailable } from './responses.ts';
import { feedView, readerView, readerViews } from './view.ts';

const READERS = '/v1/readers';
const READER = `${READERS}/:reader`;
const DELIVERIES = '/v1/properties/:property/deliveries';
const MAX_BYTES = 16 * 1024;

/** Manages the readers of the account that the token belongs to. */
export const readers = new Hono<CallerEnv>();

readers.get(READERS, requireScope('readers:read'), handleList);
readers.post(READERS, requireScope('readers:write'), handleCreate);
readers.get(READER, requireScope('readers:read'), handleGet);
readers.patch(READER, requireScope('readers:write'), handleChange);
readers.delete(READER, requireScope('readers:write'), handleDelete);
readers.post(`${READER}/rotate`, requireScope('readers:write'), handleRotate);
readers.post(`${READER}/revoke`, requireScope('readers:write'), handleRevoke);
readers.post(`${READER}/disable`, requireScope('readers:write'), (c) => handleDisabled(c, true));
readers.post(`${READER}/enable`, requireScope('readers:write'), (c) => handleDisabled(c, false));
readers.get(DELIVERIES, requireScope('readers:read'), handleDeliveries);
readers.on('ALL', DELIVERIES, () => methodNotAllowed('GET, HEAD'));
readers.on('ALL', READERS, () => methodNotAllowed('GET, HEAD, POST'));
readers.on('ALL', READER, () => methodNotAllowed('GET, HEAD, PATCH, DELETE'));
readers.on(
  'ALL',
  ['rotate', 'revoke', 'disable', 'enable'].map((operation) => `${READER}/${operation}`),
  () => methodNotAllowed('POST'),
);

readers.onError(unavailable);

async function handleList(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  const { accountId } = c.var.caller;
  const found = await orUnavailable('readers', listReaders(c.env.DB, accountId, page.cursor ?? null, page.limit + 1));
  const views = await orUnavailable('deliveries', readerViews(c.env.DB, accountId, found, now()));
  return pageResponse(c, page, 'readers', views, (last) => last.name);
}

async function handleGet(c: Context<CallerEnv>): Promise<Response> {
  return current(c, {}, REVALIDATED);
}

/** Creates a reader and responds with its key, which no later response contains. */
async function handleCreate(c: Context<CallerEnv>): Promise<Response> {
  const body = await readJson(c, MAX_BYTES);
  if (body instanceof Response) return body;
  const request = parseReader(body);
  if ('errors' in request) return invalid(request.errors);
  const { accountId } = c.var.caller;
  const { channel, ...others } = request;
  const channelId = await channelIdOf(c, channel);
  if (channelId instanceof Response) return channelId;
  const created = newReader({ ...others, accountId, channelId });
  if ('errors' in created) return invalid(presetErrors(created.errors));
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const { reader, key } = created;
  const isStored = await changing(c, createReader(c.env.DB, reader));
  if (!isStored) {
    return problemResponse({ code: 'reader_in_use', detail: `The account already has a reader ${reader.name}.` });
  }
  const stored = await orUnavailable('reader', findReader(c.env.DB, reader));
  if (stored === null) return problemResponse(readerNotFound(reader.name));
  const headers = { ...NOT_CACHED, Location: `${READERS}/${reader.name}` };
  return c.json({ ...readerView(stored, [], now()), feeds: [], key }, 201, headers);
}

/** Changes what a reader gets. */
async function handleChange(c: Context<CallerEnv>): Promise<Response> {
  const body = await readJson(c, MAX_BYTES);
  if (body instanceof Response) return body;
  const request = parseReaderChange(body);
  if ('errors' in request) return invalid(request.errors);
  const { channel, ...others } = request;
  const channelId = channel === undefined ? undefined : await channelIdOf(c, channel);
  if (channelId instanceof Response) return channelId;
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const change = { ...others, ...(channelId === undefined ? {} : { channelId }) };
  const result = await changing(c, changeReader(c.env.DB, addressOf(c), change));
  if (result === 'not found') return notFound(c);
  if (result === 'nothing is fixed') return invalid([NOTHING_IS_FIXED]);
  return result === 'changed' ? current(c) : invalid(presetErrors(result.errors));
}

/** The id of a channel of the account, or an error response if it has none with this name. */
async function channelIdOf(c: Context<CallerEnv>, name: string | null): Promise<number | null | Response> {
  if (name === null) return null;
  const id = await orUnavailable('channel', findChannelId(c.env.DB, { accountId: c.var.caller.accountId, name }));
  const detail = `must be a channel of the account, not ${JSON.stringify(name)}`;
  return id ?? invalid([{ pointer: '/channel', detail }]);
}

async function handleDelete(c: Context<CallerEnv>): Promise<Response> {
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const existed = await changing(c, deleteReader(c.env.DB, addressOf(c)));
  return existed ? c.body(null, 204) : notFound(c);
}

/** Creates another key, and responds with it. */
async function handleRotate(c: Context<CallerEnv>): Promise<Response> {
  const body = await readJson(c, MAX_BYTES);
  if (body instanceof Response) return body;
  const days = parseRotation(body);
  if (typeof days !== 'number') return invalid(days.errors);
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const key = newReaderKey();
  const isRotated = await changing(c, rotateKey(c.env.DB, addressOf(c), sha256Hex(key), days * DAY_SECONDS));
  return isRotated ? current(c, { key }) : notFound(c);
}

async function handleRevoke(c: Context<CallerEnv>): Promise<Response> {
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const revoked = await changing(c, revokeOldKeys(c.env.DB, addressOf(c)));
  return revoked === null ? notFound(c) : current(c);
}

async function handleDisabled(c: Context<CallerEnv>, disabled: boolean): Promise<Response> {
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const exists = await changing(c, setReaderDisabled(c.env.DB, addressOf(c), disabled));
  return exists ? current(c) : notFound(c);
}

/** Which readers have the current state of a property. */
async function handleDeliveries(c: Context<CallerEnv>): Promise<Response> {
  const { accountId } = c.var.caller;
  const id = c.req.param('property')!;
  const changed = await orUnavailable('property', findPropertyRevisions(c.env.DB, accountId, id));
  if (changed === null) {
    return problemResponse({
      code: 'property_not_found',
      detail: `The account has no property ${JSON.stringify(id)}.`,
    });
  }
  const deliveries = await orUnavailable('deliveries', readerHoldings(c.env.DB, accountId, changed));
  return c.json({ property: id, deliveries }, 200, NOT_CACHED);
}

/** The reader's current state with what it was given of each feed. */
async function current(
  c: Context<CallerEnv>,
  more: { readonly key?: string } = {},
  headers: Readonly<Record<string, string>> = NOT_CACHED,
): Promise<Response> {
  const address = addressOf(c);
  const found = await orUnavailable('reader', findReader(c.env.DB, address));
  if (found === null) return notFound(c);
  const feeds = await orUnavailable('deliveries', listDeliveries(c.env.DB, address.accountId, [address.name]));
  return c.json({ ...readerView(found, feeds, now()), feeds: feeds.map(feedView), ...more }, 200, headers);
}

function now(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/** The result of a change; even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
async function changing<Result>(c: Context<CallerEnv>, change: Promise<Result>): Promise<Result> {
  try {
    return await orUnavailable('reader change', change);
  } finally {
    invalidateReaders(c.var.caller.accountId);
  }
}

function addressOf(c: Context<CallerEnv>): ReaderAddress {
  return { accountId: c.var.caller.accountId, name: c.req.param('reader')! };
}

function notFound(c: Context<CallerEnv>): Response {
  return problemResponse(readerNotFound(c.req.param('reader')!));
}

/** The same for readers of other accounts as for those that do not exist. */
function readerNotFound(name: string) {
  return { code: 'reader_not_found', detail: `The account has no reader ${JSON.stringify(name)}.` } as const;
}
