import type { Context } from 'hono';
import { findChannelId } from '../../db/readers/channels.ts';
import { listDeliveries } from '../../db/readers/deliveries.ts';
import { findReader } from '../../db/readers/readers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import type { CallerEnv } from '../../oauth/bearer.ts';
import { type FieldError, invalidFields, ProblemError } from '../../problem.ts';
import { feedView, readerView } from './view.ts';

/**
 * A reader's current state with what it was given of each feed.
 *
 * @throws ProblemError if the account has no such reader
 */
export async function currentReader(c: Context<CallerEnv>, name: string) {
  const { accountId } = c.var.caller;
  const found = await findReader(c.env.DB, { accountId, name });
  if (found === null) throw readerNotFound(name);
  const feeds = await listDeliveries(c.env.DB, accountId, [name]);
  return { ...readerView(found, feeds, Math.floor(Date.now() / 1_000)), feeds: feeds.map(feedView) };
}

/** The result of a change; even if D1 fails, it may have been committed, so this isolate forgets the account's readers. */
export async function changing<Result>(c: Context<CallerEnv>, change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } finally {
    invalidateReaders(c.var.caller.accountId);
  }
}

/** The same for readers of other accounts as for those that do not exist. */
export function readerNotFound(name: string): ProblemError {
  return new ProblemError({ code: 'reader_not_found', detail: `The account has no reader ${JSON.stringify(name)}.` });
}

/**
 * The id of a channel of the account; `null` for all properties.
 *
 * @throws ProblemError if the account has none with this name
 */
export async function channelIdOf(c: Context<CallerEnv>, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const id = await findChannelId(c.env.DB, { accountId: c.var.caller.accountId, name });
  if (id !== null) return id;
  throw invalid({ pointer: '/channel', detail: `must be a channel of the account, not ${JSON.stringify(name)}` });
}

export function invalidPreset(errors: readonly ParameterError[]): ProblemError {
  return invalid(...errors.map(({ parameter, reason }) => ({ pointer: '/preset', detail: `${parameter} ${reason}` })));
}

export function invalid(...errors: readonly FieldError[]): ProblemError {
  return new ProblemError(invalidFields(errors));
}
