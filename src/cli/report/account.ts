import { checkAccount } from '../../api/report/load.ts';
import { loadAccountState } from '../../api/report/state.ts';
import { readSegments } from '../../db/operator/inspect.ts';
import { exportPortfolio } from '../../db/portfolio/export.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { PartialReport } from '../../rules/check.ts';
import { makeReport } from '../../rules/report.ts';
import { accountCommand } from '../command/account.ts';
import { Failure } from '../command/failure.ts';
import { withProgress } from '../import/progress.ts';
import { findGoneLinks, type Link, linksOf } from './links.ts';
import { REPORT_OPTIONS, reportFilter, reportResult } from './result.ts';

export const report = accountCommand({
  command: 'report',
  describe: "Check an account's listed properties for what portals reject or misread",
  options: REPORT_OPTIONS,
  async run(args, { db, accountId, code }) {
    const filter = reportFilter(args);
    const { segments, disabled, now } = await readSegments(db, accountId);
    if (disabled) throw new Failure('disabled', `Account ${code} is disabled, so it has no feeds.`);
    const parts = await checkAccount(db, accountId, segments);
    const { settings, part } = await loadAccountState(db, accountId);
    const gone = args.links ? [await findGone(db, accountId, args.progress)] : [];
    const made = makeReport([...parts, part, ...gone], { ...settings, ...filter }, 'en', now);
    return reportResult(made, filter, { json: { account: code }, text: '', errors: 0 });
  },
});

async function findGone(db: D1Database, accountId: number, showsProgress: boolean): Promise<PartialReport> {
  const links: Link[] = [];
  for await (const document of exportPortfolio(db, accountId)) {
    if (document.kind === 'property' && isListed(document)) links.push(...linksOf(document));
  }
  return withProgress(showsProgress, (progress) => findGoneLinks(links, progress));
}

function isListed({ status, unit }: PropertyDocument): boolean {
  return status !== 'Withdrawn' && (status !== 'Sold' || unit !== null);
}
