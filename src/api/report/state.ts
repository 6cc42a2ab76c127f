import { readReportState } from '../../db/accounts/overview.ts';
import { RULES } from '../../rules/all.ts';
import type { PartialReport } from '../../rules/check.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import type { ReportSettings } from '../../rules/report.ts';

/** Time for which a new price is doubted. */
const DOUBTED_SECONDS = 30 * 86_400;

/** What the reports on an account depend on apart from its properties. */
export interface AccountState {
  readonly settings: ReportSettings;
  /** What only the database knows: prices that have jumped. */
  readonly part: PartialReport;
}

/** @throws what D1 throws */
export async function loadAccountState(db: D1Database, accountId: number): Promise<AccountState> {
  const { portals, muted, jumps } = await readReportState(db, accountId);
  const priceJumped = jumps.map(({ property, before, after, changedAt }) => ({
    property,
    node: 'price',
    value: `${before} → ${after}`,
    until: changedAt + DOUBTED_SECONDS,
  }));
  return {
    settings: { portals: portals.filter(isPortal), muted: muted.filter(isRule) },
    part: { traces: [], findings: { price_jumped: priceJumped } },
  };
}

export function isPortal(name: string): name is Portal {
  return Object.hasOwn(PORTALS, name);
}

export function isRule(name: string): boolean {
  return RULES.some(({ code }) => code === name);
}
