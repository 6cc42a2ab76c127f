import { findAccountId } from '../../accounts/accounts.ts';
import { DEMO_KEY } from '../../demo/key.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { readerFeed } from '../../readers/api/reader.ts';
import { type NewAgency, openAgency } from '../accounts.ts';
import { beginEvents } from './dates.ts';

const NAMES = { DEMO: 'Costa Sur Inmobiliaria', OTHER: 'Mar Verde Homes' } as const;

/** The agency `DEMO`, password `demo`, or `OTHER`, password `other`, with its client and its reader. */
export function demoAgency(code: keyof typeof NAMES): NewAgency {
  const login = code.toLowerCase();
  return {
    account: { code, name: NAMES[code], password: login },
    clients: [{ id: `${login}-client`, secret: `${login}-secret`, scopes: SCOPES }],
    readers: code === 'DEMO' ? [portal()] : [],
  };
}

/** A portal that gets the sale feed in version 3 with U and P alone. */
function portal() {
  const feed = readerFeed({ preset: 'FV=3&Language=1,2&T=SALE', fixed: false, channelId: null });
  if ('errors' in feed) throw new Error(JSON.stringify(feed.errors));
  const title = 'Costa del Sol Homes';
  return { name: 'portal', title, ...feed, digest: sha256Hex(DEMO_KEY) };
}

/**
 * Creates the demo agencies that do not exist, and returns their codes. What has happened at DEMO is
 * written once its portfolio has been imported. For development only: their secrets are public.
 */
export async function openDemo(db: D1Database, now: EpochSeconds): Promise<string[]> {
  const created: string[] = [];
  for (const code of ['DEMO', 'OTHER'] as const) {
    if ((await findAccountId(db, code)) !== null) continue;
    if (code === 'DEMO') await beginEvents(db, now);
    await openAgency(db, demoAgency(code));
    created.push(code);
  }
  return created;
}
