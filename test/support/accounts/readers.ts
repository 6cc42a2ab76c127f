import { env } from 'cloudflare:workers';
import type { Address } from '../../../src/db/statements.ts';
import { newReader } from '../../../src/readers/api/reader.ts';
import { addToChannel, findChannelId } from '../../../src/readers/channels.ts';
import { createReader } from '../../../src/readers/readers.ts';
import { SOMEBODY } from './portfolio.ts';

/** Stores a reader of an account, and returns its key. */
export async function openReader(
  accountId: number,
  name: string,
  preset = '',
  fixed = false,
  channelId: number | null = null,
  policy = '',
): Promise<string> {
  const created = newReader({ accountId, name, preset, fixed, channelId, policy });
  if ('errors' in created) throw new Error(JSON.stringify(created.errors));
  await createReader(env.DB, created.reader);
  return created.key;
}

/** The id of a channel, which is created if the account has none with this name. */
export async function openChannel(db: D1Database, address: Address): Promise<number> {
  await addToChannel(db, address, [], SOMEBODY);
  return (await findChannelId(db, address))!;
}
