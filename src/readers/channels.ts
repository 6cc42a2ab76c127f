import type { Context } from 'hono';
import { Hono } from 'hono';
import {
  type Assigned,
  addToChannel,
  channelProperties,
  deleteChannel,
  findChannelId,
  listChannels,
  openChannel,
  removeFromChannel,
} from '../db/channels.ts';
import { invalidateFeeds } from '../feed/invalidation/invalidate.ts';
import { readJson } from '../http/json-body.ts';
import { REVALIDATED } from '../http/page.ts';
import { pageResponse, readPage } from '../http/page-response.ts';
import { isShortName, SHORT_NAME_RULE } from '../lib/short-name.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, problemResponse, tooManyRequests } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { parseProperties } from './request.ts';
import { invalid, mayChange, NOT_CACHED, unavailable } from './responses.ts';

const CHANNELS = '/v1/channels';
const CHANNEL = `${CHANNELS}/:channel`;
const MAX_BYTES = 512 * 1024;

/** Manages the channels of the account that the token belongs to. */
export const channels = new Hono<CallerEnv>();

channels.get(CHANNELS, requireScope('readers:read'), handleList);
channels.get(CHANNEL, requireScope('readers:read'), handleGet);
channels.delete(CHANNEL, requireScope('readers:write'), handleDelete);
channels.post(`${CHANNEL}/add`, requireScope('readers:write'), handleAdd);
channels.post(`${CHANNEL}/remove`, requireScope('readers:write'), handleRemove);
channels.on('ALL', CHANNELS, () => methodNotAllowed('GET, HEAD'));
channels.on('ALL', CHANNEL, () => methodNotAllowed('GET, HEAD, DELETE'));
channels.on('ALL', [`${CHANNEL}/add`, `${CHANNEL}/remove`], () => methodNotAllowed('POST'));

channels.onError(unavailable);

async function handleList(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  const { accountId } = c.var.caller;
  const found = await orUnavailable('channels', listChannels(c.env.DB, accountId, page.cursor ?? null, page.limit + 1));
  return pageResponse(c, page, 'channels', found, (last) => last.name);
}

async function handleGet(c: Context<CallerEnv>): Promise<Response> {
  const { accountId } = c.var.caller;
  const channelId = await find(c);
  if (channelId === null) return notFound(c);
  const properties = await orUnavailable('channel', channelProperties(c.env.DB, accountId, channelId));
  return c.json({ name: nameOf(c), properties }, 200, REVALIDATED);
}

async function handleDelete(c: Context<CallerEnv>): Promise<Response> {
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const channelId = await find(c);
  if (channelId === null) return notFound(c);
  const readers = await orUnavailable('channel', deleteChannel(c.env.DB, c.var.caller.accountId, channelId));
  if (readers.length === 0) return c.body(null, 204);
  return problemResponse({
    code: 'channel_in_use',
    detail: `The channel ${JSON.stringify(nameOf(c))} is in use by: ${readers.join(', ')}.`,
  });
}

/** Adds properties to a channel, which is created if necessary. */
async function handleAdd(c: Context<CallerEnv>): Promise<Response> {
  const name = nameOf(c);
  if (!isShortName(name)) {
    return problemResponse({
      code: 'bad_parameter',
      detail: `The channel's name must consist of ${SHORT_NAME_RULE}.`,
    });
  }
  const { accountId } = c.var.caller;
  return assign(c, async (properties) => {
    const channelId = await openChannel(c.env.DB, { accountId, name });
    return addToChannel(c.env.DB, accountId, channelId, properties);
  });
}

async function handleRemove(c: Context<CallerEnv>): Promise<Response> {
  const channelId = await find(c);
  if (channelId === null) return notFound(c);
  return assign(c, (properties) => removeFromChannel(c.env.DB, c.var.caller.accountId, channelId, properties));
}

/** Validates the properties of a request, changes their assignment, and responds with how many it has changed. */
async function assign(
  c: Context<CallerEnv>,
  change: (properties: readonly string[]) => Promise<Assigned>,
): Promise<Response> {
  const body = await readJson(c, MAX_BYTES);
  if (body instanceof Response) return body;
  const properties = parseProperties(body);
  if ('errors' in properties) return invalid(properties.errors);
  if (!(await mayChange(c))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  try {
    const { changed, unknown } = await orUnavailable('channel', change(properties));
    return c.json({ channel: nameOf(c), changed, unknown_properties: unknown }, 200, NOT_CACHED);
  } finally {
    // Even if D1 fails: the write may have been committed.
    invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now());
  }
}

function find(c: Context<CallerEnv>): Promise<number | null> {
  const address = { accountId: c.var.caller.accountId, name: nameOf(c) };
  return orUnavailable('channel', findChannelId(c.env.DB, address));
}

function nameOf(c: Context<CallerEnv>): string {
  return c.req.param('channel')!;
}

/** The same for channels of other accounts as for those that do not exist. */
function notFound(c: Context<CallerEnv>): Response {
  const detail = `The account has no channel ${JSON.stringify(nameOf(c))}.`;
  return problemResponse({ code: 'channel_not_found', detail });
}
