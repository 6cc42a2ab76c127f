import { accountCommand, group } from '../command/command.ts';
import { listing, pathOf } from '../command/request.ts';

const SNAPSHOTS = '/v1/operator/accounts/{account}/snapshots';

export const snapshot = group(
  'snapshot',
  'List or delete cached parts of feeds, which are rebuilt on request',
  [
    listing({
      describe: "List an account's snapshots",
      examples: {
        '--account COSTA': 'List the snapshots of COSTA with their KV keys, sizes and times',
      },
      path: SNAPSHOTS,
      columns: ['key', 'bytes', 'length', 'cached_at', 'last_used_at'],
    }),
    accountCommand({
      command: 'delete',
      describe: "Delete an account's snapshots; feeds are rebuilt when they are next requested",
      examples: { '--account COSTA': 'Delete the snapshots of COSTA' },
      async run(args, { client }) {
        for (let total = 0; ; ) {
          const { deleted } = await client.delete(pathOf(SNAPSHOTS, args));
          total += deleted;
          if (deleted === 0) return { json: { deleted: total } };
        }
      },
    }),
  ],
);
