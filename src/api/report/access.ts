import { findAccount } from '../../db/accounts/accounts.ts';
import type { Manifest } from '../../db/feed/manifest.ts';
import { knownCaller, verify } from '../../feed/access/callers.ts';
import { loadManifest, rememberManifest } from '../../feed/manifest/manifest-cache.ts';
import { keyDigest } from '../../feed/request/credentials.ts';
import { DependencyUnavailable } from '../../lib/unavailable.ts';
import { requireFeedAccess } from '../feed-access.ts';
import { FINDINGS_SET } from './load.ts';

/** The account that a report is on. */
interface ReportedAccount {
  readonly code: string;
  readonly manifest: Manifest;
}

export const WRONG_PASSWORD = 'The account or the password is wrong.';

/** Middleware that requires the account's password by Basic, or an access token. A reader's key is no password here. */
export const requireReportAccess = requireFeedAccess<ReportedAccount>({
  scope: 'feeds:read',
  detail: WRONG_PASSWORD,
  ofClient: async (c, accountId) => {
    const code = (await findAccount(c.env.DB, { id: accountId }))?.code;
    if (code === undefined) return null;
    const { manifest } = await loadManifest(c.env.DB, code, FINDINGS_SET, Date.now());
    return manifest && { code, manifest };
  },
  ofFeed: async (c, credentials) => {
    const { account: code, password } = credentials;
    if (keyDigest(password) !== null) return null;
    const now = Date.now();
    const found = await loadManifest(c.env.DB, code, FINDINGS_SET, now);
    const verdict = await verify(credentials, found, false, now);
    if (verdict.kind === 'unverifiable') throw new DependencyUnavailable('password: it cannot be verified');
    if (verdict.kind !== 'authorized') return null;
    rememberManifest(code, FINDINGS_SET, found);
    return { code, manifest: verdict.manifest };
  },
  isVerified: (credentials) => knownCaller(credentials) !== undefined,
});
