import type { NewReader } from '../../db/readers.ts';
import { sha256Hex } from '../../lib/secrets.ts';
import { readerFeed } from '../../readers/new-reader.ts';
import { DEMO_KEY } from './reader-key.ts';

/** A portal that gets the sale feed in version 3 with U and P alone. */
export function demoReader(): Omit<NewReader, 'accountId'> {
  const feed = readerFeed({ preset: 'FV=3&Language=1,2&T=SALE', fixed: false, channelId: null });
  if ('errors' in feed) throw new Error(JSON.stringify(feed.errors));
  return { name: 'portal', ...feed, digest: sha256Hex(DEMO_KEY) };
}
