import { readSegments } from '../../db/operator/segments.ts';
import { checkAccount } from '../../report/load.ts';
import { makeReport } from '../../rules/report.ts';
import { ACCOUNT, accountOf, type CommandResult, command, withEnv } from '../command.ts';
import { Failure } from '../failure.ts';
import { REPORT_OPTIONS, reportFilter } from '../report/options.ts';
import { reportResult } from '../report/result.ts';

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
    return withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const code = args.account.toUpperCase();
      const { segments, disabled, now } = await readSegments(env.DB, accountId);
      if (disabled) throw new Failure('disabled', `Account ${code} is disabled, so it has no feeds.`);
      const parts = await checkAccount(env.DB, accountId, segments);
      return reportResult(makeReport(parts, filter, 'en', now), filter, { json: { account: code }, text: '' });
    });
  },
});
