import { accountCommand, group, serviceCommand } from '../command/command.ts';
import { confirm } from '../command/confirm.ts';
import { ACCOUNT, text } from '../command/options.ts';
import { list } from '../command/print.ts';
import type { Body } from '../service/client.ts';
import { resultOf } from './import.ts';
import { PROGRESS, withProgress } from './progress.ts';

export const backup = group('backup', 'List and restore the nightly backups of accounts', [
  serviceCommand({
    command: 'list',
    describe: 'List the nightly backups, which are kept for 30 days',
    examples: { '--account COSTA --env production': 'List the backups of COSTA' },
    options: { account: { ...ACCOUNT, demandOption: false } },
    async run({ account }, { client }) {
      const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`;
      const { backups } = await client.get(`/v1/operator/backups${query}`);
      return list<Body>('backups', backups, ['account', 'day', 'bytes'], {
        DOCUMENTS: ({ documents }) => documents ?? 'incomplete',
      });
    },
  }),
  accountCommand({
    command: 'restore',
    describe:
      "Restore an account's portfolio from a backup; properties that were added since then are withdrawn",
    examples: {
      '--account COSTA --day 2026-11-23 --env production': 'Restore the backup of that night',
    },
    options: {
      day: text('The day of the backup; the last complete one by default'),
      progress: PROGRESS,
    },
    async run({ day, progress, ...args }, { client, account, context }) {
      await confirm(
        context,
        args,
        client.service,
        `Replace the portfolio of ${account} by a backup?`,
      );
      const path = `/v1/operator/accounts/${encodeURIComponent(account)}/restore`;
      const started = await client.post(path, day === undefined ? {} : { day });
      const { json, ...result } = await withProgress(progress, (shown) =>
        resultOf(client, started, shown),
      );
      return { ...result, json: { code: account, ...json } };
    },
  }),
]);
