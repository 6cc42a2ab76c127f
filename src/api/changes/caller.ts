import { readManifest } from '../../db/feed/manifest.ts';
import { ALL_STATES, type Audience, statesOf } from '../../db/news/changes.ts';
import { keyDigest } from '../../feed/request/credentials.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { requireFeedAccess } from '../feed-access.ts';

/** Whose changes are asked for, and by whom. */
interface ChangesCaller {
  readonly audience: Audience;
  /** What it may see, if it is a reader, who gets only what feeds show; `null` for a client. */
  readonly policy: string | null;
}

export const NO_KEY = "Send the account's code and a reader's key.";

/** The parameter set of the request for a manifest, of which only the reader is needed. */
const ANY_SET = selectPreset('', null).set;

/**
 * Middleware that requires the key of a reader by Basic, who sees its channel and what its preset selects, or an access
 * token, whose client sees every listed property of its account.
 */
export const requireFollower = requireFeedAccess<ChangesCaller>({
  scope: 'properties:read',
  detail: NO_KEY,
  ofClient: async (_, accountId) => ({
    audience: { accountId, states: ALL_STATES, channel: null, kind: null },
    policy: null,
  }),
  ofFeed: async (c, { account, password }) => {
    const digest = keyDigest(password);
    if (digest === null) return null;
    const { manifest, reader } = await readManifest(c.env.DB, account, ANY_SET, { digest, ofPreset: false });
    if (manifest === null || reader === null) return null;
    const { preset, channel, policy } = reader;
    const states = statesOf(selectPreset(preset, channel).parameters);
    return { audience: { accountId: manifest.accountId, states, channel, kind: policyIn(policy).kind }, policy };
  },
  isVerified: () => false,
});
