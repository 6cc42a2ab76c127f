import { listBackups, openBackup } from '../../backups/store.ts';
import { importPortfolio } from '../../import/import.ts';
import { reportOf } from '../../import/report.ts';
import { isoTime } from '../../lib/time.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { command, group, withEnv } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { table } from '../command/print.ts';

const list = command({
  command: 'list',
  describe: 'List the nightly backups, which are kept for 30 days',
  examples: [['backup list --account COSTA --remote', 'Those of COSTA']],
  options: { account: { ...ACCOUNT, demandOption: false } },
  async run(args, context) {
    const backups = await withEnv(context, args, (env) => listBackups(env.FILES, args.account?.toUpperCase()));
    const rows = backups.map(({ account, day, documents, bytes }) => [account, day, documents ?? 'incomplete', bytes]);
    return { json: { backups }, text: table(['ACCOUNT', 'DAY', 'DOCUMENTS', 'BYTES'], rows) };
  },
});

const restore = command({
  command: 'restore',
  describe: "Make an account's portfolio as it was in a backup; properties that were added since are withdrawn",
  examples: [['backup restore --account COSTA --day 2026-11-23 --remote', 'Restore that night']],
  options: {
    account: ACCOUNT,
    day: { type: 'string', requiresArg: true, describe: 'The day of the backup; the last complete one by default' },
  },
  async run(args, context) {
    const code = args.account.toUpperCase();
    return inAccount(context, args, async (env, accountId) => {
      const complete = (await listBackups(env.FILES, code)).filter(({ documents }) => documents !== null);
      const backup = args.day === undefined ? complete.at(-1) : complete.find(({ day }) => day === args.day);
      if (backup === undefined) {
        throw new Failure('no_backup', `Account ${code} has no complete backup${args.day ? ` of ${args.day}` : ''}.`);
      }
      const { plan, cursor } = await importPortfolio(
        env,
        accountId,
        { open: () => openBackup(env.FILES, backup) },
        {
          now: isoTime(Math.floor(context.now().getTime() / 1_000)),
          ...{ strict: false, replace: true, maxWithdrawn: 100, dryRun: false },
        },
      );
      const report = reportOf(plan, cursor);
      const text = `Account ${code} is as in the backup of ${backup.day}: ${backup.documents} documents.\n`;
      return { json: { code, day: backup.day, ...report }, text };
    });
  },
});

export const backup = group('backup', 'List and restore the nightly backups of accounts', [list, restore]);
