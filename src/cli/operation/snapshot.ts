import { accountCommand, group } from '../command/command.ts';
import { list } from '../command/print.ts';

const at = (account: string) => `/v1/operator/accounts/${encodeURIComponent(account)}/snapshots`;

export const snapshot = group(
  'snapshot',
  'List or delete cached parts of feeds, which are rebuilt on request',
  [
    accountCommand({
      command: 'list',
      describe: "List an account's snapshots",
      async run(_, { client, account }) {
        const { snapshots } = await client.get(at(account));
        return list('snapshots', snapshots, [
          'key',
          'bytes',
          'length',
          'cached_at',
          'last_used_at',
        ]);
      },
    }),
    accountCommand({
      command: 'delete',
      describe: "Delete an account's snapshots; feeds are rebuilt when they are next requested",
      async run(_, { client, account }) {
        for (let total = 0; ; ) {
          const { deleted } = await client.delete(at(account));
          total += deleted;
          if (deleted === 0) return { json: { deleted: total } };
        }
      },
    }),
  ],
);
