import { group, serviceCommand } from '../command/command.ts';
import { list } from '../command/print.ts';

interface Key {
  readonly kid: string;
  readonly signs: boolean;
}

export const key = group(
  'key',
  'See the keys that sign access tokens; npm run deploy -- --rotate-keys replaces them',
  [
    serviceCommand({
      command: 'list',
      describe: 'List the keys: one signs, the others still verify tokens',
      async run(_, { client }) {
        const { keys } = await client.get('/v1/operator/keys');
        return list<Key>('keys', keys, ['kid'], {
          USE: ({ signs }) => (signs ? 'signs' : 'verifies'),
        });
      },
    }),
  ],
);
