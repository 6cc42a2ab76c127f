import { listBackups, openBackup } from '../../databases/backups/store.ts';
import { importPortfolio } from '../../import/import.ts';
import { isoTime } from '../../lib/time/time.ts';
import { accountCommand, command, group, withEnv } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { ACCOUNT, text } from '../command/options.ts';
import { count, list } from '../command/print.ts';
import { importResult } from './import.ts';

export const backup = group('backup', 'List and restore the nightly backups of accounts', [
  command({
    command: 'list',
    describe: 'List the nightly backups, which are kept for 30 days',
    options: { account: { ...ACCOUNT, demandOption: false } },
    async run(args, context) {
      const backups = await withEnv(context, args, (env) => listBackups(env.FILES, args.account));
      return list('backups', backups, ['account', 'day', 'bytes'], {
        DOCUMENTS: ({ documents }) => documents ?? 'incomplete',
      });
    },
  }),
  accountCommand({
    command: 'restore',
    describe: "Restore an account's portfolio from a backup; properties that were added since then are withdrawn",
    options: { day: text('The day of the backup; the last complete one by default') },
    async run(args, { env, accountId, code, context }) {
      const complete = (await listBackups(env.FILES, code)).filter(({ documents }) => documents !== null);
      const backup = args.day === undefined ? complete.at(-1) : complete.find(({ day }) => day === args.day);
      if (backup === undefined) {
        throw new Failure('no_backup', `Account ${code} has no complete backup${args.day ? ` of ${args.day}` : ''}.`);
      }
      const input = { open: () => openBackup(env.FILES, backup) };
      const report = await importPortfolio(env, accountId, input, {
        actor: { kind: 'operator' },
        now: isoTime(context.now()),
        strict: false,
        replace: true,
        maxWithdrawn: 100,
        dryRun: false,
      });
      const { text, exit } = importResult(report);
      const heading = `Backup of ${backup.day}: ${count(backup.documents!, 'document')}.\n`;
      return { json: { code, day: backup.day, ...report }, text: heading + text, exit };
    },
  }),
]);
