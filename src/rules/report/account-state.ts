import { readReportState } from '../../accounts/overview.ts';
import { DAY_SECONDS, isoDate } from '../../lib/time/time.ts';
import { isRule } from '../all.ts';
import type { Findings } from '../check.ts';
import { pictureDigest } from '../fingerprint.ts';
import { isPortal } from '../portals.ts';

/** How long a price that has jumped is reported, in seconds. */
const DOUBTED_SECONDS = 30 * DAY_SECONDS;

/**
 * What the reports on an account depend on apart from its properties: settings, and what only the database knows, which are the
 * prices that have jumped, and the pictures that nobody can fetch.
 */
export async function loadAccountState(db: D1Database, accountId: number) {
  const { portals, muted, jumps, unavailable: failing } = await readReportState(db, accountId);
  const priceJumped = jumps.map(({ property, before, after, changedAt }) => ({
    property,
    node: 'price',
    value: `${before} → ${after}`,
    until: changedAt + DOUBTED_SECONDS,
  }));
  const findings: Findings = { price_jumped: priceJumped };
  const unavailable = new Map(
    failing.map(({ address, status, since }) => {
      const answer = status === 0 ? '' : `${status}, `;
      return [pictureDigest(address), `${answer}${isoDate(since)}: ${address}`] as const;
    }),
  );
  return {
    unavailable,
    settings: { portals: portals.filter(isPortal), muted: muted.filter(isRule) },
    findings,
  };
}
