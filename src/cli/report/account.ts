import { readSegments } from '../../db/operator/segments.ts';
import { exportPortfolio } from '../../db/portfolio/export.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { checkAccount } from '../../report/load.ts';
import { loadAccountState } from '../../report/state.ts';
import type { PartialReport } from '../../rules/check.ts';
import { makeReport } from '../../rules/report.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { type CommandResult, command } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { NO_PROGRESS, newProgress } from '../import/progress.ts';
import { findGoneLinks, type Link, linksOf } from './links.ts';
import { REPORT_OPTIONS, reportFilter } from './options.ts';
import { reportResult } from './result.ts';

export const report = command({
  command: 'report',
  describe: "Check an account's listed properties for what portals reject or misread",
  examples: [
    ['report --account COSTA', 'All findings, by rule'],
    ['report --account COSTA --portal kyero --severity error', 'What Kyero rejects'],
    ['report --account COSTA --property R4100001', 'All findings in one property'],
  ],
  options: { account: ACCOUNT, ...REPORT_OPTIONS },
  async run(args, context): Promise<CommandResult> {
    const filter = reportFilter(args);
    return inAccount(context, args, async (env, accountId) => {
      const code = args.account.toUpperCase();
      const { segments, disabled, now } = await readSegments(env.DB, accountId);
      if (disabled) throw new Failure('disabled', `Account ${code} is disabled, so it has no feeds.`);
      const parts = await checkAccount(env.DB, accountId, segments);
      const { settings, part } = await loadAccountState(env.DB, accountId);
      const gone = args.links ? await findGone(env.DB, accountId, args.progress) : [];
      const made = makeReport([...parts, part, ...gone], { ...settings, ...filter }, 'en', now);
      return reportResult(made, filter, { json: { account: code }, text: '', errors: 0 });
    });
  },
});

/** What a listed property links to and no longer exists. */
async function findGone(db: D1Database, accountId: number, showsProgress: boolean): Promise<PartialReport[]> {
  const links: Link[] = [];
  for await (const document of exportPortfolio(db, accountId)) {
    if (document.kind === 'property' && isListed(document)) links.push(...linksOf(document));
  }
  const progress = showsProgress ? newProgress() : NO_PROGRESS;
  try {
    return [await findGoneLinks(links, progress)];
  } finally {
    progress.end();
  }
}

function isListed({ status, unit }: PropertyDocument): boolean {
  return status !== 'Withdrawn' && (status !== 'Sold' || unit !== null);
}
