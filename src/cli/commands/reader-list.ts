import { listReaders } from '../../db/readers.ts';
import { MAX_READERS, readerViews } from '../../readers/view.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';
import { presetText } from '../reader.ts';

export const listReadersCommand = command({
  command: 'list',
  describe: "List an account's readers with their last visits and deliveries, and which of them are late",
  examples: [['reader list --account COSTA', 'The readers of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const readers = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const found = await listReaders(env.DB, accountId, null, MAX_READERS);
      return readerViews(env.DB, accountId, found, Math.floor(context.now().getTime() / 1_000));
    });
    return {
      json: { readers },
      text: table(
        ['READER', 'PRESET', 'CHANNEL', 'KEYS', 'LAST VISIT', 'LAST DELIVERY', 'STATE'],
        readers.map(({ name, keys, channel, last_visit_at, last_delivery_at, disabled, late, ...preset }) => [
          name,
          presetText(preset),
          channel ?? 'none',
          keys,
          last_visit_at ?? 'never',
          last_delivery_at ?? 'never',
          disabled ? 'disabled' : late ? 'late' : 'enabled',
        ]),
      ),
    };
  },
});
