import { readReportState } from '../../accounts/overview.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { isRule } from '../all.ts';
import type { Findings } from '../check.ts';
import { isPortal } from '../portals.ts';

/** How long a price that has jumped is reported, in seconds. */
const DOUBTED_SECONDS = 30 * DAY_SECONDS;

/**
 * What the reports on an account depend on apart from its properties: settings, and the prices that have jumped, which only the
 * database knows.
 */
export async function loadAccountState(db: D1Database, accountId: number) {
  const { portals, muted, jumps } = await readReportState(db, accountId);
  const priceJumped = jumps.map(({ property, before, after, changedAt }) => ({
    property,
    node: 'price',
    value: `${before} → ${after}`,
    until: changedAt + DOUBTED_SECONDS,
  }));
  const findings: Findings = { price_jumped: priceJumped };
  return { settings: { portals: portals.filter(isPortal), muted: muted.filter(isRule) }, findings };
}
